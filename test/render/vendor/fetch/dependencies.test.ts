// The dependencies of chart folders: the files and output of `drydock vendor CHART`, and what it leaves unchanged.

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { helmHome } from '../../../../render/vendor/fetch/helm-home.node.ts';
import { vendorDependencies } from '../../../../render/vendor.node.ts';
import { runInProcess } from '../../../support/cli.ts';
import { webArchives as archives, serveWeb } from './server.ts';

const root = mkdtempSync(join(tmpdir(), 'drydock-dependencies-test-'));
after(() => rmSync(root, { recursive: true, force: true }));

const server = await serveWeb();
after(() => server.close());

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** Writes a chart folder `shop` with these dependencies, and returns its parent folder. */
function project(dependencies: readonly string[]): string {
  const cwd = mkdtempSync(join(root, 'project-'));
  write(
    join(cwd, 'shop/Chart.yaml'),
    `apiVersion: v2\nname: shop\nversion: 1.0.0\ndependencies: [${dependencies.join(', ')}]\n`,
  );
  write(join(cwd, 'shop/templates/a.yaml'), 'kind: ConfigMap\napiVersion: v1\nmetadata:\n  name: a\n');
  return cwd;
}

const web = `{name: web, version: ^1.0.0, repository: "${server.url}"}`;
const env = (cwd: string): Record<string, string> => ({ HOME: cwd });

test('a missing dependency is downloaded once, in the newest matching version, and the chart renders', async () => {
  const cwd = project([web, `{name: web, alias: two, version: ^1.0.0, repository: "${server.url}"}`]);
  assert.equal((await runInProcess(['template', 'shop'], cwd)).exitCode, 1);
  const brought = await vendorDependencies('shop', { cwd, env: env(cwd) });
  const archive = join(cwd, 'shop/charts/web-1.2.0.tgz');
  assert.deepEqual(brought, [
    { name: 'web', version: '1.2.0', status: 'fetched', archive, from: `${server.url}/charts/web-1.2.0.tgz` },
  ]);
  assert.deepEqual(readdirSync(join(cwd, 'shop/charts')), ['web-1.2.0.tgz']);
  assert(!existsSync(join(cwd, 'drydock.lock')));
  assert.equal((await runInProcess(['template', 'shop'], cwd)).exitCode, 0);
  assert.deepEqual(await vendorDependencies('shop', { cwd, env: env(cwd) }), []);
});

test('the version in Chart.lock is used, and a folder beside the chart is packed', async () => {
  const cwd = project([web, '{name: base, version: 0.1.0, repository: "file://../base"}']);
  write(join(cwd, 'base/Chart.yaml'), 'apiVersion: v2\nname: base\nversion: 0.1.0\n');
  write(join(cwd, 'base/templates/b.yaml'), 'kind: ConfigMap\napiVersion: v1\nmetadata:\n  name: b\n');
  write(join(cwd, 'shop/Chart.lock'), `dependencies:\n- name: web\n  repository: ${server.url}\n  version: 1.0.0\n`);
  const seen = await vendorDependencies('shop', { cwd, env: env(cwd), dryRun: true });
  assert.deepEqual(
    seen.map(({ status }) => status),
    ['wanted', 'wanted'],
  );
  assert(!existsSync(join(cwd, 'shop/charts')));
  const { stdout, exitCode } = await runInProcess(['vendor', 'shop'], cwd, env(cwd));
  assert.equal(exitCode, 0);
  assert.match(
    stdout,
    /^fetched +web 1\.0\.0 +http.*\npacked +base 0\.1\.0 +base\nshop: 2 dependencies in charts\/\n$/,
  );
  assert.match(
    (await runInProcess(['template', 'shop'], cwd)).stdout,
    /# Source: shop\/charts\/base\/templates\/b\.yaml/,
  );
});

