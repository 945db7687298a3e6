// The dependencies of chart folders: the files and output of `drydock vendor CHART`, and what it leaves unchanged.

import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type VendorOptions, vendorInputs } from '../../../../render/vendor.node.ts';
import { chartIn, chartYaml, createProject, type Project } from '../../../support/project.ts';
import { serveWeb } from './server.ts';

const server = await serveWeb();

interface Shop extends Project {
  /** Runs a command line, and checks its exit code and its output. */
  readonly expect: (line: string, exitCode: number, output?: RegExp) => Promise<string>;
  /** Returns the names of the files in charts/. */
  readonly charts: () => readonly string[];
  readonly options: { readonly cwd: string; readonly env: Readonly<Record<string, string>> };
}

async function bring(options: VendorOptions) {
  const { dependencies } = await vendorInputs({ orders: [], folders: ['shop'] }, options);
  return dependencies.flatMap(({ brought }) => brought);
}

const map = 'kind: ConfigMap\napiVersion: v1\nmetadata:\n  name: a\n';

/** Creates a chart folder `shop` with these dependencies, and other files beside it. */
function createShop(dependencies: readonly string[], files: Readonly<Record<string, string>> = {}): Shop {
  const chart = chartYaml('shop', `dependencies: [${dependencies.join(', ')}]\n`);
  const project = createProject({ ...chartIn('shop', { 'Chart.yaml': chart, 'templates/a.yaml': map }), ...files });
  const { folder, run } = project;
  const env = { HOME: folder };
  return {
    ...project,
    options: { cwd: folder, env },
    charts: () => (existsSync(join(folder, 'shop/charts')) ? readdirSync(join(folder, 'shop/charts')) : []),
    expect: async (line, exitCode, output = /^/) => {
      const answer = await run(line.split(' '), { env });
      assert.equal(answer.exitCode, exitCode, answer.stderr);
      assert.match(answer.stdout + answer.stderr, output);
      return answer.stdout;
    },
  };
}

const web = `{name: web, version: ^1.0.0, repository: "${server.url}"}`;
const base = '{name: base, version: 0.1.0, repository: "file://../base"}';
const baseIn = (folder: string) =>
  chartIn(folder, { 'Chart.yaml': chartYaml('base', '', '0.1.0'), 'templates/b.yaml': map });

test('a missing dependency is downloaded once, in the newest matching version, and the chart renders', async () => {
  const { folder, options, charts, expect } = createShop([web, web.replace('web,', 'web, alias: two,')]);
  await expect('template shop', 1);
  const archive = join(folder, 'shop/charts/web-1.2.0.tgz');
  assert.deepEqual(await bring(options), [
    { name: 'web', version: '1.2.0', status: 'fetched', archive, from: `${server.url}/charts/web-1.2.0.tgz` },
  ]);
  assert.deepEqual(charts(), ['web-1.2.0.tgz']);
  assert(!existsSync(join(folder, 'drydock.lock')));
  await expect('template shop', 0);
  assert.deepEqual(await bring(options), []);
});

