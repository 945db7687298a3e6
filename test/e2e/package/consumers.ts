// Tests the packed package in typical projects, into which the archive is installed. `npm run test:e2e -- consumers [WORD…]`: each
// uses another loader, bundler, test runner or version of msw. More projects are in fixtures/examples, run by `npm run docs -- examples`.

import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { nodeFolder, nodeMajors } from '../../../scripts/dev/tools/node-binary.ts';
import { installProject, packProduct } from '../../../scripts/dev/tools/product.ts';
import { temporaryFolder } from '../../../scripts/dev/tools/tools.ts';
import { writeFiles } from '../../../scripts/dev/tools/write-files.ts';

/** A user's project: the packages it installs, its files, and the commands that must succeed. */
interface Consumer {
  readonly name: string;
  readonly packages?: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
  /** Files of `consumers/`. */
  readonly copies?: readonly string[];
  readonly commands: readonly (readonly string[])[];
  /** Runs the commands on every supported Node version rather than only on this one. */
  readonly everyNode?: true;
}

const chart = `new Map(Object.entries({
  'Chart.yaml': 'apiVersion: v2\\nname: tiny\\nversion: 1.0.0\\n',
  'templates/a.yaml': 'kind: {{ .Values.kind | default "Tiny" }}\\n',
}).map(([path, text]) => [path, new TextEncoder().encode(text)]))`;
const render = `template(loadChart(${chart}))`;
const useAll = `if (!/kind: Tiny/.test(${render})) throw new Error('not rendered');
const emulator = createEmulator();
if (emulator.users().length === 0) throw new Error('no users');
try { loadChart(new Map()); throw new Error('no error'); } catch (error) { if (!(error instanceof RenderError)) throw error; }`;
const esm = `import { loadChart, template } from 'drydock';
import { RenderError } from 'drydock/order';
import { createEmulator } from 'drydock/emulator';
import { startWorker } from 'drydock/emulator/browser';
${useAll}
await startWorker().then(() => { throw new Error('started'); }, () => undefined);`;
const commonJs = `const { loadChart, template } = require('drydock');
const { RenderError } = require('drydock/order');
const { createEmulator } = require('drydock/emulator');
const { directoryRegistry } = require('drydock/node');
require('drydock/snapshot');
${useAll}`;
const withMsw = `import { setupServer } from 'msw/node';
import { createEmulator } from 'drydock/emulator';
import { mswHandlers } from 'drydock/emulator/msw';
const emulator = createEmulator();
const server = setupServer(...mswHandlers(emulator, { baseUrl: 'https://platform.example.com' }));
server.listen({ onUnhandledRequest: 'error' });
const headers = { Authorization: 'token ' + emulator.users()[0].token };
const answer = await fetch('https://platform.example.com/api/v1/user', { headers });
server.close();
if ((await answer.json()).login !== 'ada') throw new Error('the handlers do not match');`;
const page = `import { loadChart, template } from 'drydock';
document.title = ${render};
void import('drydock/emulator/browser').then(({ startWorker }) => startWorker());`;
const compilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noEmit: true,
  skipLibCheck: false,
  target: 'es2022',
  lib: ['es2023', 'dom', 'dom.iterable'],
  types: [],
};
const typedCommonJs = `import { createEmulator, type Emulator } from 'drydock/emulator';
export const emulator: Emulator = createEmulator();`;

/** Compiles the documented calls with a version of TypeScript and each module resolution. */
function typeScript(version: string): Consumer {
  const configs = ['node16', 'nodenext', 'bundler'].map((moduleResolution) => {
    const module = moduleResolution === 'bundler' ? 'esnext' : moduleResolution;
    const files = ['library.ts', ...(module === 'esnext' ? [] : ['common.cts'])];
    return [`${moduleResolution}.json`, { compilerOptions: { ...compilerOptions, module, moduleResolution }, files }];
  });
  return {
    name: `TypeScript ${version} (node16, nodenext, bundler)`,
    packages: [`typescript@${version}`, 'msw@2'],
    copies: ['library.ts'],
    files: {
      'common.cts': typedCommonJs,
      ...Object.fromEntries(configs.map(([name, config]) => [name, JSON.stringify(config)])),
    },
    commands: configs.map(([name]) => ['tsc', '--project', `${name}`]),
  };
}

