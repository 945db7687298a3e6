// Tests `drydock/testing` in vitest, jest and node:test: a snapshot is recorded under the name of the test, passes, reports differences,
// and is updated by the runner's own flag. `npm run test:e2e -- runners`

import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { installProject, packProduct } from '../../../scripts/dev/tools/product.ts';
import { temporaryFolder } from '../../../scripts/dev/tools/tools.ts';

const root = join(import.meta.dirname, '../../..');
const folder = temporaryFolder('drydock-runners-');

const body = `
test('runs the configured number of pods', async (CONTEXT) => {
  const rendering = renderChart('charts/web', { values: { replicaCount: Number(process.env.PODS) } });
  await expectOrder(rendering, options(CONTEXT)).toContain({ kind: 'Deployment', spec: { replicas: Number(process.env.PODS) } });
  await expectOrder(rendering, options(CONTEXT)).toMatchSnapshot();
});
`;
// jest treats the parameter of a test function as a callback.
const plain = `const options = () => ({});\n${body.replaceAll('CONTEXT', '')}`;

interface Runner {
  readonly name: string;
  readonly file: string;
  readonly text: string;
  readonly run: readonly string[];
  readonly update: readonly string[];
}

const runners: readonly Runner[] = [
  {
    name: 'vitest',
    file: 'pods.vitest.test.mjs',
    text: `import { test } from 'vitest';\nimport { expectOrder, renderChart } from 'drydock/testing';\n${plain}`,
    run: ['npx', 'vitest', 'run', 'pods.vitest'],
    update: ['-u'],
  },
  {
    name: 'jest',
    file: 'pods.jest.test.cjs',
    text: `const { expectOrder, renderChart } = require('drydock/testing');\n${plain}`,
    run: ['npx', 'jest', '--testMatch', '**/*.jest.test.cjs'],
    update: ['-u'],
  },
  {
    name: 'node:test',
    file: 'pods.node.test.mjs',
    text: `import { test } from 'node:test';\nimport { expectOrder, renderChart } from 'drydock/testing';\nconst options = (t) => ({ test: { name: t.name } });\n${body.replaceAll('CONTEXT', 't')}`,
    run: ['node', '--test', 'pods.node.test.mjs'],
    update: [],
  },
];

async function prepare(): Promise<void> {
  cpSync(join(root, 'fixtures/charts/web'), join(folder, 'charts/web'), { recursive: true });
  await installProject(folder, [await packProduct(folder), 'vitest@3.2.4', 'jest@29.7.0']);
}

async function check({ name, file, text, run, update }: Runner): Promise<boolean> {
  writeFileSync(join(folder, file), text);
  const snapshot = join(folder, '__snapshots__', file, 'runs-the-configured-number-of-pods.yaml');
  const call = async (pods: number, env: Readonly<Record<string, string>>, more: readonly string[] = []) => {
    const [program = '', ...args] = [...run, ...more];
    const minimalEnv = {
      PATH: process.env.PATH ?? '',
      HOME: process.env.HOME ?? '',
      NO_COLOR: '1',
      PODS: String(pods),
      ...env,
    };
    const { exitCode, all = '' } = await execa(program, args, {
      cwd: folder,
      env: minimalEnv,
      extendEnv: false,
      reject: false,
      all: true,
    });
    return { exitCode, all };
  };
  const failures: string[] = [];
  const expect = (what: string, holds: boolean, output = ''): void =>
    void (holds || failures.push(`${what}\n${output}`));
  const first = await call(2, { CI: 'true' });
  expect('a missing snapshot fails in CI', first.exitCode !== 0 && first.all.includes('is not recorded'), first.all);
  const recorded = await call(2, {});
  expect('a missing snapshot is recorded', recorded.exitCode === 0, recorded.all);
  expect('the snapshot has the name of the test', readFileSync(snapshot, 'utf8').includes('replicas: 2'));
  expect('an unchanged snapshot passes', (await call(2, { CI: 'true' })).exitCode === 0);
  const changed = await call(3, { CI: 'true' });
  // jest compares the two values of a failed assertion, and must not report them as equal.
  const isReported = /spec\.replicas.*2.*3/.test(changed.all) && !changed.all.includes('no visual difference');
  expect('a difference is reported by field', changed.exitCode !== 0 && isReported, changed.all);
  const updated = await call(3, update.length === 0 ? { UPDATE_SNAPSHOTS: '1' } : {}, update);
  expect(
    'the update flag records the snapshot again',
    updated.exitCode === 0 && readFileSync(snapshot, 'utf8').includes('replicas: 3'),
    updated.all,
  );
  console.log(`${failures.length === 0 ? 'ok' : 'FAIL'}  drydock/testing in ${name}`);
  for (const failure of failures) console.log(failure);
  return failures.length === 0;
}

await prepare();
for (const runner of runners) if (!(await check(runner))) process.exitCode = 1;
