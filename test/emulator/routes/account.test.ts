// Session, tokens, e-mails and following, beyond the rows of the document.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { as, strictEmulator } from '../../support/emulator.ts';

const basic = (login: string, password: string): Record<string, string> => ({
  Authorization: `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`,
});

test('a user has the fifteen fields of the document, and four more', async () => {
  const { json } = await as(strictEmulator(), 'ada')('GET', '/user');
  assert.deepEqual(Object.keys(json() as object), [
    ...['id', 'login', 'username', 'full_name', 'email', 'avatar_url', 'language', 'is_admin', 'last_login', 'created'],
    ...['type', 'active', 'prohibit_login', 'orgAdmin', 'location', 'website', 'description'],
  ]);
});

test('a sign-out clears two cookies and leaves the token alone', async () => {
  const call = as(strictEmulator(), 'ada');
  const { headers, text } = await call('GET', '/user/signout');
  const cookies = headers.getSetCookie();
  assert.equal(text, '');
  assert.deepEqual(
    cookies.map((cookie) => cookie.split('=')[0]),
    ['session', '_csrf'],
  );
  assert.ok(cookies.every((cookie) => cookie.includes('Max-Age=0')));
  assert.equal((await call('GET', '/user')).status, 200);
});

test('orgname goes before username, a login or an address will do, and names are found whatever their case', async () => {
  const call = as(strictEmulator());
  const method = async (query: string): Promise<unknown> => (await call('GET', `/user/login-method?${query}`)).json();
  assert.deepEqual(await method('orgname=HARBOR&username=eve'), {
    method: 'sso',
    orgAuthSourceID: 11,
    providerName: 'github-harbor',
    oauthCallbackPath: '/user/oauth2/org-1001',
    displayName: 'Harbor on GitHub',
  });
  assert.deepEqual(await method('username=Eve%40contoso.example.com'), await method('orgname=contoso'));
  // The source of harbor is active, but not enforced for members.
  assert.deepEqual(await method('username=bob'), { method: 'password' });
  assert.deepEqual(await method('orgname=nope&username=eve'), { method: 'password' });
});

test('the token of a hosted deployment verifies with the published keys', async () => {
  const emulator = strictEmulator({ hosted: true, now: '2025-01-01T00:00:00Z' });
  const token = String((await as(emulator, 'ada')('GET', '/user/cloudmsg-token')).at('cloudmsgToken'));
  const [head, body, signature = ''] = token.split('.');
  const jwk = (await as(emulator)('GET', '//.well-known/jwks.json')).at('keys.0') as JsonWebKey;
  const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('jwk', jwk, algorithm, false, ['verify']);
  const signed = new TextEncoder().encode(`${head}.${body}`);
  assert.ok(await crypto.subtle.verify(algorithm, key, Buffer.from(signature, 'base64url'), signed));
});

