import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import { test } from 'node:test';
import { as, strictEmulator } from '../../support/emulator.ts';

test('a user has the fifteen documented fields and four more', async () => {
  const { json } = await as(strictEmulator(), 'ada')('GET', '/user');
  assert.deepEqual(Object.keys(json() as object), [
    ...['id', 'login', 'username', 'full_name', 'email', 'avatar_url', 'language', 'is_admin', 'last_login', 'created'],
    ...['type', 'active', 'prohibit_login', 'orgAdmin', 'location', 'website', 'description'],
  ]);
});

test('a sign-out clears two cookies and leaves the token valid', async () => {
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

test('orgname comes before username, a login or an address is accepted, and names are case-insensitive', async () => {
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
  assert.deepEqual(await method('orgname=nope'), { method: 'password' });
  // The user is used if the organization leads nowhere.
  assert.deepEqual(await method('orgname=nope&username=eve'), await method('orgname=contoso'));
});

test('the token of a hosted deployment verifies with the published keys', async () => {
  const emulator = strictEmulator({ hosted: true, now: '2025-01-01T00:00:00Z' });
  const token = String((await as(emulator, 'ada')('GET', '/user/cloudmsg-token')).at('cloudmsgToken'));
  const [head, body, signature = ''] = token.split('.');
  const jwk = (await as(emulator)('GET', '//.well-known/jwks.json')).at('keys.0') as JsonWebKey;
  const key = createPublicKey({ key: { ...jwk }, format: 'jwk' });
  assert.ok(verify('sha256', Buffer.from(`${head}.${body}`), key, Buffer.from(signature, 'base64url')));
});
