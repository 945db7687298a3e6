// Requests for other addresses: forwarded to another server, recorded, and replayed.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { Recording } from '../../emulator/app/recordings.ts';
import { defineRoute } from '../../emulator/define.ts';
import { createEmulator } from '../../emulator/emulator.ts';
import { readFolder } from '../../emulator/fixture-folder.node.ts';
import { proxyTo, startServer } from '../../emulator/server.node.ts';
import { listen, type Running } from '../support/loopback.ts';
import { createProject } from '../support/project.ts';

let other: Running;
let url: string;
const requests: string[] = [];

before(async () => {
  const server = createServer(async (request, response) => {
    requests.push(`${request.method} ${request.url} ${request.headers.authorization ?? '-'} ${await text(request)}`);
    if (request.url === '/base/api/v1/repos?x=1') {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Set-Cookie': 'secret=1', 'X-Own': 'yes' });
      response.end('[{"name":"drydock"}]');
    } else if (request.url === '/base/logo.bin') {
      response.writeHead(200, { 'Content-Type': 'application/octet-stream', 'Content-Encoding': 'gzip' });
      response.end(gzipSync('logo'));
    } else if (request.url === '/base/number') {
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"id":9007199254740993}');
    } else if (request.url === '/base/page') {
      const isKnown = request.headers['if-none-match'] === '"1"';
      const isPacked = request.headers['accept-encoding']?.includes('gzip') === true;
      response.writeHead(isKnown ? 304 : 200, isPacked ? { 'Content-Encoding': 'gzip' } : {});
      response.end(isKnown ? '' : isPacked ? gzipSync('page') : 'page');
    } else if (request.url === '/base/headers') response.end(JSON.stringify(request.headersDistinct));
    else response.writeHead(204).end();
  });
  other = await listen(server);
  url = `http://${other.host}/base`;
});
after(() => other.stop());

test('other requests are forwarded with body, token and encoding, and the responses are recorded', async () => {
  const { folder } = createProject({ 'users.json': '[{"login":"zoe"}]' });
  const server = await startServer({}, { fixturesFolder: folder, proxy: url, record: folder });
  const repos = await fetch(`${server.url}/api/v1/repos?x=1`, { headers: { Authorization: 'token t' } });
  assert.deepEqual([await repos.json(), repos.headers.get('x-own')], [[{ name: 'drydock' }], 'yes']);
  assert.equal(await (await fetch(`${server.url}/@blue/logo.bin`)).text(), 'logo');
  assert.equal((await fetch(`${server.url}/hook`, { method: 'POST', body: 'sent' })).status, 204);
  assert.deepEqual(requests, [
    'GET /base/api/v1/repos?x=1 token t ',
    'GET /base/logo.bin - ',
    'POST /base/hook - sent',
  ]);
  assert.equal((await fetch(`${server.url}/api/v1/version`)).status, 200);
  assert.equal((await fetch(`${server.url}/__drydock/nowhere`)).status, 404);
  assert.equal(requests.length, 3);
  await server.close();

  const { recordings } = await readFolder(folder);
  assert.equal(recordings.length, 3);
  assert.ok(!(await readFile(join(folder, 'recorded.json'), 'utf8')).includes('secret'));
  const replayed = createEmulator({ recordings });
  const again = await replayed.fetch('/api/v1/repos?x=1');
  assert.deepEqual([await again.json(), again.headers.get('x-own')], [[{ name: 'drydock' }], 'yes']);
  assert.equal((await replayed.fetch('/api/v1/repos?x=2')).status, 404);
  // A recording belongs to the body of its request.
  assert.equal((await replayed.fetch('/hook', { method: 'POST', body: 'sent' })).status, 204);
  assert.equal((await replayed.fetch('/hook', { method: 'POST', body: 'other' })).status, 404);
  const onPort = await startServer(replayed);
  assert.equal(await (await fetch(`${onPort.url}/logo.bin`)).text(), 'logo');
  assert.equal((await fetch(`${onPort.url}/hook`, { method: 'POST', body: 'sent' })).status, 204);
  await onPort.close();
});

test('a preflight for another address allows every method', async () => {
  const headers = { Origin: 'http://localhost:3000', 'Access-Control-Request-Method': 'PUT' };
  const answer = await createEmulator({ elsewhere: proxyTo(url) }).fetch('/hook', { method: 'OPTIONS', headers });
  assert.match(answer.headers.get('access-control-allow-methods') ?? '', /\bPUT, PATCH, DELETE\b/);
});

