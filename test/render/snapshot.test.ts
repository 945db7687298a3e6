// Snapshots on disk: the command for sample Orders and charts.

import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { chartsDirectory, ordersDirectory } from '../support/orders.ts';
import { chartIn, createProject, type Project } from '../support/project.ts';

/** Returns the paths of the files in a folder, without records. */
const list = ({ folder }: Project, path: string): string[] =>
  readdirSync(join(folder, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== '.record.json')
    .map((entry) => join(entry.parentPath, entry.name).slice(join(folder, path).length + 1))
    .sort();

const web = join(chartsDirectory, 'web');
const shop = join(ordersDirectory, 'shop.yaml');

test('the command compares an Order and charts, and only writes on request', async () => {
  const project = createProject();
  const snapshot = (...argv: string[]) => project.run(['snapshot', shop, web, ...argv]);
  const missing = await snapshot();
  assert.equal(missing.exitCode, 1);
  assert.match(missing.stdout, /shop\.snap: 10 files not recorded yet\n/);
  assert.match(missing.stderr, /record them with --update/);
  assert.deepEqual(readdirSync(project.folder), ['.drydock']);
  const written = { exitCode: 0, stderr: '', stdout: '2 snapshots: 12 files written, 0 removed\n' };
  assert.deepEqual(await snapshot('--update'), written);
  assert.deepEqual(list(project, 'snapshots/web.snap'), ['minimal-values.yaml', 'production-values.yaml']);
  assert.deepEqual(await snapshot(), { ...written, stdout: '2 snapshots: same (12 files)\n' });
});

test('the command reports different and obsolete snapshots, and an update fixes them', async () => {
  const { edit, folder, run, write } = createProject();
  const snapshot = (...argv: string[]) => run(['snapshot', shop, ...argv]);
  await snapshot('-u');
  edit('snapshots/shop.snap/resources/shop/web/resources/deployment.yaml', 'replicas: 3', 'replicas: 7');
  write({
    'snapshots/shop.snap/resources/shop/web/resources/gone.yaml': 'kind: Gone\n',
    'snapshots/shop.snap/.gitattributes': '* -text\n',
  });
  const { exitCode, stdout } = await snapshot();
  assert.equal(exitCode, 1);
  assert.match(
    stdout,
    /shop\.yaml differs from its snapshot: 1 object changed\n\n.*\n {2}~ Deployment shop\/web .*\n {4}~ spec\.replicas: 7 -> 3\n/,
  );
  assert.match(stdout, /gone\.yaml is recorded, and nothing renders it any more\n/);
  assert.equal((await snapshot('--update')).stdout, 'snapshots/shop.snap: 1 file written, 1 removed\n');
  assert.equal((await snapshot()).exitCode, 0);
  assert.ok(existsSync(join(folder, 'snapshots/shop.snap/.gitattributes')), 'dot-files are left alone');
});

test('the result is the same from another folder, and for random values', async () => {
  const random = 'apiVersion: v1\nkind: Secret\nmetadata:\n  name: {{ uuidv4 }}\ndata:\n  now: {{ now }}\n';
  const order =
    'spec:\n  packages:\n    - chart: {name: mine, sourceRef: {kind: Local, name: charts/mine}, releaseName: r, namespace: default}\n';
  const filesIn = (folder: string) => ({
    ...chartIn(`${folder}/charts/mine`, { 'templates/a.yaml': random }),
    [`${folder}/own.yaml`]: order,
  });
  const { run } = createProject({ ...filesIn('one'), ...filesIn('two/deeper') });
  assert.equal((await run(['snapshot', 'one/own.yaml', 'one/charts/mine', '-u'])).exitCode, 0);
  assert.deepEqual(await run(['snapshot', 'two/deeper/own.yaml', 'two/deeper/charts/mine']), {
    exitCode: 0,
    stderr: '',
    stdout: '2 snapshots: same (5 files)\n',
  });
});

test("a chart's cases: --values, one for each file; several together; outputs of an Order can be selected", async () => {
  const project = createProject({ 'a.yaml': 'replicaCount: 8\n', 'b.yaml': 'replicaCount: 9\n' });
  const { read, run } = project;
  await run(['snapshot', web, '-u', '-f', 'a.yaml', '-f', 'a.yaml,b.yaml', '--snapshots', 'x']);
  assert.deepEqual(list(project, 'x'), ['web.snap/a+b.yaml', 'web.snap/a.yaml']);
  assert.match(read('x/web.snap/a+b.yaml'), /replicas: 9/);
  await run(['snapshot', shop, '-u', '-o', 'manifest', '--charts', chartsDirectory]);
  assert.deepEqual(list(project, 'snapshots'), ['shop.snap/manifest.yaml']);
});

test('an invalid input is reported with its place, and the others are compared', async () => {
  const { run } = createProject({ 'bad.yaml': 'spec:\n  packages: 5\n' });
  await run(['snapshot', web, '-u']);
  const { exitCode, stdout, stderr } = await run(['snapshot', 'bad.yaml', web, 'missing.yaml']);
  assert.deepEqual([exitCode, stdout], [1, 'snapshots/web.snap: same (2 files)\n']);
  assert.match(stderr, /^bad\.yaml:2:3: error: spec\.packages[\s\S]*open missing\.yaml: no such file or directory/);
  assert.doesNotMatch(stderr, /--update/);
});

for (const [argv, message] of [
  [[], /takes files of Orders/],
  [['-'], /takes files of Orders/],
  [['a/shop.yaml', 'a/shop.json'], /two inputs are called shop/],
  [['a.yaml', '-o', 'toast'], /not "toast"/],
] as const) {
  test(`wrong usage: snapshot ${argv.join(' ')}`, async () => {
    const { exitCode, stderr } = await createProject().run(['snapshot', ...argv]);
    assert.equal(exitCode, 2);
    assert.match(stderr, message);
  });
}
