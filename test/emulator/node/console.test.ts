// The console on a server: the location of its page, how its files are sent, and when it is absent.

import assert from 'node:assert/strict';
import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { brotliDecompressSync } from 'node:zlib';
import { createEmulator } from '../../../emulator/emulator.ts';
import { type EmulatorServer, type ServerOptions, startServer } from '../../../emulator/server.node.ts';

interface Got {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

// `fetch` decompresses bodies and follows redirects.
function get(url: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Got> {
  return new Promise((resolve, reject) => {
    const call = request(url, { method, headers }, (response) => {
      const { statusCode: status = 0, headers } = response;
      buffer(response).then((body) => resolve({ status, headers, body }), reject);
    });
    call.on('error', reject);
    call.end();
  });
}

async function serving(
  emulator: Parameters<typeof createEmulator>[0],
  options: ServerOptions,
  run: (server: EmulatorServer, origin: string) => Promise<void>,
): Promise<void> {
  const server = await startServer(createEmulator(emulator), options);
  try {
    await run(server, `http://127.0.0.1:${server.port}`);
  } finally {
    await server.close();
  }
}

test('the page is served at / with a strict policy, and its files as they were compressed', () =>
  serving({}, { console: true }, async ({ url }) => {
    const page = await get(`${url}/`);
    assert.equal(page.status, 200);
    assert.match(String(page.headers['content-security-policy']), /^default-src 'none'; script-src 'self';/);
    const html = page.body.toString();
    assert.doesNotMatch(html, /https?:\/\/(?!www\.w3\.org)/, 'nothing is asked elsewhere');
    const names = [...html.matchAll(/(?:href|src)="\.\/(__drydock\/console\/[^"]+)"/g)].map(([, name]) => name);
    const early = [...html.matchAll(/<link rel="modulepreload"/g)].length;
    assert.ok(early > 0, 'what the script imports comes beside it');
    assert.equal(names.length, 2 + early);
    for (const name of names) {
      const packed = await get(`${url}/${name}`, { 'Accept-Encoding': 'br, gzip' });
      assert.equal(packed.headers['content-encoding'], 'br');
      assert.match(String(packed.headers['cache-control']), /immutable/);
      const plain = await get(`${url}/${name}`);
      assert.equal(plain.headers['content-encoding'], undefined);
      assert.deepEqual(brotliDecompressSync(packed.body), plain.body);
    }
    assert.equal((await get(`${url}/`, {}, 'HEAD')).body.length, 0);
    for (const path of ['__drydock/console/none.js', '__drydock/console/../../package.json', 'version'])
      assert.equal((await get(`${url}/${path}`)).status, 404, path);
    assert.equal((await get(`${url}/`, {}, 'POST')).status, 404);
    assert.equal((await get(`${url}/api/v1/version`)).status, 200);
  }));

test('it works below a base path and in a world', () =>
  serving({ basePath: '/platform' }, { console: true }, async (_, origin) => {
    assert.equal((await get(`${origin}/platform`)).headers.location, '/platform/');
    assert.equal((await get(`${origin}/platform/@blue`)).headers.location, '/platform/@blue/');
    for (const path of ['/platform/', '/platform/@blue/', '/platform/__drydock/console/']) {
      const page = await get(origin + path);
      assert.equal(page.status, 200, path);
      const [, script = ''] = /src="([^"]+)"/.exec(page.body.toString()) ?? [];
      assert.equal((await get(new URL(script, origin + path).href)).status, 200, path);
    }
    assert.equal((await get(`${origin}/`)).status, 404);
  }));

test('unless enabled, and without control routes, it is not served', async () => {
  const isAbsent = async (_: EmulatorServer, origin: string): Promise<void> => {
    for (const path of ['/', '/__drydock/console/']) assert.equal((await get(origin + path)).status, 404);
  };
  await serving({}, {}, isAbsent);
  await serving({ control: false }, { console: true }, isAbsent);
});