// Node 20 cannot run TypeScript and later versions cannot run enums, but the command must load the file on all of them.
const configuration = `import { defineConfig } from 'drydock/config';
enum Folder { charts = 'node_modules/drydock/fixtures/charts' }
const inputs: readonly string[] = ['node_modules/drydock/fixtures/orders/shop.yaml'];
export default defineConfig({ charts: [Folder.charts], check: { inputs }, snapshot: { inputs } });`;

/** A test runner with a file that uses `drydock/testing`. */
interface Runner {
  readonly name: string;
  readonly packages?: readonly string[];
  readonly file: string;
  /** The imports, and the options of the test. */
  readonly head: string;
  readonly run: string;
  /** The command that records changed snapshots. */
  readonly update: string;
}

const runners: readonly Runner[] = [
  {
    name: 'vitest',
    packages: ['vitest@3'],
    file: 'pods.test.mjs',
    head: `import { test } from 'vitest';\nimport { expectOrder, renderChart } from 'drydock/testing';\nconst options = () => ({});`,
    run: 'vitest run',
    update: 'vitest run -u',
  },
  {
    name: 'jest',
    packages: ['jest@29'],
    file: 'pods.test.cjs',
    head: `const { expectOrder, renderChart } = require('drydock/testing');\nconst options = () => ({});`,
    run: "jest --testMatch '**/*.test.cjs'",
    update: "jest --testMatch '**/*.test.cjs' -u",
  },
  {
    name: 'node:test',
    file: 'pods.test.mjs',
    head: `import { test } from 'node:test';\nimport { expectOrder, renderChart } from 'drydock/testing';\nconst options = ({ name }) => ({ test: { name } });`,
    run: 'node --test pods.test.mjs',
    update: 'UPDATE_SNAPSHOTS=1 node --test pods.test.mjs',
  },
];

// jest treats the parameter of a test function as a callback, so it has none.
const testing = `
test('runs the configured number of pods', async () => {
  const settings = options({ name: 'runs the configured number of pods' });
  const replicas = Number(process.env.PODS);
  const rendering = renderChart('node_modules/drydock/fixtures/charts/web', { values: { replicaCount: replicas } });
  await expectOrder(rendering, settings).toContain({ kind: 'Deployment', spec: { replicas } });
  await expectOrder(rendering, settings).toMatchSnapshot();
});`;

/** A snapshot is recorded under the name of the test, passes, reports differences, and is updated by the runner's own flag. */
function snapshotTest({ name, packages = [], file, head, run, update }: Runner): Consumer {
  const script = `
fails() { if CI=true ${run} >output 2>&1; then cat output; exit 1; fi; }
snapshot=__snapshots__/${file}/runs-the-configured-number-of-pods.yaml
export PODS=2
fails && grep 'is not recorded' output
CI= ${run} && grep 'replicas: 2' $snapshot
CI=true ${run}
export PODS=3
fails && grep 'spec.replicas.*2.*3' output
# jest compares the two values of a failed assertion, and must not report them as equal.
if grep 'no visual difference' output; then exit 1; fi
CI= ${update} && grep 'replicas: 3' $snapshot`;
  return {
    name: `drydock/testing in ${name}`,
    packages,
    files: { [file]: head + testing },
    commands: [['sh', '-ec', script]],
  };
}

const nextApplication = {
  'app/layout.js': 'export default ({ children }) => <html><body>{children}</body></html>;',
  'app/page.js': "import { Mock } from './mock';\nexport default () => <Mock />;",
  'app/mock.js': `'use client';
import { createClient } from 'drydock/client';
import { useEffect, useState } from 'react';
export function Mock() {
  const [name, setName] = useState('');
  useEffect(() => {
    if (process.env.NODE_ENV !== 'development') return;
    void import('./emulator').then(async ({ start }) => {
      const token = await start();
      const { data } = await createClient({ token }).GET('/user');
      setName(data?.full_name ?? '');
    });
  }, []);
  return <p>{name}</p>;
}`,
  'app/emulator.js': `import { defineRoute } from 'drydock/emulator';
import { startWorker } from 'drydock/emulator/browser';
const getNotice = defineRoute({ name: 'getNotice', method: 'GET', path: '/notice', run: ({ db }) => ({ status: 200, json: db.person.count() }) });
export async function start() {
  const { emulator } = await startWorker({ routes: [getNotice] });
  return emulator.world().db.token.create({ user: 'ada' }).token;
}`,
};

