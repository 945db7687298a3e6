// The command `demo`: the files it writes for a static host, and its errors.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { runCommand } from '../../emulator/cli/run.node.ts';
import type { DemoInput } from '../../emulator/demo/given.ts';

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
  'lacking.yaml': `apiVersion: releases.x-helm.dev/v1alpha1
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
  folder = await mkdtemp(join(tmpdir(), 'drydock-demo-'));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(folder, name, '..'), { recursive: true });
    await writeFile(join(folder, name), text);
  }
});
after(() => rm(folder, { recursive: true }));

async function run(...argv: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  let [out, err] = ['', ''];
  const stdout = (text: string): void => {
    out += text;
  };
  const stderr = (text: string): void => {
    err += text;
  };
  const code = await runCommand(argv, { cwd: folder, env: {}, stdin: async () => '', stdout, stderr });
  return { code, out, err };
}

async function givenOf(place: string): Promise<DemoInput> {
  const text = await readFile(join(folder, place, 'given.js'), 'utf8');
  return JSON.parse(text.replace(/^export default /, '').replace(/;\n$/, '')) as DemoInput;
}

test('a demo contains the Orders, their charts and those of folders, and works offline', async () => {
  const { code, out, err } = await run('demo', 'public/demo', 'order.yaml', '--charts', 'charts');
  assert.equal(code, 0, err);
  assert.match(out, /2 charts and 1 Order of yours\n/);
  assert.match(err, /^warning: broken is left out: .+\n$/);
  const { files: charts = [], orders = [] } = await givenOf('public/demo');
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

test('a demo overwrites a demo and nothing else', async () => {
  const { code, out } = await run('demo', 'again', '--json');
  assert.equal(code, 0);
  assert.deepEqual(
    { ...(JSON.parse(out) as object), files: 0, bytes: 0 },
    { folder: 'again', files: 0, bytes: 0, charts: 0, orders: 0 },
  );
  assert.equal((await run('demo', 'again', '--quiet')).code, 0);
  const refused = await run('demo', 'other');
  assert.equal(refused.code, 1);
  assert.match(
    refused.err,
    /^Error: .*other holds something else: name a folder that is new, empty or holds a demo\n$/,
  );
  assert.equal(await readFile(join(folder, 'other/index.html'), 'utf8'), 'mine');
});

test('invalid content of a demo is reported before anything is written', async () => {
  const wrong: readonly (readonly [readonly string[], number, RegExp])[] = [
    [['demo'], 2, /^Error: "drydock demo" takes the folder to write, and Orders/],
    [['demo', 'out', 'lacking.yaml'], 1, /charts\/none/],
    [['demo', 'out', 'nope.yaml'], 1, /nope\.yaml/],
    [['demo', 'out', '--charts', 'nowhere'], 1, /^Error: there is no folder nowhere/],
    [['demo', 'out', '--fixtures', 'fixtures'], 1, /users/],
    [['demo', 'order.yaml'], 1, /order\.yaml/],
    // Nothing can be created below /proc, and Node's recursive mkdir never ends there. Other systems have no /proc.
    [['demo', existsSync('/proc') ? '/proc/x/y' : 'order.yaml/x'], 1, /mkdir|order\.yaml/],
  ];
  for (const [words, expected, message] of wrong) {
    const { code, out, err } = await run(...words);
    assert.deepEqual([code, out], [expected, ''], `${words.join(' ')}: ${err}`);
    assert.match(err, message);
    assert.doesNotMatch(err, /\n {4}at /);
  }
  assert.ok(!(await readdir(folder)).includes('out'));
});
