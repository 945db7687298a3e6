// The port: behavior that only a real connection shows.

import assert from 'node:assert/strict';
import http from 'node:http';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { createEmulator } from '../../emulator/emulator.ts';
import { type EmulatorServer, startServer } from '../../emulator/server.node.ts';

const emulator = createEmulator({ bodyLimit: 1000 });
const token = `token ${emulator.users()[0]?.token}`;
let server: EmulatorServer;
const lines: string[] = [];

before(async () => {
  const onAnswer = (line: string, writes: boolean): void => void lines.push(`${line}${writes ? ' write' : ''}`);
  server = await startServer(emulator, { allowedHosts: ['app.example'], onAnswer });
});
after(() => server.close());

interface Reply {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
}

function send(method: string, path: string, headers: Record<string, string> = {}, body?: string): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const request = http.request(
      server.url,
      { method, path, headers: { Authorization: token, ...headers } },
      (response) => {
        let text = '';
        response.on('data', (chunk) => {
          text += chunk;
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}

function raw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(server.port, '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}

test('listens on this machine only, on a free port', () => {
  assert.match(server.url, /^http:\/\/127\.0\.0\.1:\d+$/);
});

for (const [host, status] of [
  ['localhost', 200],
  ['app.example:80', 200],
  ['evil.example', 403],
] as const) {
  test(`a request for the host ${host}: ${status}`, async () => {
    assert.equal((await send('GET', '/api/v1/user', { Host: host })).status, status);
  });
}

test('links use the host of the request', async () => {
  assert.match(
    (await send('GET', '/api/v1/user', { Host: 'app.example:80' })).text,
    /"http:\/\/app\.example:80\/avatars\/ada"/,
  );
});

test('an absolute URL in the request line is accepted', async () => {
  assert.equal((await send('GET', `${server.url}/api/v1/user`)).status, 200);
});

test('HEAD has a length and no body', async () => {
  const { headers, text } = await send('HEAD', '/api/v1/user');
  assert.ok(Number(headers['content-length']) > 100);
  assert.equal(text, '');
});

test('204 has neither body nor length', async () => {
  const { status, headers } = await send('PUT', '/api/v1/user/following/bob');
  assert.deepEqual([status, headers['content-length'], headers['content-type']], [204, undefined, undefined]);
});

test('two cookies are two headers', async () => {
  assert.equal((await send('GET', '/api/v1/user/signout')).headers['set-cookie']?.length, 2);
});

const json = { 'Content-Type': 'application/json' };
const long = JSON.stringify({ emails: ['a'.repeat(2000)] });

test('a body over the limit is refused, with and without Content-Length', async () => {
  const announced = await send('POST', '/api/v1/user/emails', { ...json, 'Content-Length': String(long.length) }, long);
  assert.equal(announced.status, 413);
  const chunked = await send('POST', '/api/v1/user/emails', { ...json, 'Transfer-Encoding': 'chunked' }, long);
  assert.equal(chunked.status, 413);
  assert.equal((await send('GET', '/api/v1/user')).status, 200);
});

test('a GET keeps its body, also chunked', async () => {
  const body = JSON.stringify({ credential: 'aws-lab', cluster_uid: '1' });
  for (const length of [{ 'Content-Length': String(body.length) }, { 'Transfer-Encoding': 'chunked' }]) {
    const answer = await send('GET', '/api/v1/user/clouds/aws/buckets', { ...json, ...length }, body);
    assert.equal(answer.status, 200, answer.text);
  }
});

test('a dropped connection ends without a response', async () => {
  const lift = emulator.fault({ route: 'listTeams', drop: true });
  await assert.rejects(send('GET', '/api/v1/user/teams'), /socket hang up|ECONNRESET/);
  lift();
});

test('an invalid request line is 400, and the server continues', async () => {
  assert.match(await raw('HELLO\r\n\r\n'), /^HTTP\/1\.1 400/);
  assert.equal((await send('GET', '/api/v1/user')).status, 200);
});

test('a port in use is an error', async () => {
  await assert.rejects(startServer({}, { port: server.port }), /EADDRINUSE/);
});

test('the owner is notified of every response, without secrets', async () => {
  lines.length = 0;
  await send('GET', '/api/v1/user?token=s3cret');
  await send('DELETE', '/api/v1/user/following/bob');
  assert.deepEqual(lines, ['GET /api/v1/user?token=*** 200', 'DELETE /api/v1/user/following/bob 204 write']);
});
