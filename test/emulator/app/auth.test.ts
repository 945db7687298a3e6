import assert from 'node:assert/strict';
import { test } from 'node:test';
import { as, strictEmulator } from '../../support/emulator.ts';

test('revoked and expired tokens are refused, and an expired one was valid before', async () => {
  const emulator = strictEmulator();
  const { store } = emulator.world();
  const tokens = store.token.all().filter(({ name }) => name === 'expired' || name === 'revoked');
  assert.equal(tokens.length, 2);
  const statuses = async (): Promise<readonly number[]> =>
    Promise.all(tokens.map(async ({ token }) => (await as(emulator)('GET', `/user?access_token=${token}`)).status));
  assert.deepEqual(await statuses(), [401, 401]);
  emulator.world().clock.freeze(Date.UTC(2024, 0, 1));
  assert.deepEqual(await statuses(), [200, 401]);
});

test('the header takes precedence over the query', async () => {
  const emulator = strictEmulator();
  const [ada, bob] = emulator.users();
  const headers = { Authorization: `token ${ada?.token}` };
  assert.equal((await as(emulator)('GET', `/user?token=${bob?.token}`, undefined, headers)).at('login'), 'ada');
  assert.equal((await as(emulator)('GET', `/user?token=${bob?.token}`, undefined, { Authorization: 'x' })).status, 401);
});

test('an admin may act as another person, others may not', async () => {
  const emulator = strictEmulator();
  assert.equal((await as(emulator, 'ada')('GET', '/user?sudo=cleo')).at('login'), 'cleo');
  assert.equal((await as(emulator, 'ada')('GET', '/user', undefined, { Sudo: 'nobody' })).status, 404);
  assert.equal((await as(emulator, 'bob')('GET', '/user?sudo=ada')).status, 403);
});

test('an empty header or parameter counts as missing', async () => {
  const emulator = strictEmulator();
  const [ada] = emulator.users();
  const byQuery = await as(emulator)('GET', `/user?token=${ada?.token}&sudo=`, undefined, { Authorization: '' });
  assert.equal(byQuery.at('login'), 'ada');
  assert.equal((await as(emulator)('GET', '/orgs/harbor?token=', undefined, { Authorization: '' })).status, 200);
});
