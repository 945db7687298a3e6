import assert from 'node:assert/strict';
import { test } from 'node:test';
import { as, strictEmulator } from '../../support/emulator.ts';

const verdicts: readonly (readonly [string, string, string])[] = [
  ['username', 'user_name=a.b-c_d', 'VALID'],
  ['username', 'user_name=a..b', 'INVALID'],
  ['username', 'user_name=%C3%A4', 'INVALID'],
  ['username', `user_name=${'a'.repeat(41)}`, 'INVALID'],
  ['username', 'user_name=USER', 'RESERVED'],
  ['username', 'user_name=me.keys', 'RESERVED'],
  ['username', 'user_name=ADA', 'USER_EXISTS'],
  ['orgname', 'user_name=contoso&org=Contoso', 'VALID'],
  ['orgname', 'user_name=ada&org=ada', 'USER_EXISTS'],
  ['orgname', '', 'INVALID'],
  ['email', 'email=new%2Btag%40sub.example.com', 'VALID'],
  ['email', 'email=Ada%20%3Cada%40example.com%3E', 'INVALID'],
  ['email', 'email=a%40-example.com', 'INVALID'],
  ['email', 'email=%C3%A4%40example.com', 'INVALID'],
  ['email', 'email=x%40MAILINATOR.example', 'NOT_ALLOWED'],
];
for (const [kind, query, status] of verdicts) {
  test(`${kind} ${query}: ${status}`, async () => {
    assert.equal((await as(strictEmulator(), 'bob')('POST', `/user/validate/${kind}?${query}`)).at('Status'), status);
  });
}

test('the lists of names and domains are settings', async () => {
  const emulator = strictEmulator({
    reservedNames: ['mine'],
    emailDomains: { allow: ['corp.example'], block: [] },
  });
  const verdict = async (login: string, path: string): Promise<unknown> =>
    (await as(emulator, login)('POST', `/user/validate/${path}`)).at('Status');
  assert.equal(await verdict('bob', 'username?user_name=mine'), 'RESERVED');
  assert.equal(await verdict('bob', 'username?user_name=admin'), 'VALID');
  assert.equal(await verdict('bob', 'email?email=a%40example.com'), 'NOT_ALLOWED');
  assert.equal(await verdict('bob', 'email?email=a%40corp.example'), 'VALID');
});
