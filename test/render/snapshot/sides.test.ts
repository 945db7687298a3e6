// What a snapshot is made of, and what is no part of it; and that an update which is killed is never taken for one.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { folderStore } from '../../../render/snapshot.node.ts';
import { runInProcess } from '../../support/cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'drydock-snapshot-sides-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const write = (name: string, text: string): void => {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
};
const run = (...argv: string[]) => runInProcess(['snapshot', ...argv], folder);
const crd = (kind: string, scope = 'Namespaced'): string =>
  `apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: ${kind}s.example.com}\nspec: {group: example.com, scope: ${scope}, names: {kind: ${kind}}, versions: []}\n`;

test('an edit of crds/ is a difference to snapshot and to diff, unless they are left out', async () => {
  write('crds/Chart.yaml', 'apiVersion: v2\nname: crds\nversion: 1.0.0\n');
  write('crds/templates/a.yaml', 'kind: A\nmetadata: {name: {{ .Values.name }}}\n');
  write('crds/ci/one-values.yaml', 'name: one\n');
  write('crds/ci/two-values.yaml', 'name: two\n');
  write('crds/crds/a.yaml', crd('a'));
  cpSync(join(folder, 'crds'), join(folder, 'old/crds'), { recursive: true });
  const matrix = ['--kube-version', '1.30,1.31'];
  await run('crds', ...matrix, '--update');
  // The same text in all cases and cells is one file.
  const names = readdirSync(join(folder, 'snapshots/crds.snap')).sort();
  assert.deepEqual(names, ['.record.json', '.same.json', 'one-values.crds.yaml', 'one-values.yaml', 'two-values.yaml']);
  assert.equal(folderStore(join(folder, 'snapshots/crds.snap')).read().size, 8);
  assert.match((await run('crds', ...matrix, '--no-cache')).stdout, /same \(8 files\)/);
  write('crds/crds/a.yaml', crd('a', 'Cluster'));
  const { exitCode, stdout } = await run('crds', ...matrix);
  assert.equal(exitCode, 1);
  assert.match(
    stdout,
    /differs from its snapshot: 1 object changed[\s\S]*in one-values, two-values\n {2}~ CustomResourceDefinition as\.example\.com[\s\S]*spec\.scope/,
  );
  const same = await run('crds', '--skip-crds', '--update');
  assert.match(same.stdout, /removed/);
  write('crds/crds/a.yaml', crd('a'));
  assert.equal((await run('crds', '--skip-crds')).exitCode, 0);
  write('crds/crds/b.yaml', crd('b'));
  const diff = (...more: string[]) => runInProcess(['diff', 'old/crds', 'crds', '--set', 'name=a', ...more], folder);
  assert.match((await diff()).stdout, /^1 added, 2 the same\n/);
  assert.equal((await diff('--skip-crds')).exitCode, 0);
});

test('a README is no part of what an Order installs', async () => {
  write('orders/charts/web/Chart.yaml', 'apiVersion: v2\nname: web\nversion: 1.0.0\n');
  write('orders/charts/web/templates/a.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n');
  write('orders/charts/web/README.md', 'first\n');
  write(
    'orders/web.yaml',
    'kind: Order\nmetadata: {name: web}\nspec:\n  packages:\n    - name: a\n      chart: {name: web, version: 1.0.0, namespace: a, releaseName: a, sourceRef: {name: charts}}\n',
  );
  await run('orders/web.yaml', '--update');
  write('orders/charts/web/README.md', 'second\n');
  const { exitCode, stdout } = await run('orders/web.yaml');
  assert.deepEqual([exitCode, stdout.includes('written otherwise')], [0, false], stdout);
  write('orders/charts/web/templates/a.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: b}\n');
  assert.equal((await run('orders/web.yaml')).exitCode, 1);
});

