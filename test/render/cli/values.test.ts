// `drydock values` and `drydock images` as a user runs them.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { runInProcess } from '../../support/cli.ts';
import { createProject } from '../../support/project.ts';

const fixtures = join(import.meta.dirname, '../../../fixtures');
const { folder, write } = createProject({
  'prod.yaml': 'replicaCount: 3\nimage:\n  tag: "9"\n  pullPolicy: IfNotPresent\nwrong:\n  name: 1\n',
});
const given = join(folder, 'prod.yaml');
const run = (...argv: string[]) => runInProcess(argv, fixtures);
const order = ['orders/shop.yaml', '--charts', 'charts'];

test('values: the merged values as YAML, which render the same', async () => {
  const { stdout } = await run('values', 'charts/web', '-f', given);
  write({ 'merged.yaml': stdout });
  const merged = await run('template', 'charts/web', '-f', join(folder, 'merged.yaml'));
  assert.equal(merged.stdout, (await run('template', 'charts/web', '-f', given)).stdout);
});

test('values: where each value of a path was set', async () => {
  const { stdout } = await run('values', 'charts/web', 'image', '-f', given, '--set', 'image.tag=10', '--origin');
  assert.equal(
    stdout,
    `image:
  pullPolicy: IfNotPresent # ${given}:4
  pullSecrets: [] # charts/web/values.yaml:9
  registry: registry.example.com # charts/web/values.yaml:5
  repository: shop/web # charts/web/values.yaml:6
  tag: 10 # --set image.tag=10
`,
  );
});

test('values: differences from the defaults, and values that nothing reads', async () => {
  const changed = await run('values', 'charts/web', '-f', given, '--defaults-changed');
  assert.equal(changed.stdout, 'image:\n  tag: "9"\nreplicaCount: 3\nwrong:\n  name: 1\n');
  const unused = await run('values', 'charts/web', '-f', given, '--unused');
  assert.equal(unused.stdout, 'wrong:\n  name: 1\n');
  assert.equal((await run('values', 'charts/web', '--unused')).stdout, '{}\n');
});

test('values: of an Order, package by package', async () => {
  const { stdout } = await run('values', ...order, '--defaults-changed', '--origin');
  assert.match(stdout, /^# package backend\nauth:\n {2}database: shop # orders\/shop\.yaml:17\n/);
  assert.match(stdout, /^# package web\n/m);
  const json = JSON.parse((await run('values', ...order, '--json')).stdout);
  assert.deepEqual(
    json.map((one: { package: string }) => one.package),
    ['backend', 'web'],
  );
});

test('images: of an Order and of a chart, as text, JSON and a bill of materials', async () => {
  const text = await run('images', ...order);
  assert.match(
    text.stdout,
    /^registry\.example\.com\/shop\/web:2\.2\.0\n {2}in package web, Deployment\/web spec\.template/m,
  );
  const [first] = JSON.parse((await run('images', 'charts/web', '--json')).stdout);
  assert.deepEqual(
    [first.repository, first.tag, first.when],
    ['registry.example.com/shop/web', '2.1.0', { values: {} }],
  );
  const bill = JSON.parse((await run('images', ...order, '--format', 'cyclonedx')).stdout);
  assert.deepEqual(
    [bill.bomFormat, bill.specVersion, bill.components[0]],
    [
      'CycloneDX',
      '1.6',
      {
        type: 'container',
        'bom-ref': 'registry.example.com/library/postgres:17.2',
        name: 'registry.example.com/library/postgres',
        version: '17.2',
        purl: 'pkg:oci/postgres?repository_url=registry.example.com%2Flibrary%2Fpostgres&tag=17.2',
      },
    ],
  );
});

test('unreadable input is an error, and an invalid command line is refused', async () => {
  assert.equal((await run('values', 'orders/invalid/nothing.yaml')).exitCode, 1);
  assert.equal((await run('values')).exitCode, 2);
  assert.equal((await run('images', 'a', 'b')).exitCode, 2);
  assert.equal((await run('images', 'charts/web', '--format', 'xml')).exitCode, 2);
});
