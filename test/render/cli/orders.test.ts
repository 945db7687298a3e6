// The commands `render` and `check`: streams, files and exit codes.

import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { chartsDirectory, ordersDirectory } from '../../support/orders.ts';
import { chartIn, createProject } from '../../support/project.ts';

const orderOf = (chart: string): string =>
  `spec:\n  packages:\n    - chart: {${chart}, releaseName: r, namespace: default}\n`;
const localOrder = (chart: string, path = `charts/${chart}`): string =>
  orderOf(`name: ${chart}, sourceRef: {kind: Local, name: ${path}}`);

const shop = join(ordersDirectory, 'shop.yaml');
const own = 'own.yaml';
const { folder, read, run, write } = createProject({
  [own]: localOrder('mine'),
  ...chartIn('charts/mine', {
    'templates/a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Release.Name }}\n',
  }),
});

test('of very many issues, errors are reported first, then up to a thousand, and the number of the rest', async () => {
  const unknown = Array.from({ length: 8000 }, (_, i) => `odd${i}: 1`).join(', ');
  write({ 'odd.yaml': orderOf(`name: mine, sourceRef: {kind: Local, name: charts/mine}, ${unknown}, version: 2`) });
  const { stderr, exitCode } = await run(['check', 'odd.yaml']);
  assert.equal(exitCode, 1);
  const lines = stderr.trimEnd().split('\n');
  assert.match(lines[0] ?? '', /^odd\.yaml:3:\d+: error: spec\.packages\[0\]\.chart\.version: must be a string/);
  assert.equal(lines.length, 1001);
  assert.equal(lines.at(-1), 'and 7001 more: drydock check --format json lists them all');
  const all = await run(['check', '--format', 'json', 'odd.yaml']);
  assert.equal((all.stdout.match(/is not a known field/g) ?? []).length, 8000);
});

test('an Order is read from a file or from standard input, as YAML or JSON', async () => {
  const yaml = await run(['render', own]);
  assert.equal(yaml.exitCode, 0, yaml.stderr);
  assert.match(yaml.stdout, /^---\n# Source: charts\/mine - mine@1\.0\.0\n---\n# Source: mine\/templates\/a\.yaml\n/);
  const sourceRef = { kind: 'Local', name: 'charts/mine' };
  const chart = { name: 'mine', sourceRef, releaseName: 'r', namespace: 'default' };
  const json = JSON.stringify({ spec: { items: [{ chart }] } });
  assert.deepEqual(await run(['render', '-'], { stdin: async () => json }), yaml);
});

test('charts are found by path, in folders, and beside the Order', async () => {
  write({
    'b/one.yaml': orderOf('name: mine, sourceRef: {kind: HelmRepository, name: "https://charts.example.com"}'),
    'charts/two.yaml': localOrder('mine', 'mine'),
    'charts/deep/three.yaml': localOrder('mine', '../mine'),
    'four.yaml': localOrder('web', `"${chartsDirectory}/web"`),
  });
  const missing = await run(['render', 'b/one.yaml']);
  assert.equal(missing.exitCode, 1);
  assert.match(
    missing.stderr,
    /^Error: b\/one\.yaml:3:7: package default\/r \(chart mine\): chart "mine" not found in .*\n.*--charts DIR/,
  );
  for (const argv of [
    ['b/one.yaml', '--charts', 'charts'],
    ['charts/two.yaml'],
    ['charts/deep/three.yaml'],
    ['four.yaml'],
  ]) {
    assert.equal((await run(['render', ...argv])).exitCode, 0, argv.join(' '));
  }
});

test('resources are YAML, one JSON document, or files', async () => {
  const answer = await run(['render', own, '--output', 'resources', '--format', 'json']);
  const [list] = JSON.parse(answer.stdout) as [{ resources: unknown }];
  const data = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"r","namespace":"default"}}';
  assert.deepEqual(list.resources, [{ filename: 'config_map.json', key: 'configMap', data }]);
  assert.equal((await run(['render', own, '-o', 'resources', '--out', 'files'])).exitCode, 0);
  assert.deepEqual(readdirSync(join(folder, 'files/default/r/resources')), ['config_map.yaml']);
});

