import assert from 'node:assert/strict';
import { test } from 'node:test';
import { as, strictEmulator } from '../../support/emulator.ts';

test('credentials are stored and returned as sent, replaced as a whole, and found by name in both places', async () => {
  const call = as(strictEmulator({ now: '2025-05-02T00:00:00Z' }), 'hana');
  const spec =
    '{"metadata":{"name":"my cred"},"type":"Aws","aws":{"a.b":null,"list":[1,{"x":2}]},"__proto__":{"admin":true},"constructor":{}}';
  assert.equal((await call('POST', '/user/credentials', spec)).status, 201);
  const { text, status } = await call('GET', '/user/credentials/my%20cred');
  assert.equal(status, 200);
  assert.equal(text, `${spec.slice(0, -1)},"creationTimestamp":"2025-05-02T00:00:00Z"}\n`);
  assert.equal(({} as { admin?: unknown }).admin, undefined);
  const azure = { name: 'my cred', type: 'Azure', azure: { x: 1 } };
  assert.equal((await call('PUT', '/user/credentials', azure)).status, 204);
  const list = (await call('GET', '/user/credentials')).json();
  assert.deepEqual(list, [{ ...azure, creationTimestamp: '2025-05-02T00:00:00Z' }]);
  assert.equal((await call('POST', '/user/credentials', { type: 'Aws' })).status, 422);
  const wrong = await call('POST', '/user/credentials', { name: 'x', type: 'aws' });
  assert.match(wrong.text, /type: must be one of Aws, Azure/);
});

test("nobody sees another person's credentials", async () => {
  const emulator = strictEmulator();
  assert.equal((await as(emulator, 'ada')('GET', '/user/credentials/aws-main')).status, 404);
  assert.equal((await as(emulator, 'ada')('DELETE', '/user/credentials/aws-main')).status, 404);
  const query = 'credential=aws-main&cluster_uid=1';
  assert.equal((await as(emulator, 'ada')('GET', `/user/clouds/aws/buckets?${query}`)).status, 404);
});
