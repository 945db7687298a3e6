import assert from 'node:assert/strict';
import { test } from 'node:test';
import { as, strictEmulator } from '../../support/emulator.ts';

test('addresses are added all or none, and deleted all or none', async () => {
  const call = as(strictEmulator(), 'hana');
  const addresses = async (): Promise<unknown> => (await call('GET', '/user/emails')).json();
  const before = await addresses();
  for (const other of ['not an address', 'A@x.example', 'CLEO@example.com']) {
    assert.equal((await call('POST', '/user/emails', { emails: ['a@x.example', other] })).status, 422, other);
    assert.deepEqual(await addresses(), before);
  }
  await call('POST', '/user/emails', { emails: ['a@x.example', 'b@x.example'] });
  assert.equal((await call('DELETE', '/user/emails', { emails: ['a@x.example', 'hana@example.com'] })).status, 422);
  assert.equal((await call('DELETE', '/user/emails', { emails: ['a@x.example', 'nope@x.example'] })).status, 404);
  assert.equal(((await addresses()) as unknown[]).length, 3);
  assert.equal((await call('DELETE', '/user/emails', { emails: ['A@X.example', 'b@x.example'] })).status, 204);
  assert.deepEqual(await addresses(), before);
});

test('a new address needs confirmation if the service requires one', async () => {
  const call = as(strictEmulator({ confirmEmail: true }), 'hana');
  assert.equal((await call('POST', '/user/emails', { emails: ['a@x.example'] })).at('1.verified'), false);
});
