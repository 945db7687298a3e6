// The commands: flags, streams, exit codes, and the files they write and watch.

import assert from 'node:assert/strict';
import { appendFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { captureCommand } from '../../support/cli.ts';
import { createProject } from '../../support/project.ts';

const { folder } = createProject();

async function run(...argv: readonly string[]) {
  const { exitCode, stdout, stderr } = await captureCommand(argv, {
    cwd: folder,
    env: {},
    signal: AbortSignal.abort(),
  });
  return { code: exitCode, out: stdout, err: stderr };
}

/** Serves until `use` is done. */
async function serve(
  argv: readonly string[],
  use: (url: string, token: string, err: () => string) => Promise<void>,
): Promise<{ readonly code: number; readonly err: string }> {
  const controller = new AbortController();
  const err: string[] = [];
  let ready: (line: string) => void = () => {};
  const line = new Promise<string>((resolve) => {
    ready = resolve;
  });
  const running = captureCommand(['serve', '--port', '0', '--json', ...argv], {
    cwd: folder,
    env: {},
    signal: controller.signal,
    stdout: ready,
    stderr: (text) => void err.push(text),
  });
  const first = await Promise.race([line, running]);
  if (typeof first !== 'string') return { code: first.exitCode, err: err.join('') };
  const { url, users } = JSON.parse(first) as { url: string; users: { token: string }[] };
  try {
    await use(url, users[0]?.token ?? '', () => err.join(''));
  } finally {
    controller.abort();
  }
  return { code: (await running).exitCode, err: err.join('') };
}

test('help goes to standard output with 0, wrong usage to standard error with 2', async () => {
  const help = await run('serve', '--help');
  assert.deepEqual([help.code, help.err], [0, '']);
  assert.match(help.out, /Usage: drydock serve/);
  for (const argv of [
    ['serve', '--nope'],
    ['serve', '--port', 'x'],
    ['serve', '--watch'],
    ['serve', '--now', 'soon'],
    ['serve', '--render-time', '0'],
    ['serve', '--proxy', 'ftp://files.example.com'],
    ['serve', '--host', ''],
    ['nats-config', 'x'],
  ]) {
    const { code, out, err } = await run(...argv);
    assert.deepEqual([code, out], [2, ''], argv.join(' '));
    assert.match(err, /^Error: /);
  }
});

test('the readiness line contains address, users, tokens and admins; without --json it is text for people', async () => {
  const { code, out, err } = await run('serve', '--port', '0', '--json');
  assert.deepEqual([code, err], [0, '']);
  const { url, users } = JSON.parse(out) as { url: string; users: object[] };
  assert.match(url, /^http:\/\/127\.0\.0\.1:\d+$/);
  assert.deepEqual(Object.keys(users[0] ?? {}), ['login', 'token', 'is_admin']);
  const people = await run('serve', '--port', '0', '--host', '0.0.0.0');
  assert.match(people.out, /drydock serves the user API at http/);
  assert.match(people.out, /ada {3}[0-9a-f]{40} {2}site admin/);
  assert.match(people.err, /every network of this machine/);
});

test('settings come from flags', async () => {
  const buses = ['--msgbus', 'nats://a:1', '--msgbus', 'nats://b:2'];
  const flags = ['--hosted', '--now', '2025-01-01T00:00:00Z', ...buses, '--cors', 'https://x.example', '--no-control'];
  await serve(flags, async (url, token) => {
    const headers = { Authorization: `token ${token}`, Origin: 'https://x.example' };
    assert.equal((await fetch(`${url}/api/v1/user/cloudmsg-token`, { headers })).status, 200);
    const bus = await fetch(`${url}/api/v1/user/msgbus/credentials`, { headers });
    assert.equal(bus.headers.get('access-control-allow-origin'), 'https://x.example');
    const { msgbusEndpoints } = (await bus.json()) as { msgbusEndpoints: unknown };
    assert.deepEqual(msgbusEndpoints, ['nats://a:1', 'nats://b:2']);
    assert.equal((await fetch(`${url}/__drydock/status`)).status, 404);
  });
});

test('charts come from a folder, and limits of a rendering from flags and settings.json, flags first', async () => {
  const { folder: dir } = createProject({ 'settings.json': '{"limits":{"outputBytes":500000,"memory":64}}' });
  const charts = join(process.cwd(), 'fixtures/charts');
  const chart = {
    ...{ name: 'values-and-text', sourceRef: { kind: 'Embed', name: 'x' }, version: '' },
    ...{ releaseName: 'r', namespace: 'n' },
  };
  const rendered = async (...flags: readonly string[]): Promise<string> => {
    let text = '';
    await serve(['--fixtures', dir, '--charts', charts, ...flags], async (url, token) => {
      const headers = { Authorization: `token ${token}`, 'Content-Type': 'application/json' };
      const orders = `${url}/api/v1/user/deploy/orders`;
      const body = JSON.stringify({ spec: { packages: [{ chart }] } });
      const order = await fetch(orders, { method: 'POST', headers, body });
      const { metadata } = (await order.json()) as { metadata: { uid: string } };
      text = await (await fetch(`${orders}/${metadata.uid}/render/manifest`, { headers })).text();
    });
    return text;
  };
  assert.match(await rendered(), /^# Source: values-and-text\//m);
  assert.match(await rendered('--render-output', '100'), /more than 100 bytes.*LIMIT_REACHED/);
});

test('a closed server no longer listens to signals', async () => {
  const before = process.listenerCount('SIGTERM');
  await run('serve', '--port', '0');
  assert.equal(process.listenerCount('SIGTERM'), before);
});

test('a port in use is reported with the hint', async () => {
  await serve([], async (url) => {
    const { code, err } = await run('serve', '--port', new URL(url).port);
    assert.equal(code, 1);
    assert.match(err, /port \d+ is taken: choose another with --port/);
  });
});

test('an invalid file of fixtures stops the start with its place', async () => {
  const { folder: dir } = createProject({ 'users.json': '[\n  {"login": "zoe",}\n]' });
  const { code, out, err } = await run('serve', '--port', '0', '--fixtures', dir);
  assert.deepEqual([code, out], [1, '']);
  assert.match(err, /^Error: users\.json:2:19: .*JSON/);
});

async function until(done: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + 5000;
  while (!(await done())) {
    assert.ok(Date.now() < end, 'it never came to that');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

test('changes in a watched folder are applied, edited data is kept as a snapshot, and other files are ignored', async () => {
  const tokens = '[{"user":"zoe","name":"t","token":"zoe-token"}]';
  const { folder: parent, write } = createProject({
    'seed/users.json': '[{"login":"zoe"},{"login":"yan"}]',
    'seed/tokens.json': tokens,
  });
  const dir = join(parent, 'seed');
  await serve(['--fixtures', dir, '--watch', '--set', 'pageSize=7'], async (url, token, err) => {
    const send = async (method: string, path: string): Promise<Response> =>
      fetch(`${url}${path}`, { method, headers: { Authorization: `token ${token}` } });
    const yan = '/api/v1/user/following/yan';
    await send('PUT', yan);
    write({ 'seed/.users.json.swp': 'x', 'seed/.#users.json': 'x', 'seed/notes.txt': 'x' });
    write({ 'seed/settings.json': '{"version":"9.9.9","pageSize":3,"seed":"other"}' });
    await until(() => err().includes('from the next start on: seed'));
    assert.match(err(), /settings\.json applied: version\n/);
    assert.deepEqual(await (await send('GET', '/api/v1/version')).json(), { version: '9.9.9' });
    assert.equal((await send('GET', yan)).status, 204);
    write({ 'seed/scenarios.json': '{"down":{"description":"d","faults":[{"status":503}]}}' });
    await until(() => err().includes('scenarios.json applied'));
    await rm(dir, { recursive: true });
    await until(() => err().includes('fixtures not taken'));
    write({ 'seed/users.json': '[{"login":"zoe"},{"login":"yan","full_name":"Yan"}]', 'seed/tokens.json': tokens });
    await until(() => err().includes('fixtures read again (users.json)'));
    assert.equal((await send('GET', yan)).status, 404);
    assert.match(err(), /what was edited before \(default\) is in the snapshot before-change-1/);
    await send('POST', '/__drydock/snapshots/before-change-1/restore');
    assert.equal((await send('GET', yan)).status, 204);
    // A world that only has snapshots is not edited.
    await send('POST', '/__drydock/reset');
    write({ 'seed/users.json': '[{"login":"zoe"},{"login":"yan"}]' });
    await until(() => err().split('fixtures read again').length === 3);
    assert.doesNotMatch(err(), /before-change-2/);
  });
});

test('every world and snapshot survives a restart, and a partial record at the end is dropped', async () => {
  const file = join(folder, 'worlds.json');
  const send = (url: string, token: string, method: string, path: string): Promise<Response> =>
    fetch(`${url}${path}`, { method, headers: { Authorization: `token ${token}` } });
  const eve = '/api/v1/user/following/eve';
  await serve(['--persist', file], async (url, token) => {
    await send(url, token, 'PUT', `/@one${eve}`);
    await send(url, token, 'POST', '/@one/__drydock/snapshots/kept');
    await send(url, token, 'DELETE', `/@one${eve}`);
    await send(url, token, 'PUT', `/@two${eve}`);
    await send(url, token, 'POST', '/@two/__drydock/reset');
  });
  await appendFile(file, '0badc0de [{"do":"wri');
  await serve(['--persist', file], async (url, token, err) => {
    assert.match(err(), /the last 20 bytes are an incomplete write/);
    assert.equal((await send(url, token, 'GET', `/@one${eve}`)).status, 404);
    assert.equal((await send(url, token, 'GET', `/@two${eve}`)).status, 404);
    await send(url, token, 'POST', '/@one/__drydock/snapshots/kept/restore');
    assert.equal((await send(url, token, 'GET', `/@one${eve}`)).status, 204);
    const second = await run('serve', '--port', '0', '--persist', file);
    assert.deepEqual([second.code, second.err.includes(`the process ${process.pid} keeps`)], [1, true]);
  });
});

test('invalid paths in flags are reported before the start, without error codes of the system', async () => {
  await writeFile(join(folder, 'plain'), '');
  for (const [flag, value, message] of [
    ['persist', 'nowhere/state.json', 'there is no such folder to write into'],
    ['export', '.', 'it is a folder; name a file in it'],
    ['fixtures', 'plain', 'it is not a folder'],
    ['charts', 'nowhere', 'there is no such folder'],
    ['tls', 'plain', 'it is not a folder'],
    ['host', '192.0.2.1', 'this machine has no such address'],
    ['host', 'nowhere.invalid', 'the name does not resolve'],
  ] as const) {
    const { code, err } = await run('serve', '--port', '0', `--${flag}`, value);
    assert.deepEqual([code, err.split('\n')[0]], [2, `Error: --${flag} ${value}: ${message}`]);
  }
  const { err } = await run('serve', '--port', '0', '--proxy', 'http://127.0.0.1:1', '--record', 'plain');
  assert.match(err, /^Error: --record plain: it is not a folder\n/);
});

test('nats-config is derived from the seed', async () => {
  // Few people, because keys and signatures take time for each.
  await mkdir(join(folder, 'few'), { recursive: true });
  await writeFile(join(folder, 'few/users.json'), '[{"login": "ada"}]');
  const ask = (...argv: readonly string[]): ReturnType<typeof run> =>
    run('nats-config', '--fixtures', 'few', '--listen', '127.0.0.1:9', ...argv);
  const { code, out } = await ask();
  assert.equal(code, 0);
  assert.match(out, /listen: "127\.0\.0\.1:9"/);
  assert.equal((await ask()).out, out);
  assert.notEqual((await ask('--seed', 'x')).out, out);
});
