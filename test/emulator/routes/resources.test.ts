// Organizations, clusters, credentials, validation and the inbox, beyond the rows of the document.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatAge } from '../../../emulator/routes/shapes.ts';
import { as, strictEmulator } from '../../support/emulator.ts';

const visible: readonly (readonly [string | undefined, string, number])[] = [
  [undefined, 'harbor', 200],
  [undefined, 'northwind', 404],
  ['hana', 'northwind', 200],
  ['hana', 'skunkworks', 404],
  ['cleo', 'skunkworks', 200],
  ['ada', 'skunkworks', 200],
  ['ada', 'nope', 404],
];
for (const [login, slug, status] of visible) {
  test(`${login ?? 'nobody'} looks at ${slug}: ${status}`, async () => {
    assert.equal((await as(strictEmulator(), login)('GET', `/orgs/${slug}`)).status, status);
  });
}

test('memberships of others show what is public, and organizations one may see', async () => {
  const emulator = strictEmulator();
  const slugs = async (login: string | undefined): Promise<unknown> =>
    ((await as(emulator, login)('GET', '/users/cleo/orgs')).json() as { username: string }[]).map(
      ({ username }) => username,
    );
  assert.deepEqual(await slugs(undefined), ['harbor']);
  assert.deepEqual(await slugs('hana'), ['harbor']);
  assert.deepEqual(await slugs('cleo'), ['harbor', 'northwind', 'skunkworks']);
  assert.equal(
    (await as(emulator)('GET', '/users/cleo/orgs', undefined, { Authorization: 'token bad-bad-bad' })).status,
    401,
  );
});

test('clusters of the caller, of the organizations and shared ones, each once', async () => {
  const emulator = strictEmulator({ now: '2025-05-02T00:00:00Z' });
  const names = async (login: string, query: string): Promise<unknown> =>
    ((await as(emulator, login)('GET', `/user/clusters${query}`)).json() as { name: string }[]).map(({ name }) => name);
  assert.deepEqual(await names('cleo', ''), ['playground']);
  assert.deepEqual(await names('cleo', '?all=true'), [
    ...['sandbox', 'playground', 'prod-eu', 'prod-us', 'watchtower', 'warehouse', 'prototype'],
  ]);
  assert.deepEqual(await names('cleo', '?all=1'), ['playground']);
  assert.equal((await as(emulator, 'cleo')('GET', '/user/clusters')).at('0.age'), '38h');
});

const ages: readonly (readonly [number, string])[] = [
  [-5, '0s'],
  [119, '119s'],
  [120, '2m'],
  [135, '2m15s'],
  [43 * 60, '43m'],
  [3 * 3600, '3h'],
  [3 * 3600 + 600, '3h10m'],
  [47 * 3600, '47h'],
  [2 * 86400 + 3600, '2d1h'],
  [12 * 86400, '12d'],
  [729 * 86400, '729d'],
  [731 * 86400, '2y1d'],
  [365 * 9 * 86400, '9y'],
];
for (const [seconds, want] of ages) {
  test(`${seconds} seconds are ${want}`, () => assert.equal(formatAge(seconds * 1000), want));
}

test('credentials are kept and given back as sent, replaced whole, found by name at either place', async () => {
  const call = as(strictEmulator({ now: '2025-05-02T00:00:00Z' }), 'hana');
  const spec =
    '{"metadata":{"name":"my cred"},"type":"Aws","aws":{"a.b":null,"list":[1,{"x":2}]},"__proto__":{"admin":true},"constructor":{}}';
  assert.equal((await call('POST', '/user/credentials', spec)).status, 201);
  const { text, status } = await call('GET', '/user/credentials/my%20cred');
  assert.equal(status, 200);
  assert.equal(text, `${spec.slice(0, -1)},"creationTimestamp":"2025-05-02T00:00:00Z"}\n`);
  assert.equal(({} as { admin?: unknown }).admin, undefined);
  assert.equal(
    (await call('PUT', '/user/credentials', { name: 'my cred', type: 'Azure', azure: { x: 1 } })).status,
    204,
  );
  assert.deepEqual((await call('GET', '/user/credentials')).json(), [
    { name: 'my cred', type: 'Azure', azure: { x: 1 }, creationTimestamp: '2025-05-02T00:00:00Z' },
  ]);
  assert.equal((await call('POST', '/user/credentials', { name: 'my cred' })).status, 422);
  assert.equal((await call('POST', '/user/credentials', { type: 'Aws' })).status, 422);
  assert.match(
    (await call('POST', '/user/credentials', { name: 'x', type: 'aws' })).text,
    /type: must be one of Aws, Azure/,
  );
  assert.equal((await call('DELETE', '/user/credentials/my%20cred')).status, 204);
  assert.equal((await call('GET', '/user/credentials/my%20cred')).status, 404);
});

test("nobody sees another person's credentials", async () => {
  const emulator = strictEmulator();
  assert.equal((await as(emulator, 'ada')('GET', '/user/credentials/aws-main')).status, 404);
  assert.equal((await as(emulator, 'ada')('DELETE', '/user/credentials/aws-main')).status, 404);
  const query = 'credential=aws-main&cluster_uid=1';
  assert.equal((await as(emulator, 'ada')('GET', `/user/clouds/aws/buckets?${query}`)).status, 404);
});

