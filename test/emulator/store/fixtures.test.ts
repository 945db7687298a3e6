import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { readFolder } from '../../../emulator/fixture-folder.node.ts';
import { createEmulator } from '../../../emulator/index.ts';
import { defaultFixtures } from '../../../emulator/store/default-fixtures.ts';
import { type Fixtures, validateFixtures } from '../../../emulator/store/fixtures.ts';
import { findUser } from '../../../emulator/store/people.ts';
import { seedStore } from '../../../emulator/store/seed.ts';
import { formatSampleCharts } from '../../../scripts/build/generate/generate.ts';
import { createProject } from '../../support/project.ts';

const now = Date.parse('2025-05-02T09:00:00Z');

test('the built-in fixtures have data for every part of a demo', () => {
  const store = seedStore(validateFixtures({ ...defaultFixtures }), now);
  const distinct = (values: readonly unknown[]): number => new Set(values).size;
  const users = store.user.all();
  const credentials = store.credential.all();
  assert.ok(users.length >= 8 && store.organization.size >= 5 && store.cluster.size >= 12 && store.order.size >= 3);
  assert.equal(distinct(store.team.all().map(({ permission }) => permission)), 5);
  assert.ok(distinct(store.cluster.all().map(({ provider }) => provider)) >= 8);
  assert.equal(distinct(store.cluster.all().map(({ status }) => (status[0] as { phase: string }).phase)), 7);
  assert.equal(distinct(credentials.map(({ type }) => type)), 16);
  assert.equal(distinct(credentials.map(({ creationTimestamp }) => creationTimestamp)), credentials.length);
  assert.ok(store.follow.many('followee', findUser(store, 'bob')?.id ?? 0).length > 60, 'three pages of followers');
  assert.equal(distinct(store.subscription.all().map(({ scope }) => scope)), 4);
  for (const kind of ['is_admin', 'orgAdmin', 'clientOrgUser', 'prohibit_login'] as const)
    assert.ok(
      users.some((user) => user[kind]),
      kind,
    );
  assert.ok(users.some(({ active }) => !active) && users.some(({ password }) => password === ''));
});

test('the charts of the sample orders match fixtures/charts', async () => {
  assert.equal(await readFile('fixtures/sample-charts.json', 'utf8'), await formatSampleCharts());
});

const user = { login: 'ada' };
const organization = { username: 'harbor' };
const cluster = { owner: 'ada', name: 'c', uid: 'u', provider: 'EKS', status: { phase: 'Active' } };

const wrong: readonly (readonly [fixtures: unknown, message: string])[] = [
  [{ people: [] }, 'people: no such kind of fixture; there are users, emails,'],
  [{ users: {} }, 'users: must be a list'],
  [{ users: [{ login: 'a b' }] }, 'users[0].login: must match ^[A-Za-z0-9](?:[-._]?[A-Za-z0-9])*$'],
  [{ users: [{}] }, 'users[0]: is missing "login"'],
  [{ users: [user, { login: 'bob', is_admin: 'yes' }] }, 'users[1].is_admin: must be true or false'],
  [{ users: [{ ...user, created: 'yesterday' }] }, 'users[0].created: must be a time that there is'],
  [{ users: [user], organizations: [{ username: 'ADA' }] }, 'organizations[0].username: "ADA" is taken'],
  [{ users: [{ ...user, id: 5 }], organizations: [{ ...organization, id: 5 }] }, 'organizations[0].id: 5 is taken'],
  [
    { users: [user], emails: [{ user: 'ada', email: 'ADA@example.com' }] },
    'emails[0].email: "ADA@example.com" is taken',
  ],
  [{ tokens: [{ user: 'bob', name: 't', token: '12345678' }] }, 'tokens[0].user: there is no user "bob"'],
  [{ users: [{ ...user, orgContext: 'x' }] }, 'users[0].orgContext: there is no organization "x"'],
  [{ clusters: [cluster] }, 'clusters[0].owner: there is no user or organization "ada"'],
  [
    { users: [user, { login: 'b' }], follows: [{ user: 'ada', follows: ['b', 'b'] }] },
    'follows[0].follows: [1] is there twice: leave one out',
  ],
  [
    { users: [user], follows: [{ user: 'ada', follows: ['ADA'] }] },
    'follows[0].follows[0]: users cannot follow themselves: remove it',
  ],
  [
    {
      users: [user],
      organizations: [organization],
      teams: [{ organization: 'harbor', name: 't', permission: 'read', members: ['ada', 'ADA'] }],
    },
    'teams[0].members[1]: "ADA" is there twice: leave one out',
  ],
  [
    {
      users: [user, { login: 'b' }],
      tokens: ['ada', 'b'].map((login) => ({ user: login, name: 't', token: '12345678' })),
    },
    'tokens[1].token: is taken: give each user a unique token',
  ],
  [{ users: [{ ...user, blocks: ['bob'] }] }, 'users[0].blocks[0]: there is no user "bob"'],
  [
    { users: [user], clusters: [cluster, { ...cluster, uid: 'v', name: 'C' }] },
    'clusters[1].name: ada has a cluster "C" already',
  ],
  [{ users: [user], clusters: [cluster, cluster] }, 'clusters[1].uid: "u" is taken'],
  [
    { users: [user], credentials: [{ owner: 'ada', spec: {} }] },
    'credentials[0].spec: has no name: set name or metadata.name',
  ],
  [
    { users: [user], subscriptions: [{ user: 'ada', scope: 'org' }] },
    'subscriptions[0]: names an organization or a cluster, one of the two',
  ],
  [
    { users: [user], subscriptions: [{ user: 'ada', scope: 'cluster', cluster: 'a/b' }] },
    'subscriptions[0].cluster: there is no cluster "a/b"',
  ],
  [
    {
      users: [user],
      organizations: [organization],
      subscriptions: ['ada', 'Ada'].map((login) => ({ user: login, scope: 'org', organization: 'harbor' })),
    },
    'subscriptions[1]: is there twice: leave one out',
  ],
  [
    { users: [user], orders: [{ owner: 'ada', order: { metadata: {}, spec: {} } }] },
    'orders[0].order.metadata: is missing "uid"',
  ],
];
for (const [fixtures, message] of wrong) {
  test(`fixtures are refused: ${message}`, () => {
    assert.throws(
      () => seedStore(validateFixtures(fixtures as Record<string, unknown>), now),
      (error: Error) => error.name === 'FixtureError' && error.message.startsWith(`fixtures.${message}`),
    );
  });
}

