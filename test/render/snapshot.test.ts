// Snapshots on disk: the command for sample Orders and charts.

import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { chartsDirectory, ordersDirectory } from '../support/orders.ts';
import { createProject, type Project } from '../support/project.ts';

/** Returns the paths of the files in a folder, without records. */
const list = ({ folder }: Project, path: string): string[] =>
  readdirSync(join(folder, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== '.record.json')
    .map((entry) => join(entry.parentPath, entry.name).slice(join(folder, path).length + 1))
    .sort();

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