// Arguments of `drydock vendor`, its exit code, and its output.
const rows: readonly (readonly [string, readonly string[], number, RegExp])[] = [
  ['shop --check', [web], 1, /^Error: shop: charts\/ lacks web \^1\.0\.0\nRun `drydock vendor shop`\.\n$/],
  ['shop --check --json', [web], 1, /"agrees": false,\n[\s\S]*"names": \[\n +"web \^1\.0\.0"/],
  ['shop --check', [], 0, /^shop: has its dependencies\n$/],
  ['shop', [], 0, /^shop: has its dependencies\n$/],
  ['shop --frozen', [], 2, /^Error: --frozen is for Orders; shop is a chart folder/],
  ['.', [], 1, /^Error: .*Chart\.yaml file is missing\n/],
  ['nothing.yaml', [], 1, /^Error: open nothing\.yaml: no such file or directory\nName the file of an Order/],
  [
    'shop',
    ['{name: web, version: 9.x, repository: "SERVER"}'.replace('SERVER', server.url)],
    1,
    /^Error: .*shop: .*9\.x/,
  ],
  [
    'shop',
    ['{name: base, version: 0.1.0, repository: "file://../base"}'],
    1,
    /shop\/Chart\.yaml: its dependency base should be in .*base, but there is no chart\n/,
  ],
  [
    'shop',
    ['{name: base, version: 0.1.0}'],
    1,
    /shop\/Chart\.yaml: its dependency base has no repository, and charts\/ has no matching version\n/,
  ],
];
for (const [words, dependencies, exitCode, printed] of rows) {
  test(`vendor ${words} of [${dependencies.map((text) => text.replace(server.url, 'URL')).join(', ')}]`, async () => {
    const cwd = project(dependencies);
    const answer = await runInProcess(['vendor', ...words.split(' ')], cwd, env(cwd));
    assert.match(answer.stdout + answer.stderr, printed);
    assert.equal(answer.exitCode, exitCode);
    assert(!existsSync(join(cwd, 'shop/charts')));
  });
}

test('a version out of range is an error, and vendor replaces the archive', async () => {
  const cwd = project([web]);
  write(join(cwd, 'shop/charts/web-2.0.0.tgz'), '');
  writeFileSync(join(cwd, 'shop/charts/web-2.0.0.tgz'), archives.get('2.0.0') as Buffer);
  const checked = await runInProcess(['vendor', 'shop', '--check'], cwd, env(cwd));
  assert.equal(checked.exitCode, 1);
  assert.match(checked.stderr, /shop: charts\/ has web 2\.0\.0, and "\^1\.0\.0" is asked for/);
  assert.equal((await runInProcess(['vendor', 'shop'], cwd, env(cwd))).exitCode, 0);
  assert.deepEqual(readdirSync(join(cwd, 'shop/charts')), ['web-1.2.0.tgz']);
  assert.equal((await runInProcess(['vendor', 'shop', '--check'], cwd, env(cwd))).exitCode, 0);
});

test('an outdated Chart.lock is refused as in Helm, and --update rewrites it', async () => {
  const cwd = project([web]);
  const chart = join(cwd, 'shop/Chart.yaml');
  const lock = join(cwd, 'shop/Chart.lock');
  assert.equal((await runInProcess(['vendor', 'shop', '--update'], cwd, env(cwd))).exitCode, 0);
  const written = readFileSync(lock, 'utf8');
  // Recorded from `helm dependency update` 3.17.3, except for the port.
  assert.match(
    written,
    /^dependencies:\n- name: web\n {2}repository: .*\n {2}version: 1\.2\.0\ndigest: sha256:[0-9a-f]{64}\ngenerated: "/,
  );
  assert.equal((await runInProcess(['vendor', 'shop', '--check'], cwd, env(cwd))).exitCode, 0);
  writeFileSync(chart, readFileSync(chart, 'utf8').replace('^1.0.0', '^2.0.0'));
  const checked = await runInProcess(['vendor', 'shop', '--check'], cwd, env(cwd));
  assert.equal(checked.exitCode, 1);
  assert.match(checked.stderr, /Chart\.lock is out of sync with the dependencies in Chart\.yaml/);
  const built = await runInProcess(['vendor', 'shop'], cwd, env(cwd));
  assert.equal(built.exitCode, 1);
  assert.match(built.stderr, /Run `drydock vendor .*shop --update`/);
  assert.deepEqual(readdirSync(join(cwd, 'shop/charts')), ['web-1.2.0.tgz']);
  assert.equal((await runInProcess(['vendor', 'shop', '--update'], cwd, env(cwd))).exitCode, 0);
  assert.deepEqual(readdirSync(join(cwd, 'shop/charts')), ['web-2.0.0.tgz']);
  assert.match(readFileSync(lock, 'utf8'), /version: 2\.0\.0/);
});

test('an archive that differs from the lock file is an error', async () => {
  const cwd = project([web]);
  await runInProcess(['vendor', 'shop', '--update'], cwd, env(cwd));
  rmSync(join(cwd, 'shop/charts/web-1.2.0.tgz'));
  writeFileSync(join(cwd, 'shop/charts/web-1.0.0.tgz'), archives.get('1.0.0') as Buffer);
  const { stderr } = await runInProcess(['vendor', 'shop', '--check'], cwd, env(cwd));
  assert.match(stderr, /charts\/ has web 1\.0\.0, and the lock file picks 1\.2\.0/);
});

test('errors in requirements.yaml are reported at that file', async () => {
  const cwd = mkdtempSync(join(root, 'project-'));
  write(join(cwd, 'old/Chart.yaml'), 'apiVersion: v1\nname: old\nversion: 1.0.0\n');
  write(
    join(cwd, 'old/requirements.yaml'),
    'dependencies:\n- {name: base, version: 0.1.0, repository: "file://../base"}\n',
  );
  const { stderr } = await runInProcess(['vendor', 'old'], cwd, env(cwd));
  assert.match(stderr, /old\/requirements\.yaml: its dependency base should be in/);
});

test('a file:// URL with an absolute path is that folder, as in Helm', async () => {
  const cwd = project([]);
  write(join(cwd, 'elsewhere/base/Chart.yaml'), 'apiVersion: v2\nname: base\nversion: 0.1.0\n');
  write(
    join(cwd, 'shop/Chart.yaml'),
    `apiVersion: v2\nname: shop\nversion: 1.0.0\ndependencies:\n- {name: base, version: 0.1.0, repository: "file://${join(cwd, 'elsewhere/base')}"}\n`,
  );
  assert.equal((await runInProcess(['vendor', 'shop'], cwd, env(cwd))).exitCode, 0);
  assert.deepEqual(readdirSync(join(cwd, 'shop/charts')), ['base-0.1.0.tgz']);
});

test("doctor and vendor look for Helm's files in the same places", async () => {
  const cwd = mkdtempSync(join(root, 'home-'));
  const places = { HOME: cwd, XDG_CACHE_HOME: join(cwd, 'xdg'), HELM_CONTENT_CACHE: join(cwd, 'content') };
  const home = helmHome(places);
  assert.equal(home.repositoryCache, join(cwd, 'xdg/helm/repository'));
  assert.equal(home.contentCache, join(cwd, 'content'));
  mkdirSync(home.repositoryCache, { recursive: true });
  const { findings } = JSON.parse((await runInProcess(['doctor', '--json'], cwd, places)).stdout);
  const [cache] = findings.filter(({ name }: { name: string }) => name === "Helm's cache");
  assert.equal(cache.found, home.repositoryCache);
  assert.equal(cache.status, 'ok');
  assert.match(cache.allows, /`vendor`/);
});