test('a token is issued with a password, works, is listed without itself, and is revoked', async () => {
  const emulator = strictEmulator();
  const nobody = as(emulator);
  const made = await nobody('POST', '/users/bob/tokens', { name: 'ci' }, basic('bob', 'bob-password'));
  assert.equal(made.status, 201);
  const sha1 = String(made.at('sha1'));
  assert.match(sha1, /^[0-9a-f]{40}$/);
  assert.equal(made.at('token_last_eight'), sha1.slice(-8));
  const bearer = await nobody('GET', '/user', undefined, { Authorization: `Bearer ${sha1}` });
  assert.equal(bearer.at('login'), 'bob');
  const listed = await nobody('GET', '/users/bob/tokens', undefined, basic('bob', 'bob-password'));
  assert.deepEqual(
    (listed.json() as { name: string; sha1: string }[]).map(({ name, sha1 }) => [name, sha1]),
    [
      ['demo', ''],
      ['ci', ''],
    ],
  );
  assert.equal((await nobody('POST', '/users/bob/tokens', { name: 'ci' }, basic('bob', 'bob-password'))).status, 422);
  assert.equal(
    (await nobody('DELETE', `/users/bob/tokens/${made.at('id')}`, undefined, basic('bob', 'bob-password'))).status,
    204,
  );
  assert.equal((await nobody('GET', `/user?token=${sha1}`)).status, 401);
  assert.equal((await nobody('DELETE', '/users/bob/tokens/ci', undefined, basic('bob', 'bob-password'))).status, 404);
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

test('revoked and expired tokens are refused, and an old one was good in its time', async () => {
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

test('the header wins over the query', async () => {
  const emulator = strictEmulator();
  const [ada, bob] = emulator.users();
  const headers = { Authorization: `token ${ada?.token}` };
  assert.equal((await as(emulator)('GET', `/user?token=${bob?.token}`, undefined, headers)).at('login'), 'ada');
  assert.equal((await as(emulator)('GET', `/user?token=${bob?.token}`, undefined, { Authorization: 'x' })).status, 401);
});

test('an admin may act as another person, nobody else may', async () => {
  const emulator = strictEmulator();
  assert.equal((await as(emulator, 'ada')('GET', '/user?sudo=cleo')).at('login'), 'cleo');
  assert.equal((await as(emulator, 'ada')('GET', '/user', undefined, { Sudo: 'nobody' })).status, 404);
  assert.equal((await as(emulator, 'bob')('GET', '/user?sudo=ada')).status, 403);
});

test('addresses are added all or none, and deleted all or none', async () => {
  const call = as(strictEmulator(), 'hana');
  const addresses = async (): Promise<unknown> => (await call('GET', '/user/emails')).json();
  const before = await addresses();
  for (const emails of [
    ['a@x.example', 'not an address'],
    ['a@x.example', 'A@x.example'],
    ['a@x.example', 'CLEO@example.com'],
    [],
  ]) {
    assert.equal((await call('POST', '/user/emails', { emails })).status, 422, JSON.stringify(emails));
    assert.deepEqual(await addresses(), before);
  }
  await call('POST', '/user/emails', { emails: ['a@x.example', 'b@x.example'] });
  assert.equal((await call('DELETE', '/user/emails', { emails: ['a@x.example', 'hana@example.com'] })).status, 422);
  assert.equal((await call('DELETE', '/user/emails', { emails: ['a@x.example', 'nope@x.example'] })).status, 404);
  assert.equal(((await addresses()) as unknown[]).length, 3);
  assert.equal((await call('DELETE', '/user/emails', { emails: [] })).status, 204);
  assert.equal((await call('DELETE', '/user/emails', { emails: ['A@X.example', 'b@x.example'] })).status, 204);
  assert.deepEqual(await addresses(), before);
});

test('a new address waits for confirmation where the service wants one', async () => {
  const call = as(strictEmulator({ confirmEmail: true }), 'hana');
  assert.equal((await call('POST', '/user/emails', { emails: ['a@x.example'] })).at('1.verified'), false);
});

const pages: readonly (readonly [string, number, string | null])[] = [
  [
    '',
    30,
    '<http://localhost/api/v1/user/followers?page=2>; rel="next",<http://localhost/api/v1/user/followers?page=3>; rel="last"',
  ],
  ['?page=0', 30, null],
  ['?page=-1', 30, null],
  ['?page=x', 30, null],
  ['?page=2', 30, null],
  [
    '?page=3',
    10,
    '<http://localhost/api/v1/user/followers?page=1>; rel="first",<http://localhost/api/v1/user/followers?page=2>; rel="prev"',
  ],
  ['?page=4', 0, null],
  ['?page=99999999999999999999', 30, null],
  ['?limit=5', 5, null],
  ['?limit=1000', 50, null],
  [
    '?limit=5&page=14',
    5,
    '<http://localhost/api/v1/user/followers?page=1&limit=5>; rel="first",<http://localhost/api/v1/user/followers?page=13&limit=5>; rel="prev"',
  ],
];
for (const [query, length, link] of pages) {
  test(`followers${query}: ${length} people`, async () => {
    const { json, headers } = await as(strictEmulator(), 'bob')('GET', `/user/followers${query}`);
    assert.equal((json() as unknown[]).length, length);
    assert.equal(headers.get('x-total-count'), '70');
    if (link !== null) assert.equal(headers.get('link'), link);
  });
}

test("others' private fields are blanked, but not for an admin", async () => {
  const emulator = strictEmulator();
  const seen = async (login: string): Promise<Record<string, unknown>> => {
    const { json } = await as(emulator, login)('GET', '/user/followers?limit=50');
    return (json() as Record<string, unknown>[]).find((user) => user.login === 'ivan') ?? {};
  };
  await as(emulator, 'ivan')('PUT', '/user/following/ada');
  const { email, last_login, is_admin } = await seen('bob');
  assert.deepEqual([email, last_login, is_admin], ['ivan@noreply.example.com', '0001-01-01T00:00:00Z', false]);
  const open = await seen('ada');
  assert.deepEqual([open.email, open.last_login], ['ivan@example.com', '2025-03-15T15:15:00Z']);
});

test('following twice, oneself, and unfollowing nobody in particular have no effect', async () => {
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
