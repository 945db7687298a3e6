// The `demo` command: the files that it writes for a static host, and its errors.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, test } from 'node:test';
import type { DemoInput } from '../../emulator/demo/given.ts';
import { temporaryFolder } from '../../scripts/dev/tools/tools.ts';
import { writeFiles } from '../../scripts/dev/tools/write-files.ts';
import { runInProcess } from '../support/cli.ts';

let folder: string;
const files = {
  'charts/own/Chart.yaml': 'apiVersion: v2\nname: own\nversion: 1.2.3\n',
  'charts/own/templates/a.yaml': 'kind: A\napiVersion: v1\nmetadata: {name: {{ .Release.Name }}}\n',
  'charts/spare/Chart.yaml': 'apiVersion: v2\nname: spare\nversion: 0.1.0\n',
  'charts/broken/Chart.yaml': 'name: [\n',
  'order.yaml': `# "Ours" & <theirs>
apiVersion: releases.x-helm.dev/v1alpha1
kind: Order
metadata: {name: o}
spec:
  packages:
    - chart: {name: own, version: 1.2.3, sourceRef: {kind: Local, name: charts/own}, releaseName: r, namespace: ns}
`,
  'missing-chart.yaml': `apiVersion: releases.x-helm.dev/v1alpha1
kind: Order
metadata: {name: o}
spec:
  packages:
    - chart: {name: none, version: 1.2.3, sourceRef: {kind: Local, name: charts/none}, releaseName: r, namespace: ns}
`,
  'other/index.html': 'mine',
  'fixtures/users.json': '[{"login": 7}]',
};

before(async () => {
  folder = temporaryFolder('drydock-demo-');
  await writeFiles(folder, files);
});

const run = (...argv: readonly string[]) => runInProcess(argv, folder, {});

async function inputOf(demo: string): Promise<DemoInput> {
  const text = await readFile(join(folder, demo, 'given.js'), 'utf8');
  return JSON.parse(text.replace(/^export default /, '').replace(/;\n$/, '')) as DemoInput;
}

test('a demo contains the given Orders, their charts and the charts of folders, and works offline', async () => {
  const { exitCode, stdout, stderr } = await run('demo', 'public/demo', 'order.yaml', '--charts', 'charts');
  assert.equal(exitCode, 0, stderr);
  assert.match(stdout, /2 charts and 1 Order of yours\n/);
  assert.match(stderr, /^warning: broken is left out: .+\n$/);
  const { files: charts = [], orders = [] } = await inputOf('public/demo');
  assert.deepEqual(
    charts.map(({ path, sourceRef }) => [path, sourceRef]),
    [
      ['own-1.2.3.tgz', { kind: 'Local', name: 'charts/own' }],
      ['spare-0.1.0.tgz', { kind: 'Local', name: 'spare' }],
    ],
  );
  assert.equal(orders[0]?.text, files['order.yaml']);
  const page = await readFile(join(folder, 'public/demo/index.html'), 'utf8');
  assert.match(page, /<meta name="drydock-order" content="# &quot;Ours&quot; &amp; &lt;theirs&gt;\napiVersion/);
  const names = await readdir(join(folder, 'public/demo'));
  const worker = await readFile(join(folder, 'public/demo/sw.js'), 'utf8');
  for (const name of names.filter((one) => one !== 'sw.js')) assert.ok(worker.includes(`"./${name}"`), name);
  for (const name of ['demo.js', 'in-page.js', 'render-worker.js']) assert.ok(names.includes(name), name);
});

test('a demo overwrites another demo, but no other files', async () => {
  const { exitCode, stdout } = await run('demo', 'again', '--json');
  assert.equal(exitCode, 0);
  assert.deepEqual(
    { ...(JSON.parse(stdout) as object), files: 0, bytes: 0 },
    { folder: 'again', files: 0, bytes: 0, charts: 0, orders: 0 },
  );
  assert.equal((await run('demo', 'again', '--quiet')).exitCode, 0);
  const rejected = await run('demo', 'other');
  assert.equal(rejected.exitCode, 1);
  assert.match(
    rejected.stderr,
    /^Error: .*other holds something else: name a folder that is new, empty or holds a demo\n$/,
  );
  assert.equal(await readFile(join(folder, 'other/index.html'), 'utf8'), 'mine');
});

test('invalid input of a demo is reported before any file is written', async () => {
  const invalid: readonly (readonly [readonly string[], number, RegExp])[] = [
    [['demo', 'out', 'missing-chart.yaml'], 1, /charts\/none/],
    [['demo', 'out', '--fixtures', 'fixtures'], 1, /users/],
    // Nothing can be created below /proc, and Node's recursive mkdir never ends there. Other systems have no /proc.
    [['demo', existsSync('/proc') ? '/proc/x/y' : 'order.yaml/x'], 1, /mkdir|order\.yaml/],
  ];
  for (const [words, expected, message] of invalid) {
    const { exitCode, stdout, stderr } = await run(...words);
    assert.deepEqual([exitCode, stdout], [expected, ''], `${words.join(' ')}: ${stderr}`);
    assert.match(stderr, message);
    assert.doesNotMatch(stderr, /\n {4}at /);
  }
  assert.ok(!(await readdir(folder)).includes('out'));
});