const wrongFiles: readonly (readonly [file: string, text: string, message: RegExp])[] = [
  ['users.json', '[{"login":7}]', /^users\.json: \[0\]\.login: must be a string/],
  ['follows.json', '[{"user":"x","follows":[]}]', /^follows\.json: \[0\]\.user: there is no user "x"/],
  ['user.json', '[]', /^user\.json: no such kind of fixture; did you mean "users\.json"\?; there are users,/],
  [
    'users.json',
    '{"$schema": "x", "users": [], "user": []}',
    /^users\.json: has an unknown field "user" beside "users"$/,
  ],
  ['setting.json', '{}', /^setting\.json: no such kind of fixture; did you mean "settings\.json"\?/],
  ['settings.json', '{"hostd":true}', /^settings\.json: has an unknown field "hostd"/],
  ['scenarios.json', '{"a":{"description":"","faults":[{"status":1}]}}', /^scenarios\.json: a\.faults\[0\]\.status: /],
];
test('an invalid file of a folder is refused with its place', async () => {
  for (const [file, text, message] of wrongFiles) {
    const { folder } = createProject({ [file]: text });
    await assert.rejects(readFolder(folder), { code: 'FIXTURE_INVALID', message });
  }
});

test('lists are accepted as written by `drydock init`, with the schema beside', () => {
  const users = { $schema: 'x.json', users: [{ login: 'zoe' }] };
  assert.equal(seedStore(validateFixtures({ users } as Record<string, unknown>), now).user.size, 1);
  assert.equal(seedStore(validateFixtures(users), now).user.size, 1);
});

test('fields left out in a fixture have defaults', () => {
  const fixtures: Fixtures = {
    users: [{ login: 'Zoe' }],
    organizations: [{ username: 'org', members: [{ user: 'zoe' }] }],
  };
  const store = seedStore(fixtures, now);
  const zoe = findUser(store, 'zoe');
  assert.deepEqual([zoe?.full_name, zoe?.active, zoe?.orgContext], ['Zoe', true, 'org']);
  assert.equal(store.email.first('user', zoe?.id ?? 0)?.email, 'zoe@example.com');
});

test('the days of the calendar are valid, and no others', () => {
  const of = (created: string) => () => validateFixtures({ users: [{ login: 'ada', created }] });
  for (const day of ['1900-02-28', '2000-02-29', '2024-02-29', '2024-04-30', '2024-12-31']) of(`${day}T00:00:00Z`)();
  for (const day of [
    '1900-02-29',
    '2023-02-29',
    '2024-02-30',
    '2024-04-31',
    '2024-13-01',
    '2024-00-10',
    '2024-01-00',
  ]) {
    assert.throws(of(`${day}T00:00:00Z`), /must be a time that there is/);
  }
  for (const time of ['24:00:00Z', '12:60:00Z', '12:00:61Z', '12:00:00', '12:00:00+24:00']) {
    assert.throws(of(`2024-01-01T${time}`), /must be a time that there is/);
  }
});

test('relative times are based on the clock, and the same for a frozen clock', () => {
  const times = (created: string): string => {
    const store = seedStore(validateFixtures({ users: [{ login: 'zoe', created }] }), now);
    return findUser(store, 'zoe')?.created ?? '';
  };
  assert.equal(times('now'), '2025-05-02T09:00:00Z');
  assert.equal(times('now-1d-4h-5m-6s'), '2025-05-01T04:54:54Z');
  assert.equal(times('now+2w'), '2025-05-16T09:00:00Z');
  assert.equal(times('now-999999w'), '1970-01-01T00:00:00Z');
  assert.equal(times('2024-02-29T12:00:00+02:00'), '2024-02-29T12:00:00+02:00');
  for (const wrong of ['now-', 'now-3y', 'now 3d', 'now-3d ']) {
    assert.throws(() => times(wrong), /fixtures\.users\[0\]\.created: must be a time .*now-3d/, wrong);
  }
});

test('models accept relative times too', () => {
  const { db } = createEmulator({ fixtures: { users: [user] }, now }).world();
  const made = db.cluster.create({ owner: 'ada', createdAt: 'now-3d' });
  assert.equal(made.createdAt, '2025-04-29T09:00:00Z');
  const [updated] = db.cluster.updateMany({ where: { id: { equals: made.id } }, data: { createdAt: 'now-1h' } });
  assert.equal(updated?.createdAt, '2025-05-02T08:00:00Z');
});