const consumers: readonly Consumer[] = [
  {
    name: 'ESM, every entry point',
    packages: ['msw@2'],
    copies: ['entry-points.js'],
    commands: [['node', 'entry-points.js']],
    everyNode: true,
  },
  { name: 'CommonJS', files: { 'a.cjs': commonJs }, commands: [['node', 'a.cjs']], everyNode: true },
  {
    name: 'command with a configuration',
    files: { 'drydock.config.ts': configuration },
    commands: [
      ['drydock', 'template', 'node_modules/drydock/fixtures/charts/web'],
      ['drydock', 'check'],
      ['drydock', 'snapshot', '--update'],
      ['drydock', 'snapshot'],
    ],
    everyNode: true,
  },
  ...runners.map(snapshotTest),
  ...['2.0.0', '2.6.0', '2'].map(
    (version): Consumer => ({
      name: `msw ${version}`,
      packages: [`msw@${version}`],
      files: { 'a.js': withMsw },
      commands: [['node', 'a.js']],
    }),
  ),
  ...['5.9.3', '7.0.2'].map(typeScript),
  {
    name: 'webpack',
    packages: ['webpack@5', 'webpack-cli@6', 'msw@2'],
    files: { 'main.js': page },
    commands: [['webpack', '--mode', 'production', '--entry', './main.js', '--output-path', 'out']],
  },
  ...['next@15', 'next@16'].map(
    (next): Consumer => ({
      name: `${next}, a client component with data and a custom route`,
      packages: [next, 'react@19', 'react-dom@19', 'msw@2', 'openapi-fetch@0.17'],
      files: nextApplication,
      commands: [['next', 'build']],
    }),
  ),
  {
    name: 'Bun',
    packages: ['@oven/bun-linux-x64@1'],
    files: { 'a.js': esm, 'b.cjs': commonJs },
    commands: [
      ['bun', 'a.js'],
      ['bun', 'b.cjs'],
    ],
  },
  {
    name: 'Deno',
    packages: ['@deno/linux-x64-glibc@2'],
    files: { 'a.js': esm },
    commands: [['deno', 'run', '--allow-all', 'a.js']],
  },
];

const words = process.argv.slice(2);
const workspace = temporaryFolder('drydock-consumers-');
let failed = 0;

const archive = await packProduct(workspace);
for (const consumer of consumers) {
  if (words.length > 0 && !words.some((word) => consumer.name.includes(word))) continue;
  const failures = await run(consumer, archive);
  console.log(`${failures.length === 0 ? 'ok' : 'not ok'}  ${consumer.name}`);
  for (const failure of failures) console.error(failure);
  if (failures.length > 0) failed++;
}

process.exitCode = failed === 0 ? 0 : 1;

/** Returns the output of a project's commands if they fail. */
async function run(consumer: Consumer, archive: string): Promise<string[]> {
  const { name, packages = [], files = {}, copies = [], commands, everyNode } = consumer;
  const folder = join(workspace, name.replace(/\W+/g, '-').toLowerCase());
  await mkdir(folder, { recursive: true });
  await installProject(folder, [archive, ...packages]);
  await writeFiles(folder, files);
  for (const copy of copies) await cp(join(import.meta.dirname, 'consumers', copy), join(folder, copy));
  const failures: string[] = [];
  for (const node of everyNode ? await Promise.all(nodeMajors.map(nodeFolder)) : ['']) {
    for (const [command = '', ...args] of commands) {
      const programs = ['.bin', '@oven/bun-linux-x64/bin', '@deno/linux-x64-glibc'];
      const paths = [node, ...programs.map((path) => join(folder, 'node_modules', path)), process.env.PATH];
      const env = { PATH: paths.join(':'), NEXT_TELEMETRY_DISABLED: '1' };
      const { exitCode, all } = await execa(command, args, {
        cwd: folder,
        env,
        all: true,
        reject: false,
        timeout: 600_000,
      });
      if (exitCode !== 0) failures.push(`${node} ${command} ${args.join(' ')}\n${all}`);
    }
  }
  return failures;
}
