import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { createClient } from '../../emulator/client.ts';
import { openApiDocument } from '../../emulator/index.ts';
import { type EmulatorServer, startServer } from '../../emulator/server.node.ts';
import type { Json, JsonObject } from '../../emulator/store/json.ts';

const operations = (document: Readonly<Record<string, unknown>>): readonly JsonObject[] =>
  Object.values(document.paths as Readonly<Record<string, Readonly<Record<string, JsonObject>>>>).flatMap(
    Object.values,
  );

describe('the document', () => {
  test('has examples from the seed, which are real responses and match their schemas', async () => {
    const document = await openApiDocument({ url: 'https://platform.example.com' });
    const text = JSON.stringify(document);
    assert.match(text, /"example":\{"id":1,"login":"ada"/);
    assert.match(text, /https:\/\/platform\.example\.com\/avatars\/ada/);
    assert.doesNotMatch(text, /127\.0\.0\.1:4010/);
    const known = operations(document).filter((operation) => JSON.stringify(operation).includes('"example"'));
    assert.ok(known.length >= 16, `${known.length} operations with an example`);
  });

  test('describes its tags, and sessions with their CSRF token', async () => {
    const document = await openApiDocument();
    for (const { name, description } of document.tags as readonly Readonly<Record<string, string>>[])
      assert.notEqual(description, `${name}.`);
    const byName = new Map(
      operations(document).map((operation) => [operation.operationId as string, operation.security as Json]),
    );
    assert.match(JSON.stringify(byName.get('addEmails')), /\{"session":\[\],"csrf":\[\]\}/);
    assert.match(JSON.stringify(byName.get('listEmails')), /\{"session":\[\]\}/);
    assert.doesNotMatch(JSON.stringify(byName.get('listTokens')), /session/);
  });

  test('allows any object as the values of a chart', async () => {
    const { schemas } = (await openApiDocument()).components as {
      readonly schemas: Readonly<Record<string, JsonObject>>;
    };
    const properties = schemas.ChartSelection?.properties as Readonly<Record<string, JsonObject>> | undefined;
    assert.equal(properties?.values?.additionalProperties, true);
  });

  test("is the source of the client's types: npm run generate -- client", async () => {
    const types = await readFile('emulator/core/api-types.generated.ts', 'utf8');
    const document = await openApiDocument({ hosted: true });
    for (const { operationId } of operations(document))
      assert.match(types, new RegExp(`^ {4}${String(operationId)}: \\{`, 'm'));
    for (const path of Object.keys(document.paths as object)) assert.ok(types.includes(`    "${path}": {`), path);
    const { schemas } = document.components as { readonly schemas: object };
    for (const name of Object.keys(schemas)) assert.match(types, new RegExp(`^ {8}${name}: `, 'm'));
  });
});

describe('a client', () => {
  let server: EmulatorServer;
  before(async () => {
    server = await startServer();
  });
  after(() => server.close());

  test('sends a token, with the types of the document', async () => {
    const api = createClient({ baseUrl: `${server.url}/`, token: server.emulator.users()[0]?.token ?? '' });
    const { data } = await api.GET('/user/clusters', { params: { query: { all: 'true' } } });
    assert.equal(data?.[0]?.status.phase, 'Active');
    const { error, response } = await api.POST('/user/emails', { body: { emails: ['nonsense'] } });
    assert.equal(response.status, 422);
    assert.ok(error && 'message' in error);
  });

  test('works with the session of a page, and sends its CSRF token with every change', async () => {
    const sent: Request[] = [];
    Object.assign(globalThis, { document: { cookie: 'a=b; _csrf=secret' } });
    try {
      const api = createClient({
        baseUrl: server.url,
        fetch: async (request) => {
          sent.push(request);
          return new Response('[]');
        },
      });
      await api.GET('/user/emails');
      await api.DELETE('/user/emails', { body: { emails: [] } });
    } finally {
      Reflect.deleteProperty(globalThis, 'document');
    }
    const headers = sent.flatMap((one) => ['x-csrf-token', 'authorization'].map((name) => one.headers.get(name)));
    assert.deepEqual(headers, [null, null, 'secret', null]);
  });
});
