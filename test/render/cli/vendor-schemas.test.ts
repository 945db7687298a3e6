// Schemas that a values.schema.json refers to by URL: `vendor` pins them, and every command that renders uses them offline.

import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { createEmulator } from '../../../emulator/emulator.ts';
import { openBundle, readOrder, renderOrder } from '../../../render/index.ts';
import { as } from '../../support/emulator.ts';
import { chartIn, createProject } from '../../support/project.ts';
import { serve } from '../vendor/fetch/server.ts';

const project = createProject();
const { folder: root, read, write } = project;
const run = (...argv: readonly string[]) => project.run(argv, { env: { TZ: 'UTC', CI: 'false' } });
const documents = new Map<string, string>();
const { url: base, seen } = await serve(({ url = '' }, response) => {
  const text = documents.get(url);
  response.writeHead(url === '/moved.json' ? 302 : text === undefined ? 404 : 200, { location: '/size.json' });
  response.end(text);
});

before(() => {
  documents.set('/values.json', `{"type": "object", "properties": {"size": {"$ref": "moved.json#/definitions/size"}}}`);
  documents.set('/size.json', '{"definitions": {"size": {"type": "integer"}}}');
  write({
    'package.json': '{}',
    'elsewhere/.keep': '',
    ...chartIn('charts/web', {
      'values.yaml': 'size: 1\n',
      'values.schema.json': `{"$ref": "${base}/values.json"}`,
      'templates/a.yaml':
        'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\ndata: {size: {{ .Values.size | quote }}}\n',
      'tests/a_test.yaml':
        'suite: a\ntests:\n  - it: renders\n    asserts:\n      - equal: {path: data.size, value: "1"}\n',
    }),
    'order.yaml':
      'kind: Order\nspec:\n  packages:\n    - chart: {name: web, sourceRef: {kind: Local, name: charts/web}, releaseName: web, namespace: web}\n',
  });
});

test('without the schema a chart is refused with both solutions, and vendor --check reports what is missing', async () => {
  for (const helm of ['3.17.3', '4']) {
    const { exitCode, stderr } = await run('snapshot', 'charts/web', '--helm', helm, '--no-cache');
    assert.equal(exitCode, 1);
    assert.match(stderr, /schemas are not fetched[\s\S]*drydock vendor[\s\S]*skipSchemaValidation/);
  }
  assert.deepEqual(seen, []);
  const { exitCode, stderr } = await run('vendor', 'charts/web', '--check');
  assert.equal(exitCode, 1);
  assert.equal(
    stderr,
    `Error: charts/web: the schema ${base}/values.json is not in drydock.lock\nRun \`drydock vendor\` with these Orders and charts.\n`,
  );
});

test('vendor pins a schema and those that it refers to, and all commands use them offline, for both Helm versions', async () => {
  const { exitCode, stdout, stderr } = await run('vendor', 'charts/web');
  assert.deepEqual([exitCode, stderr], [0, '']);
  assert.equal(
    stdout,
    `charts/web: has its dependencies\nfetched  schema ${base}/moved.json\nfetched  schema ${base}/values.json\n`,
  );
  assert.match(
    read('drydock.lock'),
    /schemas:\n {2}- url: http:.*moved\.json\n {4}file: schemas\/127\.0\.0\.1\/moved-[0-9a-f]{12}\.json\n {4}digest: sha256:/,
  );
  seen.length = 0;
  assert.equal((await run('vendor', 'charts/web', 'order.yaml', '--check')).exitCode, 0);
  for (const argv of [
    ['snapshot', 'charts/web', 'order.yaml', '--update'],
    ['render', 'order.yaml'],
    ['check', 'order.yaml'],
    ['unittest', 'charts/web'],
    ['coverage', 'charts/web'],
    ['template', 'web', 'charts/web'],
    ['explain', 'charts/web', 'ConfigMap/web'],
    ['diff', 'charts/web', 'charts/web', '--helm', '4'],
  ]) {
    const found = await run(...argv);
    assert.equal(found.exitCode, 0, `${argv.join(' ')}\n${found.stdout}${found.stderr}`);
  }
  for (const helm of ['3.17.3', '4']) {
    const wrong = await run('template', 'web', 'charts/web', '--set', 'size=large', '--helm', helm);
    assert.match(
      wrong.stderr,
      helm === '3.17.3'
        ? /size: Invalid type\. Expected: integer, given: string/
        : /at '\/size': got string, want integer/,
    );
  }
  assert.deepEqual(seen, []);
});

