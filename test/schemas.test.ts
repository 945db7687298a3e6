// The published JSON Schemas: each is valid, has descriptions, and accepts the files that drydock accepts.

import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { readFolder } from '../emulator/fixture-folder.node.ts';
import { validatorOptions } from '../emulator/store/validator-options.ts';
import { buildModel } from '../render/scripts/build-model.ts';
import { jsonSchemas, schemaCatalog } from '../scripts/build/generate/schemas.ts';
import { listOrders, loadOrder, ordersDirectory, renderSample } from './support/orders.ts';

const seed = fileURLToPath(new URL('../fixtures/seed', import.meta.url));
const schemas = await jsonSchemas();
const folder = await mkdtemp(join(tmpdir(), 'drydock-schemas-'));
after(() => rm(folder, { recursive: true, force: true }));

const ajv = new Ajv2020(validatorOptions);

function accepts(name: string, value: unknown): boolean {
  const schema = schemas.get(name);
  assert.ok(schema, name);
  return ajv.validate(schema, value);
}

test('every schema is valid, with an id and a title', () => {
  for (const [name, schema] of schemas) {
    assert.ok(ajv.validateSchema(schema), `${name}: ${ajv.errorsText()}`);
    assert.equal(schema.$id, `urn:drydock:schema:${name}`);
    assert.equal(typeof schema.title, 'string', name);
  }
});

test('the catalog names existing schemas, for the files that drydock reads', () => {
  for (const { url } of schemaCatalog.schemas)
    assert.ok(schemas.has(/([a-z]+)\.schema\.json$/.exec(url)?.[1] ?? ''), url);
  const files = schemaCatalog.schemas.flatMap(({ fileMatch }) => fileMatch);
  assert.equal(files.at(-1), 'drydock.config.json');
  assert.ok(accepts('config', { charts: ['charts'], snapshot: { inputs: ['charts/*'] } }));
  assert.equal(accepts('config', { chart: [] }), false);
});

test('they accept the files that ship with drydock', async () => {
  for (const name of listOrders()) assert.ok(accepts('order', loadOrder(name)), ajv.errorsText());
  for (const file of (await readdir(seed)).filter((name) => schemas.has(`fixtures/${name.replace('.json', '')}`))) {
    const rows = JSON.parse(await readFile(join(seed, file), 'utf8')) as unknown;
    assert.ok(accepts(`fixtures/${file.replace('.json', '')}`, rows), `${file}: ${ajv.errorsText()}`);
  }
});

test('the input of script templates matches its schema', async () => {
  for (const name of listOrders()) {
    const rendered = await renderSample(loadOrder(name));
    for (const [tool, secrets] of [
      ['helm', 'keep'],
      ['kubectl', 'keep'],
      ['kubectl', 'env'],
    ] as const)
      assert.ok(accepts('script', buildModel(rendered, tool, { secrets })), `${name}: ${ajv.errorsText()}`);
  }
  const { properties, $defs } = schemas.get('script') as { properties: object; $defs: Record<string, unknown> };
  assert.ok('packages' in properties && 'HookModel' in $defs);
  assert.equal(accepts('script', {}), false);
});

test('a file may name its schema, and what the schema rejects is rejected', async () => {
  const settings = { $schema: 'settings.schema.json', seed: 'a' };
  const scenarios = { $schema: 'x', bad: { description: 'All fails', faults: [{ status: 503 }] } };
  await writeFile(join(folder, 'settings.json'), JSON.stringify(settings));
  await writeFile(join(folder, 'scenarios.json'), JSON.stringify(scenarios));
  const read = await readFolder(folder);
  assert.deepEqual(read.settings, { seed: 'a' });
  assert.deepEqual(Object.keys(read.scenarios), ['bad']);
  assert.ok(accepts('settings', settings) && accepts('scenarios', scenarios));
  assert.equal(accepts('settings', { sed: 'a' }), false);
  assert.equal(accepts('scenarios', { bad: { faults: [] } }), false);
});

test('the sample Orders name their schema', async () => {
  for (const name of listOrders().filter((file) => file.endsWith('.yaml'))) {
    const text = await readFile(join(ordersDirectory, name), 'utf8');
    assert.match(text, /^# yaml-language-server: \$schema=\.\.\/\.\.\/dist\/schemas\/order\.schema\.json$/m, name);
  }
});