const buckets: readonly (readonly [string, string, readonly string[]])[] = [
  ['gce', 'credential=gcp-main&cluster_uid=1', ['harbor-prod-artifacts', 'harbor-prod-state', 'harbor-test-state']],
  [
    'GCE',
    'credential=gcp-main&cluster_uid=1&cloud_project=harbor-prod',
    ['harbor-prod-artifacts', 'harbor-prod-state'],
  ],
  ['azure', 'secret_namespace=a&secret_name=b&cluster_uid=1', ['backups', 'media']],
  ['nowhere', 'secret_namespace=a&secret_name=b&cluster_uid=1', []],
];
for (const [cloud, query, names] of buckets) {
  test(`buckets of ${cloud} with ${query}`, async () => {
    const { json } = await as(strictEmulator(), 'bob')('GET', `/user/clouds/${cloud}/buckets?${query}`);
    assert.deepEqual(json(), { names });
  });
}

const verdicts: readonly (readonly [string, string, string])[] = [
  ['username', 'user_name=a.b-c_d', 'VALID'],
  ['username', 'user_name=a..b', 'INVALID'],
  ['username', 'user_name=a-', 'INVALID'],
  ['username', 'user_name=-a', 'INVALID'],
  ['username', 'user_name=a%20b', 'INVALID'],
  ['username', 'user_name=%C3%A4', 'INVALID'],
  ['username', `user_name=${'a'.repeat(41)}`, 'INVALID'],
  ['username', 'user_name=USER', 'RESERVED'],
  ['username', 'user_name=me.keys', 'RESERVED'],
  ['username', 'user_name=ADA', 'USER_EXISTS'],
  ['orgname', 'user_name=contoso', 'USER_EXISTS'],
  ['orgname', 'user_name=contoso&org=Contoso', 'VALID'],
  ['orgname', 'user_name=explore', 'RESERVED'],
  ['orgname', '', 'INVALID'],
  ['email', 'email=new%40example.com', 'VALID'],
  ['email', 'email=new%2Btag%40sub.example.com', 'VALID'],
  ['email', 'email=Ada%20%3Cada%40example.com%3E', 'INVALID'],
  ['email', 'email=a%40-example.com', 'INVALID'],
  ['email', 'email=a%40example..com', 'INVALID'],
  ['email', 'email=-a%40example.com', 'INVALID'],
  ['email', 'email=%C3%A4%40example.com', 'INVALID'],
  ['email', 'email=x%40MAILINATOR.example', 'NOT_ALLOWED'],
];
for (const [kind, query, status] of verdicts) {
  test(`${kind} ${query}: ${status}`, async () => {
    assert.equal((await as(strictEmulator(), 'bob')('POST', `/user/validate/${kind}?${query}`)).at('Status'), status);
  });
}

test('lists of names and domains come from the settings', async () => {
  const emulator = strictEmulator({
    reservedNames: ['mine'],
    emailDomains: { allow: ['corp.example'], block: [] },
    organizationCreators: 'admins',
  });
  const verdict = async (login: string, path: string): Promise<unknown> =>
    (await as(emulator, login)('POST', `/user/validate/${path}`)).at('Status');
  assert.equal(await verdict('bob', 'username?user_name=mine'), 'RESERVED');
  assert.equal(await verdict('bob', 'username?user_name=admin'), 'VALID');
  assert.equal(await verdict('bob', 'email?email=a%40example.com'), 'NOT_ALLOWED');
  assert.equal(await verdict('bob', 'email?email=a%40corp.example'), 'VALID');
  assert.equal(await verdict('bob', 'orgname?user_name=fresh'), 'NOT_ALLOWED');
  assert.equal(await verdict('ada', 'orgname?user_name=fresh'), 'VALID');
});

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
  test(`subscribe, tell and unsubscribe: ${fields.scope}`, async () => {
    const call = as(strictEmulator({ now: '2025-05-02T00:00:00Z' }), 'ivan');
    assert.equal((await call('GET', path)).status, 404);
    for (const _ of [1, 2])
      assert.deepEqual([(await call('POST', path)).status, (await call('GET', path)).text], [200, '']);
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

test('one subscribes only to what one can reach', async () => {
  const call = as(strictEmulator(), 'hana');
  assert.equal((await call('POST', '/clustersv2/harbor/prod-eu/subscriptions')).status, 404);
  assert.equal((await call('POST', '/orgs/harbor/subscriptions')).status, 404);
  assert.equal((await call('POST', '/clustersv2/no/such/subscriptions')).status, 404);
});

test('filters of the inbox must all fit, exactly', async () => {
  const call = as(strictEmulator(), 'cleo');
  const count = async (query: string): Promise<number> =>
    ((await call('GET', `/user/inbox/subscriptions?${query}`)).json() as unknown[]).length;
  assert.equal(await count(''), 6);
  assert.equal(await count('orgName=harbor'), 5);
  assert.equal(await count('orgName=Harbor'), 0);
  assert.equal(await count('orgName=harbor&scope=resource'), 2);
  assert.equal(await count('scope=resource&resourceName=coredns&namespaceName=shop'), 0);
  assert.equal(await count('scope=nonsense'), 0);
  assert.equal(await count('other=1'), 6);
});
