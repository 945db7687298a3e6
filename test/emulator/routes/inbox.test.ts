import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createEmulator } from '../../../emulator/emulator.ts';
import { as, strictEmulator } from '../../support/emulator.ts';

const targets: readonly (readonly [string, Record<string, string>])[] = [
  ['/orgs/harbor/subscriptions', { scope: 'org', orgID: '1001', orgName: 'harbor', clusterName: '' }],
  ['/clustersv2/harbor/prod-eu/subscriptions/', { scope: 'cluster', clusterName: 'prod-eu', orgName: 'harbor' }],
  ['/clustersv2/harbor/prod-eu/subscriptions/namespaces/shop', { scope: 'namespace', namespaceName: 'shop' }],
  [
    '/clustersv2/harbor/prod-eu/subscriptions/namespaces/shop/core/v1/configmaps/settings',
    { scope: 'resource', apiGroup: '', version: 'v1', resource: 'configmaps', resourceName: 'settings' },
  ],
];
for (const [path, fields] of targets) {
  test(`subscribe, notify and unsubscribe: ${fields.scope}`, async () => {
    const call = as(strictEmulator({ now: '2025-05-02T00:00:00Z' }), 'ivan');
    assert.equal((await call('GET', path)).status, 404);
    for (const _ of [1, 2]) assert.equal((await call('POST', path)).status, 200);
    assert.equal((await call('GET', path)).text, '');
    const rows = (await call('GET', `/user/inbox/subscriptions?scope=${fields.scope}`)).json() as Record<
      string,
      unknown
    >[];
    assert.equal(rows.length, 1);
    for (const [name, value] of Object.entries(fields)) assert.equal(rows[0]?.[name], value, name);
    assert.equal(rows[0]?.createdAt, '2025-05-02T00:00:00Z');
    for (const _ of [1, 2]) assert.equal((await call('DELETE', path)).status, 200);
    assert.equal((await call('GET', path)).status, 404);
  });
}

test('users can only subscribe to what they can access', async () => {
  const call = as(strictEmulator(), 'hana');
  assert.equal((await call('POST', '/clustersv2/harbor/prod-eu/subscriptions')).status, 404);
  assert.equal((await call('POST', '/orgs/harbor/subscriptions')).status, 404);
});

test('all filters of the inbox must match exactly', async () => {
  const call = as(strictEmulator(), 'cleo');
  const count = async (query: string): Promise<number> =>
    ((await call('GET', `/user/inbox/subscriptions?${query}`)).json() as unknown[]).length;
  assert.equal(await count('orgName=harbor'), 5);
  assert.equal(await count('orgName=Harbor'), 0);
  assert.equal(await count('orgName=harbor&scope=resource'), 2);
  assert.equal((await call('GET', '/user/inbox/subscriptions?other=1')).status, 422);
  const lenient = await as(createEmulator(), 'cleo')('GET', '/user/inbox/subscriptions?other=1');
  assert.equal((lenient.json() as unknown[]).length, 6);
});
