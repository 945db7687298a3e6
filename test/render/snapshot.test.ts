// Snapshots on disk: the helper for test runners, and the command for sample Orders and charts.

import assert from 'node:assert/strict';
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { matchSnapshot, SnapshotError } from '../../render/snapshot.node.ts';
import { chartsDirectory, loadOrder, ordersDirectory, renderSample } from '../support/orders.ts';
import { createProject, type Project } from '../support/project.ts';

/** Returns the paths of the files in a folder, without records. */
const list = ({ folder }: Project, path: string): string[] =>
  readdirSync(join(folder, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== '.record.json')
    .map((entry) => join(entry.parentPath, entry.name).slice(join(folder, path).length + 1))
    .sort();

const sample = createProject();
let samples = 0;
/** Returns a path that no other test uses. */
const newPath = (name: string): string => join(sample.folder, String(++samples), name);

test('matchSnapshot: an unrecorded text fails, is recorded on request, then matches', async () => {
  const path = newPath('deep/web.yaml');
  await assert.rejects(matchSnapshot('kind: A\n', path), /web\.yaml is not recorded/);
  assert.equal(existsSync(path), false);
  await matchSnapshot('kind: A\n', path, { update: true });
  await matchSnapshot('kind: A\n', path);
  assert.equal(readFileSync(path, 'utf8'), 'kind: A\n');
  await assert.rejects(matchSnapshot('kind: B\n', path), (error: unknown) => {
    assert.ok(error instanceof SnapshotError);
    assert.equal(error.name, 'AssertionError');
    assert.equal(error.code, 'ERR_ASSERTION');
    assert.deepEqual(Object.keys(error), ['name', 'code']);
    assert.equal(error.changes[0]?.status, 'different');
    assert.match(error.changes[0]?.diff ?? '', /^@@ -1,1 \+1,1 @@ \S.*\n-kind: A\n\+kind: B\n$/);
    assert.match(
      error.message,
      /is different: 1 added, 1 removed\n\n\+ B\b.*\n- A\b.*\n\nIf this is meant, .*UPDATE_SNAPSHOTS=1/s,
    );
    return true;
  });
});

test('matchSnapshot: manifests are compared by meaning, other texts byte by byte', async () => {
  const path = newPath('web.yaml');
  const labels = 'labels: {helm.sh/chart: web-1.0.0, app: web}';
  await matchSnapshot(`kind: A\nmetadata: {name: a, ${labels}}\n---\nkind: B\n`, path, { update: true });
  const other = `# other\nkind: B\n---\nmetadata: {${labels.replace('1.0.0', '1.0.1')}, "name": a}\nkind: A\n`;
  await matchSnapshot(other, path);
  await assert.rejects(matchSnapshot(other, path, { exact: true }), SnapshotError);
  await assert.rejects(
    matchSnapshot(other.replace('app: web', 'app: other'), path),
    /metadata\.labels\.app: "web" -> "other"/,
  );
  for (const [before, after] of [
    ['a text\n', 'another text\n'],
    ['kind: A\n---\n- 1\n', 'kind: A\n---\n- 2\n'],
    ['kind: A\n---\na text\n', 'kind: A\n'],
  ] as const) {
    await matchSnapshot(before, path, { update: true });
    await assert.rejects(matchSnapshot(after, path), /\n@@ /, before);
  }
  const scripts = (word: string) => new Map([['run.sh', `echo ${word}\n`]]);
  const folder = newPath('scripts');
  await matchSnapshot(scripts('one'), folder, { update: true });
  await assert.rejects(matchSnapshot(scripts('two'), folder), /-echo one\n\+echo two/);
});

test('matchSnapshot: an environment variable requests an update', async () => {
  const path = newPath('a.yaml');
  process.env.UPDATE_SNAPSHOTS = '1';
  try {
    await matchSnapshot('a\n', path);
    await assert.rejects(matchSnapshot('b\n', path, { update: false }));
  } finally {
    delete process.env.UPDATE_SNAPSHOTS;
  }
  await matchSnapshot('a\n', path);
});

test('matchSnapshot: an Order is a folder of outputs and resources, the same in every run', async () => {
  const project = createProject();
  const path = join(project.folder, 'shop');
  await matchSnapshot(await renderSample(loadOrder('shop.yaml')), path, { update: true });
  assert.ok(list(project, 'shop').includes('resources/shop/web/resources/deployment.yaml'));
  assert.ok(list(project, 'shop').includes('scripts/helm.sh'));
  await matchSnapshot(await renderSample(loadOrder('shop.yaml')), path);
  await matchSnapshot(new Map([['only.yaml', 'a: 1\n']]), path, { update: true });
  assert.deepEqual(list(project, 'shop'), ['only.yaml'], 'what nothing renders is removed, and empty folders with it');
});

const web = join(chartsDirectory, 'web');
const shop = join(ordersDirectory, 'shop.yaml');

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
  assert.match(
    (await snapshot('--lines')).stdout,
    /deployment\.yaml is different\n--- recorded\n\+\+\+ rendered\n@@ .* @@ Deployment web\n[\s\S]*\n- {2}replicas: 7\n\+ {2}replicas: 3\n/,
  );
  assert.equal((await snapshot('--update')).stdout, 'snapshots/shop.snap: 1 file written, 1 removed\n');
  assert.equal((await snapshot()).exitCode, 0);
  assert.ok(existsSync(join(folder, 'snapshots/shop.snap/.gitattributes')), 'dot-files are left alone');
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

test('a version bump is no difference if its labels are masked', async () => {
  const { edit, folder, run } = createProject();
  cpSync(web, join(folder, 'web'), { recursive: true });
  const mask = ['--mask', 'helm.sh/chart,checksum/config'];
  await run(['snapshot', 'web', '-u', ...mask]);
  edit('web/Chart.yaml', /^version: .*$/m, 'version: 9.9.9');
  assert.equal((await run(['snapshot', 'web', ...mask])).exitCode, 0);
  assert.equal((await run(['snapshot', 'web'])).exitCode, 1);
});

for (const [argv, message] of [
  [[], /takes files of Orders/],
  [['-'], /takes files of Orders/],
  [['a/shop.yaml', 'a/shop.json'], /two inputs are called shop/],
  [['a.yaml', '-o', 'toast'], /not "toast"/],
] as const) {
  test(`wrong usage: snapshot ${argv.join(' ')}`, async () => {
    const { exitCode, stderr } = await sample.run(['snapshot', ...argv]);
    assert.equal(exitCode, 2);
    assert.match(stderr, message);
  });
}