test('scripts name the chart by its path from the script, with nothing specific to this machine', async () => {
  const answer = await run(['render', own, '--output', 'pkgmgr3']);
  assert.match(answer.stdout, /upgrade --install r "\$dir"\/charts\/mine /);
  assert.ok(!answer.stdout.includes(folder));
  await run(['render', own, '--output', 'pkgmgr3', '--out', 'deep/er']);
  assert.match(read('deep/er/install.sh'), /"\$dir"\/\.\.\/\.\.\/charts\/mine /);
  assert.match((await run(['render', own, '--output', 'yaml', '--os', 'windows'])).stdout, /^function Invoke-Kubectl/m);
});

test('exports for Argo CD and Flux name charts from the root of the Git repository', async () => {
  write({
    'repository/.git/HEAD': 'ref: refs/heads/main\n',
    ...chartIn('repository/charts/mine', {}),
    'repository/apps/shop.yaml': localOrder('mine', '../charts/mine'),
  });
  const url = ['--repo-url', 'https://git.example.com/shop.git'];
  const argocd = await run(['render', 'repository/apps/shop.yaml', '--output', 'argocd', ...url]);
  assert.match(argocd.stdout, /^ +path: charts\/mine$/m, argocd.stderr);
  const flux = await run(['render', 'repository/apps/shop.yaml', '--output', 'flux', ...url]);
  assert.match(flux.stdout, /^ +chart: (?:\.\/)?charts\/mine$/m, flux.stderr);
  // A path that was found in the current folder, or in one of --charts.
  write({
    'repository/apps/near.yaml': localOrder('mine', 'charts/mine'),
    'repository/apps/name.yaml': localOrder('mine', 'mine'),
  });
  for (const argv of [['apps/near.yaml'], ['apps/name.yaml', '--charts', 'charts']]) {
    const { stdout } = await run(['render', ...argv, '-o', 'argocd', ...url], { cwd: join(folder, 'repository') });
    assert.match(stdout, /^ +path: charts\/mine$/m, argv.join(' '));
  }
});

test('a folder of scripts is written with its checksums', async () => {
  assert.equal((await run(['render', shop, '-o', 'pkgmgr3', '--layout', 'files', '--out', 'install'])).exitCode, 0);
  const files = readdirSync(join(folder, 'install'), { recursive: true }).map(String).sort();
  assert.deepEqual(files, [
    'SHA256SUMS',
    'install.ps1',
    'install.sh',
    'values',
    'values/01-backend.json',
    'values/02-web.json',
  ]);
  assert.equal(statSync(join(folder, 'install/install.sh')).mode & 0o111, 0o111);
  assert.equal(read('install/SHA256SUMS').split('\n').length, 5);
});

test('a script over 1 MB is written as a folder, and one with Secrets is readable only by its owner', async () => {
  const text = `apiVersion: v1\nkind: Secret\nmetadata: {name: a}\nstringData: {a: "${'x'.repeat(1_000_000)}"}\n`;
  write({ ...chartIn('charts/big', { 'templates/a.yaml': text }), 'big.yaml': localOrder('big') });
  const modeOf = (path: string): number => statSync(join(folder, path)).mode & 0o777;
  const large = await run(['render', 'big.yaml', '-o', 'yaml', '--out', 'large']);
  assert.match(large.stderr, /note: the script has 1\.0 MB, so its documents are written to separate files/);
  assert.equal(modeOf('large/install.sh'), 0o600);
  assert.equal(modeOf('large/manifests/01-r/resources-01.yaml'), 0o600);
  assert.equal((await run(['render', 'big.yaml', '-o', 'yaml', '--out', 'one', '--layout', 'inline'])).stderr, '');
  assert.deepEqual(readdirSync(join(folder, 'one')), ['install.sh']);
  assert.equal((await run(['render', 'big.yaml', '-o', 'yaml', '--out', 'env', '--secrets', 'env'])).exitCode, 0);
  assert.equal(modeOf('env/install.sh'), 0o755);
});

test('a custom template is used, and refused if it is unsafe', async () => {
  write({
    'own.hbs': '{{#each packages}}deploy {{release}} {{chart.version}}\n{{/each}}',
    'bad.hbs': 'ok\ndeploy "{{order.name}}"\n',
  });
  const answer = await run(['render', shop, '-o', 'pkgmgr3', '--script-template', 'own.hbs']);
  assert.equal(answer.stdout, 'deploy backend 3.1.0\ndeploy web 1.4.2\n');
  const bad = await run(['render', shop, '-o', 'pkgmgr3', '--script-template', 'bad.hbs']);
  assert.equal(bad.exitCode, 1);
  assert.match(bad.stderr, /^Error: bad\.hbs:2: \{\{order\.name\}\} is in double quotes/);
});
