import assert from 'node:assert/strict';
import { test } from 'node:test';
import { as, strictEmulator } from '../../support/emulator.ts';

const pages: readonly (readonly [string, number, string | null])[] = [
  ['', 30, '<FOLLOWERS?page=2>; rel="next",<FOLLOWERS?page=3>; rel="last"'],
  ['?page=0', 30, null],
  ['?page=x', 30, null],
  ['?page=3', 10, '<FOLLOWERS?page=1>; rel="first",<FOLLOWERS?page=2>; rel="prev"'],
  ['?page=4', 0, null],
  ['?page=99999999999999999999', 30, null],
  ['?limit=1000', 50, null],
  ['?limit=5&page=14', 5, '<FOLLOWERS?page=1&limit=5>; rel="first",<FOLLOWERS?page=13&limit=5>; rel="prev"'],
];
for (const [query, length, link] of pages) {
  test(`followers${query}: ${length} people`, async () => {
    const { json, headers } = await as(strictEmulator(), 'bob')('GET', `/user/followers${query}`);
    assert.equal((json() as unknown[]).length, length);
    assert.equal(headers.get('x-total-count'), '70');
    const address = 'http://localhost/api/v1/user/followers';
    if (link !== null) assert.equal(headers.get('link'), link.replaceAll('FOLLOWERS', address));
  });
}

test("others' private fields are blank, except for an admin", async () => {
  const emulator = strictEmulator({ now: '2025-05-02T09:00:00Z' });
  const seen = async (login: string): Promise<Record<string, unknown>> => {
    const { json } = await as(emulator, login)('GET', '/user/followers?limit=50');
    return (json() as Record<string, unknown>[]).find((user) => user.login === 'ivan') ?? {};
  };
  await as(emulator, 'ivan')('PUT', '/user/following/ada');
  const { email, last_login, is_admin } = await seen('bob');
  assert.deepEqual([email, last_login, is_admin], ['ivan@noreply.example.com', '0001-01-01T00:00:00Z', false]);
  const following = (await as(emulator, 'bob')('GET', '/user/following')).json() as Record<string, unknown>[];
  assert.equal(following.find((user) => user.login === 'ada')?.is_admin, false);
  const open = await seen('ada');
  assert.deepEqual([open.email, open.last_login], ['ivan@example.com', '2025-03-15T15:15:00Z']);
});

test('following twice, following oneself, and unfollowing someone not followed have no effect', async () => {
  const call = as(strictEmulator(), 'cleo');
  const count = async (): Promise<unknown> => (await call('GET', '/user/following')).headers.get('x-total-count');
  assert.equal(await count(), '3');
  for (const [method, login, status] of [
    ['PUT', 'bob', 204],
    ['PUT', 'cleo', 204],
    ['DELETE', 'dan', 204],
    ['DELETE', 'nobody', 404],
  ] as const) {
    assert.equal((await call(method, `/user/following/${login}`)).status, status);
    assert.equal(await count(), '3');
  }
  await call('PUT', '/user/following/DAN');
  assert.equal(await count(), '4');
  assert.equal((await call('GET', '/user/following/dan')).status, 204);
});