test('a recording is whole and not compressed, whatever the client accepts', async () => {
  const { folder } = createProject({ 'users.json': '[{"login":"zoe"}]' });
  const server = await startServer({}, { fixturesFolder: folder, proxy: url, record: folder });
  assert.equal(await (await fetch(`${server.url}/page`)).text(), 'page');
  assert.equal((await fetch(`${server.url}/page`, { headers: { 'If-None-Match': '"1"' } })).status, 304);
  await server.close();
  const { recordings } = await readFolder(folder);
  assert.deepEqual(recordings, [{ method: 'GET', path: '/page', status: 200, headers: {}, text: 'page' }]);
});

test('a recording keeps the digits of numbers', async () => {
  const recordings: Recording[] = [];
  const elsewhere = proxyTo(url, { onAnswer: (recording) => void recordings.push(recording) });
  await createEmulator({ elsewhere }).fetch('/number');
  assert.equal(await (await createEmulator({ recordings }).fetch('/number')).text(), '{"id":9007199254740993}');
});

test('a header that is sent twice is forwarded twice', async () => {
  const answer = await proxyTo(url)(
    {
      ...{ method: 'GET', origin: 'http://localhost', target: '/headers' },
      header: () => undefined,
      headers: () => ['X-Tag', 'one', 'X-Tag', 'two'],
      body: async () => new Uint8Array(),
    },
    '/headers',
  );
  assert.deepEqual(JSON.parse(String(answer.text?.content))['x-tag'], ['one', 'two']);
});

test('an unreachable server is 502, unless there is a recording', async () => {
  const recordings: readonly Recording[] = [{ method: 'GET', path: '/a', status: 200, text: 'kept' }];
  const elsewhere = proxyTo('http://127.0.0.1:1');
  const answer = await createEmulator({ elsewhere }).fetch('/a');
  assert.equal(answer.status, 502);
  assert.match(await answer.text(), /127\.0\.0\.1:1 did not answer/);
  assert.equal(await (await createEmulator({ elsewhere, recordings }).fetch('/a')).text(), 'kept');
});

test('a body is left out where the status has none', async () => {
  const recordings = [204, 205, 304].map((status) => ({ method: 'GET', path: `/${status}`, status, json: {} }));
  const emulator = createEmulator({ recordings });
  for (const { path, status } of recordings) {
    const answer = await emulator.fetch(path);
    assert.deepEqual([answer.status, await answer.text()], [status, '']);
  }
});

test("headers replace the emulator's case-insensitively, and each is sent once", async () => {
  const headers = { 'content-type': 'application/problem+json', 'cache-control': 'no-store', 'content-length': '1' };
  const recordings = [{ method: 'GET', path: '/odd', status: 200, headers, json: { a: 1 } }];
  const route = defineRoute({
    ...{ name: 'getPatch', method: 'GET', path: '/patch' },
    run: () => ({ status: 200, headers: { 'content-type': 'application/merge-patch+json', etag: '1' }, json: {} }),
  });
  const server = await startServer({ recordings, routes: [route] });
  const token = server.emulator.users()[0]?.token;
  server.emulator.fault({ route: 'getVersion', headers: { 'cache-control': 'max-age=9', 'content-type': 'text/odd' } });
  try {
    server.emulator.fault({ headers: { 'x-total-count': '7', ETag: '2' } });
    const headersOf = async (path: string, ...names: readonly string[]): Promise<unknown> => {
      const response = await fetch(server.url + path, { headers: { Authorization: `token ${token}` } });
      return ['content-type', ...names].map((name) => response.headers.get(name));
    };
    assert.deepEqual(await headersOf('/odd', 'cache-control'), ['application/problem+json', 'no-store']);
    assert.deepEqual(await headersOf('/api/v1/version', 'cache-control'), ['text/odd', 'max-age=9']);
    const patch = await headersOf('/api/v1/patch', 'etag');
    assert.deepEqual(patch, ['application/merge-patch+json', '2']);
    const followers = await headersOf('/api/v1/user/followers', 'x-total-count');
    assert.deepEqual(followers, ['application/json;charset=utf-8', '7']);
  } finally {
    await server.close();
  }
});