test('a snapshot of the form before is compared, and said to be old', async () => {
  write('form/Chart.yaml', 'apiVersion: v2\nname: form\nversion: 1.0.0\n');
  write('form/templates/a.yaml', 'apiVersion: v1\nkind: Secret\nmetadata: {name: a}\nstringData: {a: some words}\n');
  await run('form', '--update');
  // Form 2 has shorter fingerprints.
  for (const name of ['.record.json', 'default.yaml']) {
    const file = join(folder, 'snapshots/form.snap', name);
    const text = readFileSync(file, 'utf8').replace('"form": 3', '"form": 2');
    assert.match(text, /<secret [0-9a-f]{16}>/);
    writeFileSync(file, text.replace(/<secret ([0-9a-f]{8})[0-9a-f]{8}>/g, '<secret $1>'));
  }
  const { exitCode, stderr } = await run('form', '--no-cache');
  assert.deepEqual([exitCode, stderr.includes('recorded by an older drydock')], [0, true], stderr);
  assert.doesNotMatch(stderr, /DRYDOCK_SECRET_KEY/);
  await run('form', '--update');
  assert.doesNotMatch((await run('form')).stderr, /older/);
});

test('an update leaves nothing behind of one that was killed', async () => {
  write('left/Chart.yaml', 'apiVersion: v2\nname: left\nversion: 1.0.0\n');
  write('left/templates/a.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n');
  await run('left', '--update');
  const root = join(folder, 'snapshots/left.snap');
  const names = readdirSync(root);
  for (const name of ['.updating', '.next']) writeFileSync(join(root, name), '');
  await run('left', '--update');
  assert.deepEqual(readdirSync(root), names);
});

test('an update that is killed is whole, or said to be torn', { timeout: 120_000 }, async () => {
  const root = join(folder, 'killed.snap');
  const files = (run_: string): Map<string, string> =>
    new Map(Array.from({ length: 60 }, (_, at) => [`case-${at}.yaml`, `kind: A\nrun: ${run_}\nat: ${at}\n`]));
  folderStore(root).write(files('0'), new Map([['.record.json', '0']]));
  const module = JSON.stringify(join(import.meta.dirname, '../../../render/snapshot.node.ts'));
  // Two runs in turn, for as long as the process lives.
  const script = `
    const { folderStore } = await import(${module});
    const files = (run) => new Map(Array.from({ length: 60 }, (_, at) => ['case-' + at + '.yaml', 'kind: A\\nrun: ' + run + '\\nat: ' + at + '\\n']));
    process.stdout.write('ready');
    for (let run = 1; ; run++) folderStore(${JSON.stringify(root)}).write(files(String(run % 7)), new Map([['.record.json', String(run % 7)]]));
  `;
  let torn = 0;
  for (let at = 0; at < 12; at++) {
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    await new Promise((resolve) => setTimeout(resolve, at * 3));
    child.kill('SIGKILL');
    await once(child, 'exit');
    const runs = new Set([...folderStore(root).read().values()].map((text) => /run: (\d)/.exec(text)?.[1]));
    runs.add(readFileSync(join(root, '.record.json'), 'utf8'));
    const isTorn = existsSync(join(root, '.updating'));
    // Every file is whole, and of one run unless it is said.
    assert.equal(runs.has(undefined), false);
    assert.ok(runs.size === 1 || isTorn, [...runs].join());
    if (isTorn) torn++;
  }
  assert.ok(torn > 0);
  write('torn/Chart.yaml', 'apiVersion: v2\nname: torn\nversion: 1.0.0\n');
  write('torn/templates/a.yaml', 'kind: A\nmetadata: {name: a}\n');
  await run('torn', '--update');
  writeFileSync(join(folder, 'snapshots/torn.snap/.updating'), '');
  for (const more of [[], ['--no-cache']]) {
    const { exitCode, stderr } = await run('torn', ...more);
    assert.equal(exitCode, 1);
    assert.match(
      stderr,
      /an update of snapshots\/torn\.snap was interrupted, so its files may be of two runs\nRecord it again/,
    );
  }
  await run('torn', '--update');
  assert.equal((await run('torn')).exitCode, 0);
});
