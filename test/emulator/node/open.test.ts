// The options with which a server opens its emulator: fixtures, recordings, persisted state, certificates.

import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createEmulator, type EmulatorOptions } from '../../../emulator/index.ts';
import { type EmulatorServer, type ServerOptions, startServer } from '../../../emulator/server.node.ts';
import { createProject } from '../../support/project.ts';

const { folder: root } = createProject({
  'settings/users.json': '[{"login":"zoe"}]',
  'settings/settings.json': '{"version":"1","pageSize":3}',
  'earlier/users.json': '[{"login":"zoe"}]',
  'pages/recorded.json': '[{"method":"GET","path":"/","status":200,"text":"own page"}]',
});

async function version({ url }: EmulatorServer): Promise<unknown> {
  return ((await (await fetch(`${url}/api/v1/version`)).json()) as { readonly version: unknown }).version;
}

const invalid: readonly (readonly [ServerOptions, RegExp])[] = [
  [{ watch: true }, /^watch: needs fixturesFolder$/],
  [{ record: 'recorded' }, /^record: needs proxy$/],
  [{ proxy: 'ftp://files.example.com' }, /^proxy: .*is not a URL/],
  [{ onNotice: 'print' as never }, /^onNotice: must be a function/],
];
for (const [options, message] of invalid) {
  test(`rejects ${JSON.stringify(options)}`, () =>
    assert.rejects(startServer({}, options), { code: 'SETTING_INVALID', message }));
}

test('rejects options of a new emulator for an existing one', () =>
  assert.rejects(startServer(createEmulator(), { fixturesFolder: root, chartFolders: [], proxy: 'http://a.example' }), {
    code: 'SETTING_INVALID',
    message: /^fixturesFolder: applies to a new emulator.*; chartFolders: .*; proxy: /,
  }));

test('options of the emulator override those of the folder, also while it is watched', async () => {
  const folder = join(root, 'settings');
  const notices: string[] = [];
  const onNotice = (message: string): void => void notices.push(message);
  const options = { pageSize: 7, fixtures: undefined };
  const server = await startServer(options, { fixturesFolder: folder, watch: true, onNotice });
  try {
    assert.deepEqual([server.emulator.settings.pageSize, await version(server)], [7, '1']);
    assert.equal(server.emulator.world().db.person.count(), 1);
    await writeFile(join(folder, 'settings.json'), '{ "version": "2", "pageSize": 5 }');
    for (const end = Date.now() + 5000; (await version(server)) !== '2'; ) assert.ok(Date.now() < end, 'not applied');
    assert.equal(server.emulator.settings.pageSize, 7);
    assert.deepEqual(notices, ['settings.json applied: version']);
  } finally {
    await server.close();
  }
});

test('keeps the state of an existing emulator, and closing twice is harmless', async () => {
  const persist = join(root, 'kept.json');
  const first = await startServer(createEmulator(), { persist });
  first.emulator.world().db.person.create({ login: 'zoe' });
  await Promise.all([first.close(), first.close()]);
  const second = await startServer({}, { persist });
  assert.equal(second.emulator.world().db.person.count({ where: { login: { equals: 'zoe' } } }), 1);
  await second.close();
});

test('a failed start releases the persisted file', async () => {
  const other = await startServer();
  const persist = join(root, 'released.json');
  await assert.rejects(startServer({}, { persist, port: other.port }), { code: 'EADDRINUSE' });
  await other.close();
  await (await startServer({}, { persist })).close();
});

test('without any response, earlier recordings are kept', async () => {
  const folder = join(root, 'earlier');
  await (await startServer({}, { proxy: 'http://127.0.0.1:1', record: folder })).close();
  assert.equal(await readFile(join(folder, 'users.json'), 'utf8'), '[{"login":"zoe"}]');
});

const folder = join(root, 'pages');
const consoles: readonly (readonly [EmulatorOptions, ServerOptions, string | undefined])[] = [
  [{}, {}, undefined],
  [{}, { console: true }, '/'],
  [{}, { console: true, proxy: 'http://127.0.0.1:1' }, '/__drydock/console/'],
  [{}, { console: true, fixturesFolder: folder }, '/__drydock/console/'],
  [{ basePath: '/platform' }, { console: true }, '/platform/'],
  [{ control: false }, { console: true }, undefined],
];
for (const [options, server, path] of consoles) {
  const name = JSON.stringify({ ...options, ...server }).replace(root, '');
  test(`the console of ${name} is ${path === undefined ? 'not served' : `at ${path}`}`, async () => {
    const { consoleUrl, url, close } = await startServer(options, server);
    await close();
    assert.equal(consoleUrl, path && new URL(path, url).href);
  });
}
