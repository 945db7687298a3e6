// The port: long bodies, hosts, disconnected clients, a closing server, and everything else that only a real connection shows.

import assert from 'node:assert/strict';
import http from 'node:http';
import { connect, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { createEmulator } from '../../../emulator/emulator.ts';
import { type EmulatorServer, startServer } from '../../../emulator/server.node.ts';

const bodyLimit = 1000;
const emulator = createEmulator({ bodyLimit });
const token = `token ${emulator.users()[0]?.token}`;
const json = { Authorization: token, 'Content-Type': 'application/json' };
let server: EmulatorServer;
const lines: string[] = [];

before(async () => {
  const onAnswer = (line: string): void => void lines.push(line);
  server = await startServer(emulator, { allowedHosts: ['app.example'], onAnswer });
});
after(() => server.close());

/** Sends bytes and returns everything received until the connection closes. */
function raw(port: number, bytes: string | Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}

/** Sends a request and returns the status. */
function send(method: string, path: string, headers: Record<string, string> = {}, body?: Buffer): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = http.request(
      server.url,
      // Without keep-alive, as in older Nodes: the connection closes after the response.
      { method, path, headers: { Authorization: token, ...headers }, agent: false },
      (response) => {
        response.resume();
        response.on('end', () => resolve(response.statusCode ?? 0));
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}

const long = Buffer.from(JSON.stringify({ emails: ['a'.repeat(400_000)] }));
const clients: Readonly<Record<string, (path: string, headers: Record<string, string>) => Promise<number>>> = {
  fetch: async (path, headers) => (await fetch(server.url + path, { method: 'POST', headers, body: long })).status,
  'node:http, chunked': async (path, headers) =>
    send('POST', path, { Authorization: '', ...headers, 'Transfer-Encoding': 'chunked' }, long),
  'a raw socket': async (path, headers) => {
    const head = Object.entries({ ...headers, Host: 'localhost', Connection: 'close' }).map(
      ([n, v]) => `${n}: ${v}\r\n`,
    );
    const start = `POST ${path} HTTP/1.1\r\n${head.join('')}Content-Length: ${long.length}\r\n\r\n`;
    const answer = await raw(server.port, Buffer.concat([Buffer.from(start), long]));
    return Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);
  },
};
for (const [name, send] of Object.entries(clients)) {
  test(`50 concurrent callers by ${name} that send too much all get 413, and 401 without a token`, async () => {
    const statuses = await Promise.all(Array.from({ length: 50 }, () => send('/api/v1/user/emails', json)));
    assert.deepEqual(new Set(statuses), new Set([413]));
    const refused = await Promise.all(
      Array.from({ length: 10 }, () => send('/api/v1/user/emails', { 'Content-Type': 'application/json' })),
    );
    assert.deepEqual(new Set(refused), new Set([401]));
  });
}

test('a caller with Expect: 100-continue gets the refusal immediately', async () => {
  const answer = await new Promise<number>((resolve, reject) => {
    const headers = { ...json, 'Content-Length': '5000', Expect: '100-continue' };
    const request = http.request(server.url, { method: 'POST', path: '/api/v1/user/emails', headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
      request.destroy();
    });
    request.on('continue', () => reject(new Error('the body was asked for')));
    request.on('error', () => {});
    request.flushHeaders();
  });
  assert.equal(answer, 413);
});

test('headers that are too long are 431, two hosts are 400, and the response arrives', async () => {
  const ask = (more: string): string =>
    `GET /api/v1/version HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${more}\r\n`;
  assert.match(
    await raw(server.port, ask(`X: ${'x'.repeat(200_000)}\r\n`)),
    /^HTTP\/1\.1 431 .*Request Header Fields/s,
  );
  assert.match(await raw(server.port, ask('host: other\r\n')), /^HTTP\/1\.1 400 .*more than one Host/s);
  assert.match(await raw(server.port, ask('')), /^HTTP\/1\.1 200 /);
});

test('a disconnected caller is not an error, and is logged as aborted', async () => {
  const reported: unknown[] = [];
  const own = createEmulator({ onBug: (failure) => reported.push(failure) });
  const seen: string[] = [];
  const aborted = await startServer(own, { onAnswer: (line) => void seen.push(line) });
  own.fault({ route: 'listTeams', latencyMs: 60_000 });
  const head = `Host: localhost\r\nAuthorization: ${token}\r\nContent-Type: application/json\r\n`;
  const sockets: Socket[] = [
    `POST /api/v1/user/emails HTTP/1.1\r\n${head}Content-Length: 100\r\n\r\n{"emails":`,
    `GET /api/v1/user/teams HTTP/1.1\r\n${head}\r\n`,
  ].map((text) => {
    const socket = connect(aborted.port, '127.0.0.1', () =>
      socket.write(text, () => setTimeout(() => socket.destroy(), 50)),
    );
    return socket;
  });
  const [emails, teams] = [
    await own.waitForRequest({ route: 'addEmails' }),
    await own.waitForRequest({ route: 'listTeams' }),
  ];
  assert.deepEqual([emails.status, emails.aborted, teams.status, teams.aborted], [0, true, 0, true]);
  await aborted.close();
  assert.deepEqual(reported, []);
  assert.deepEqual(seen.sort(), ['GET /api/v1/user/teams aborted', 'POST /api/v1/user/emails aborted']);
  for (const socket of sockets) socket.destroy();
});

test('a server reachable from everywhere accepts addresses and container names, not other names', async () => {
  const everywhere = await startServer({}, { host: '0.0.0.0' });
  const status = async (host: string): Promise<number> => {
    const answer = await raw(
      everywhere.port,
      `GET /api/v1/version HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
    );
    return Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);
  };
  for (const host of ['192.168.0.7:4010', '[fe80::1]:80', 'drydock-1:4010', 'host.docker.internal'])
    assert.equal(await status(host), 200, host);
  for (const host of ['evil.example', 'a.evil.example:80', 'a b']) assert.equal(await status(host), 403, host);
  await everywhere.close();
});

test('all paths are below the base path, including links', async () => {
  const platform = await startServer({ basePath: '/platform' });
  assert.match(platform.url, /:\d+\/platform$/);
  const answer = await fetch(`${platform.url}/@blue/api/v1/user`, { headers: json });
  const { avatar_url } = (await answer.json()) as { avatar_url: string };
  assert.equal(avatar_url, `${platform.url}/@blue/avatars/ada`);
  assert.equal((await fetch(avatar_url)).status, 200);
  const { origin } = new URL(platform.url);
  for (const path of ['/api/v1/version', '/platformer/api/v1/version', '/__drydock/status']) {
    assert.equal((await fetch(origin + path)).status, 404, path);
  }
  await platform.close();
});

test('behind a proxy, links use the origin of the caller or the public address', async () => {
  const avatarOf = async (url: string, headers: Record<string, string>): Promise<string> => {
    const answer = await fetch(`${url}/api/v1/user`, { headers: { ...json, ...headers } });
    return ((await answer.json()) as { avatar_url: string }).avatar_url;
  };
  const platform = await startServer();
  const { url } = platform;
  const host = 'X-Forwarded-Host';
  const scheme = 'X-Forwarded-Proto';
  assert.equal(
    await avatarOf(url, { [host]: 'app.example:8443', [scheme]: 'https' }),
    'https://app.example:8443/avatars/ada',
  );
  assert.equal(
    await avatarOf(url, { [host]: '[::1]:80, inner', [scheme]: 'https, http' }),
    'https://[::1]:80/avatars/ada',
  );
  // An invalid host or scheme is not repeated.
  assert.equal(await avatarOf(url, { [host]: 'app.example/"><b>', [scheme]: 'javascript' }), `${url}/avatars/ada`);
  await platform.close();

  const named = await startServer({ publicUrl: 'https://platform.example.com/drydock' });
  const forwarded = { [host]: 'app.example' };
  assert.equal(await avatarOf(named.url, forwarded), 'https://platform.example.com/drydock/avatars/ada');
  assert.equal(await avatarOf(`${named.url}/@blue`, {}), 'https://platform.example.com/drydock/@blue/avatars/ada');
  const signOut = await fetch(`${named.url}/user/logout`, { method: 'POST', redirect: 'manual' });
  assert.equal(signOut.headers.get('location'), '/drydock/user/login');
  await named.close();
  await assert.rejects(startServer({ publicUrl: 'platform.example.com' }), { code: 'SETTING_INVALID' });
});

test('listens on this machine only, on a free port', () => {
  assert.match(server.url, /^http:\/\/127\.0\.0\.1:\d+$/);
});

test('a dropped connection ends without a response', async () => {
  const lift = emulator.fault({ route: 'listTeams', drop: true });
  await assert.rejects(send('GET', '/api/v1/user/teams'), /socket hang up|ECONNRESET/);
  lift();
});

test('an invalid request line is 400, and an absolute URL in it is accepted', async () => {
  assert.match(await raw(server.port, 'HELLO\r\n\r\n'), /^HTTP\/1\.1 400/);
  assert.equal(await send('GET', `${server.url}/api/v1/user`), 200);
});

test('the owner is notified of every response, without secrets', async () => {
  lines.length = 0;
  await send('GET', '/api/v1/user?token=s3cret');
  await send('DELETE', '/api/v1/user/following/bob');
  assert.deepEqual(lines, ['GET /api/v1/user?token=*** 200', 'DELETE /api/v1/user/following/bob 204']);
});
