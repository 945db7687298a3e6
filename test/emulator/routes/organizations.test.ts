import assert from 'node:assert/strict';
import { test } from 'node:test';
import { as, strictEmulator } from '../../support/emulator.ts';

const visible: readonly (readonly [string | undefined, string, number])[] = [
  [undefined, 'harbor', 200],
  [undefined, 'northwind', 404],
  ['hana', 'northwind', 200],
  ['hana', 'skunkworks', 404],
  ['cleo', 'skunkworks', 200],
  ['ada', 'skunkworks', 200],
];
for (const [login, slug, status] of visible) {
  test(`${login ?? 'nobody'} requests ${slug}: ${status}`, async () => {
    assert.equal((await as(strictEmulator(), login)('GET', `/orgs/${slug}`)).status, status);
  });
}

test('memberships of others show public data, and visible organizations', async () => {
  const emulator = strictEmulator();
  const slugs = async (login: string | undefined): Promise<unknown> => {
    const { json } = await as(emulator, login)('GET', '/users/cleo/orgs');
    return (json() as { username: string }[]).map(({ username }) => username);
  };
  assert.deepEqual(await slugs(undefined), ['harbor']);
  assert.deepEqual(await slugs('hana'), ['harbor']);
  assert.deepEqual(await slugs('cleo'), ['harbor', 'northwind', 'skunkworks']);
  const bad = { Authorization: 'token bad-bad-bad' };
  assert.equal((await as(emulator)('GET', '/users/cleo/orgs', undefined, bad)).status, 401);
});
