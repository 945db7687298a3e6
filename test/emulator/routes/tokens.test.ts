import assert from 'node:assert/strict';
import { test } from 'node:test';
import { as, strictEmulator } from '../../support/emulator.ts';

const basic = (login: string, password: string): Record<string, string> => ({
  Authorization: `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`,
});

test('a token is created with a password, works, is listed without its value, and is revoked', async () => {
  const emulator = strictEmulator();
  const nobody = as(emulator);
  const bob = basic('bob', 'bob-password');
  const made = await nobody('POST', '/users/bob/tokens', { name: 'ci' }, bob);
  assert.equal(made.status, 201);
  const sha1 = String(made.at('sha1'));
  assert.match(sha1, /^[0-9a-f]{40}$/);
  assert.equal(made.at('token_last_eight'), sha1.slice(-8));
  const bearer = await nobody('GET', '/user', undefined, { Authorization: `Bearer ${sha1}` });
  assert.equal(bearer.at('login'), 'bob');
  const listed = await nobody('GET', '/users/bob/tokens', undefined, bob);
  assert.deepEqual([listed.at('0.sha1'), listed.at('1.name'), listed.at('1.sha1')], ['', 'ci', '']);
  assert.equal((await nobody('POST', '/users/bob/tokens', { name: 'ci' }, bob)).status, 422);
  assert.equal((await nobody('DELETE', `/users/bob/tokens/${made.at('id')}`, undefined, bob)).status, 204);
  assert.equal((await nobody('GET', `/user?token=${sha1}`)).status, 401);
  assert.equal((await nobody('DELETE', '/users/bob/tokens/ci', undefined, bob)).status, 404);
});

test('a number revokes the token with this id, not one with this name', async () => {
  const call = as(strictEmulator());
  const bob = basic('bob', 'bob-password');
  const first = await call('POST', '/users/bob/tokens', { name: 'ci' }, bob);
  const next = Number(first.at('id')) + 2;
  await call('POST', '/users/bob/tokens', { name: String(next) }, bob);
  assert.equal((await call('POST', '/users/bob/tokens', { name: 'laptop' }, bob)).at('id'), next);
  await call('DELETE', `/users/bob/tokens/${next}`, undefined, bob);
  const left = await call('GET', '/users/bob/tokens', undefined, bob);
  assert.deepEqual([left.at('1.name'), left.at('2.name'), left.at('3.name')], ['ci', String(next), undefined]);
});

const refusals: readonly (readonly [string, string, Record<string, string>, number])[] = [
  ['a wrong password', 'bob', basic('bob', 'nope'), 401],
  ['no password at all', 'bob', {}, 401],
  ['a token in its place', 'bob', { Authorization: 'token 12345678' }, 401],
  ['the empty password of a person without one', 'eve', basic('eve', ''), 401],
  ['an inactive account', 'finn', basic('finn', 'finn-password'), 403],
  ["another person's tokens", 'ada', basic('bob', 'bob-password'), 403],
  ['an admin looking for nobody', 'nobody', basic('ada', 'ada-password'), 404],
  ['an admin looking at another', 'bob', basic('ada', 'ada-password'), 200],
];
for (const [name, login, headers, status] of refusals) {
  test(`tokens with ${name}: ${status}`, async () => {
    assert.equal((await as(strictEmulator())('GET', `/users/${login}/tokens`, undefined, headers)).status, status);
  });
}