test('the version in Chart.lock is used, and a folder beside the chart is packed', async () => {
  const lock = `dependencies:\n- name: web\n  repository: ${server.url}\n  version: 1.0.0\n`;
  const { options, charts, expect } = createShop([web, base], { ...baseIn('base'), 'shop/Chart.lock': lock });
  const seen = await bring({ ...options, dryRun: true });
  assert.deepEqual(
    seen.map(({ status }) => status),
    ['wanted', 'wanted'],
  );
  assert.deepEqual(charts(), []);
  const output = /^fetched +web 1\.0\.0 +http.*\npacked +base 0\.1\.0 +base\nshop: 2 dependencies in charts\/\n$/;
  assert.match(await expect('vendor shop', 0), output);
  await expect('template shop', 0, /# Source: shop\/charts\/base\/templates\/b\.yaml/);
});

// Arguments of `drydock vendor`, its exit code, and its output.
const rows: readonly (readonly [string, readonly string[], number, RegExp])[] = [
  [
    'shop --check',
    [web],
    1,
    /^Error: shop: charts\/ lacks web \^1\.0\.0\nRun `drydock vendor shop`, or with --update if its lock file is out of sync\.\n$/,
  ],
  ['shop --check --json', [web], 1, /"agrees": false,\n[\s\S]*"faults": \[\n +"charts\/ lacks web \^1\.0\.0"/],
  ['shop --check', [], 0, /^shop: has its dependencies\n$/],
  ['shop --frozen', [], 2, /^Error: --frozen is for Orders; shop is a chart folder/],
  ['shop', [web.replace('^1.0.0', '9.x')], 1, /^Error: .*shop: .*9\.x/],
  ['shop', [base], 1, /shop\/Chart\.yaml: its dependency base should be in .*base, but there is no chart\n/],
  [
    'shop',
    ['{name: base, version: 0.1.0}'],
    1,
    /shop\/Chart\.yaml: its dependency base has no repository, and charts\/ has no matching version\n/,
  ],
];
for (const [words, dependencies, exitCode, output] of rows) {
  test(`vendor ${words} of [${dependencies.map((text) => text.replace(server.url, 'URL')).join(', ')}]`, async () => {
    const { charts, expect } = createShop(dependencies);
    await expect(`vendor ${words}`, exitCode, output);
    assert.deepEqual(charts(), []);
  });
}

test('--check reports every chart folder, even if one cannot be read', async () => {
  const { expect } = createShop([web], { 'broken/Chart.yaml': 'name: [' });
  const broken = 'Error: broken: cannot be read: cannot load Chart\\.yaml: .*\n.*\n';
  await expect('vendor broken shop --check', 1, new RegExp(`^${broken}Error: shop: charts/ lacks web `));
});

test('an outdated Chart.lock is refused as in Helm, and --update rewrites it', async () => {
  const { charts, edit, expect, read } = createShop([web]);
  await expect('vendor shop --update', 0);
  // Recorded from `helm dependency update` 3.17.3, except for the port.
  assert.match(
    read('shop/Chart.lock'),
    /^dependencies:\n- name: web\n {2}repository: .*\n {2}version: 1\.2\.0\ndigest: sha256:[0-9a-f]{64}\ngenerated: "/,
  );
  await expect('vendor shop --check', 0);
  edit('shop/Chart.yaml', '^1.0.0', '^2.0.0');
  await expect('vendor shop --check', 1, /Chart\.lock is out of sync with the dependencies in Chart\.yaml/);
  await expect('vendor shop', 1, /Run `drydock vendor .*shop --update`/);
  assert.deepEqual(charts(), ['web-1.2.0.tgz']);
  await expect('vendor shop --update', 0);
  assert.deepEqual(charts(), ['web-2.0.0.tgz']);
  assert.match(read('shop/Chart.lock'), /version: 2\.0\.0/);
});

test('one chart in two versions under two names', async () => {
  const both = ['web-1.2.0.tgz', 'web-2.0.0.tgz'];
  const two = web.replace('web, version: ^1', 'web, alias: two, version: ^2');
  const { charts, expect, read, remove } = createShop([web, two]);
  await expect('vendor shop --update', 0);
  assert.deepEqual(charts(), both);
  assert.deepEqual(read('shop/Chart.lock').match(/version: .*/g), ['version: 1.2.0', 'version: 2.0.0']);
  // Bringing one does not remove the other.
  remove('shop/charts/web-2.0.0.tgz');
  await expect('vendor shop', 0, /fetched +web 2\.0\.0/);
  assert.deepEqual(charts(), both);
});

test('folders with one chart in two versions are both packed', async () => {
  const newer = chartIn('new', { 'Chart.yaml': chartYaml('base', '', '0.2.0') });
  const two = '{name: base, alias: two, version: 0.2.0, repository: "file://../new"}';
  const { charts, expect } = createShop([base, two], { ...baseIn('base'), ...newer });
  await expect('template shop --dependency-update', 0, /Source: shop\/charts\/base\/templates\/b\.yaml/);
  assert.deepEqual(charts(), ['base-0.1.0.tgz', 'base-0.2.0.tgz']);
});

test('a file:// URL with an absolute path is that folder, as in Helm', async () => {
  const { charts, edit, expect, folder } = createShop([base], baseIn('elsewhere/base'));
  edit('shop/Chart.yaml', '../base', join(folder, 'elsewhere/base'));
  await expect('vendor shop', 0);
  assert.deepEqual(charts(), ['base-0.1.0.tgz']);
});