test('a bundle contains the schemas that it needs, for the command, the library and the emulator', async () => {
  seen.length = 0;
  const bundled = await run('bundle', 'order.yaml', '--output', 'elsewhere/order.tgz');
  assert.equal(bundled.exitCode, 0, bundled.stderr);
  const bytes = new Uint8Array(readFileSync(join(root, 'elsewhere/order.tgz')));
  const alone = createProject({ 'order.tgz': bytes });
  for (const helm of ['3.17.3', '4']) {
    const rendered = await alone.run(['render', 'order.tgz', '--helm', helm]);
    assert.equal(rendered.exitCode, 0, rendered.stderr);
  }
  const { order, registry, schemas } = openBundle(bytes);
  const { value } = readOrder(order, 'order.yaml');
  assert.match((await renderOrder(value, { registry, schemas })).manifest(), /size: "1"/);
  await assert.rejects(renderOrder(value, { registry }), {
    code: 'VALUES_INVALID',
    message: /schemas are not fetched/,
  });

  const anyone = as(createEmulator());
  await anyone('POST', '//__drydock/files', {
    files: [{ path: 'order.tgz', data: Buffer.from(bytes).toString('base64') }],
  });
  await assertPreviews(anyone, order);
  assert.deepEqual(seen, []);
});

async function assertPreviews(anyone: ReturnType<typeof as>, order: string): Promise<void> {
  const preview = async (text: string): Promise<string> =>
    JSON.stringify((await anyone('POST', '//__drydock/preview', { order: text })).json());
  assert.match(await preview(order), /size: \\"1\\"/);
  const wrong = order.replace('namespace: web}', 'namespace: web, values: {size: large}}');
  assert.match(await preview(wrong), /at '\/size': got string, want integer/);
}

test('a changed schema is refused and noticed by the cache; --update accepts the new one, --prune removes unused ones', async () => {
  const names = readdirSync(join(root, 'charts/schemas/127.0.0.1'));
  const file = `charts/schemas/127.0.0.1/${names.find((name) => name.startsWith('moved'))}`;
  const text = read(file);
  write({ [file]: '{"definitions": {"size": {"type": "string"}}}' });
  assert.match((await run('vendor', 'charts/web', '--check')).stderr, /has a digest that differs from drydock\.lock/);
  assert.match((await run('render', 'order.yaml')).stderr, /is not the file that drydock\.lock pins/);
  write({ [file]: text });
  documents.set('/size.json', '{"definitions": {"size": {"type": "string"}}}');
  assert.equal((await run('vendor', 'charts/web')).exitCode, 0);
  assert.equal((await run('snapshot', 'charts/web')).exitCode, 0);
  const updated = await run('vendor', 'order.yaml', '--update');
  assert.equal(updated.exitCode, 0, updated.stderr);
  const { exitCode, stderr } = await run('snapshot', 'charts/web');
  assert.deepEqual([exitCode, /got number, want string/.test(stderr)], [1, true], stderr);
  write({ 'charts/web/values.schema.json': '{}' });
  const frozen = await run('vendor', 'order.yaml', '--prune', '--frozen');
  assert.match(frozen.stderr, /drydock\.lock has the schema .*moved\.json, which nothing needs/);
  assert.ok(existsSync(join(root, file)));
  assert.match((await run('vendor', 'order.yaml', '--prune')).stdout, /removed {2}schema .*moved\.json/);
  assert.ok(!existsSync(join(root, file)));
});

test('a failed download leaves lock and folder unchanged', async () => {
  write({
    'charts/web/values.schema.json': `{"allOf": [{"$ref": "${base}/size.json"}, {"$ref": "${base}/nothing.json"}]}`,
  });
  const lock = read('drydock.lock');
  const { exitCode, stderr } = await run('vendor', 'charts/web');
  assert.equal(exitCode, 1);
  assert.match(stderr, /Error: charts\/web: .*nothing\.json.*404|Error: charts\/web: .*nothing\.json/);
  assert.equal(read('drydock.lock'), lock);
  assert.match((await run('vendor', 'order.yaml', '--frozen')).stderr, /is not in .*drydock\.lock/);
});
