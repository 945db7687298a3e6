import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { defaultFixtures } from '../../../emulator/store/default-fixtures.ts';
import { type Fixtures, validateFixtures } from '../../../emulator/store/fixtures.ts';
import { findUser } from '../../../emulator/store/people.ts';
import { seedStore } from '../../../emulator/store/seed.ts';
import { formatSampleCharts } from '../../../scripts/generate/sample-charts.ts';

test('the built-in fixtures fit their schemas and one another', () => {
  const store = seedStore(validateFixtures({ ...defaultFixtures }));
  assert.ok(store.user.size >= 8);
});

test('a demo finds what it wants in the built-in fixtures', () => {
  const store = seedStore(defaultFixtures);
  const distinct = (values: readonly string[]): number => new Set(values).size;
  assert.ok(store.organization.size >= 5);
  assert.deepEqual(
    new Set(store.team.all().map((team) => team.permission)),
    new Set(['none', 'read', 'write', 'admin', 'owner']),
  );
  assert.ok(store.cluster.size >= 12);
  assert.ok(distinct(store.cluster.all().map((cluster) => cluster.provider)) >= 8);
  assert.equal(
    distinct(store.cluster.all().map((cluster) => String((cluster.status[0] as { phase: string }).phase))),
    7,
  );
  assert.equal(distinct(store.credential.all().map((credential) => credential.type)), 16);
  assert.ok(store.follow.many('followee', findUser(store, 'bob')?.id ?? 0).length > 60, 'three pages of followers');
  assert.equal(distinct(store.subscription.all().map((row) => row.scope)), 4);
  assert.equal(store.order.size, 3);
  const users = store.user.all();
  assert.ok(users.some((user) => user.is_admin) && users.some((user) => user.orgAdmin));
  assert.ok(users.some((user) => user.clientOrgUser) && users.some((user) => user.password === ''));
  assert.ok(users.some((user) => !user.active) && users.some((user) => user.prohibit_login));
});

test('the charts of the sample orders are in step with fixtures/charts', async () => {
  assert.equal(await readFile('fixtures/sample-charts.json', 'utf8'), await formatSampleCharts());
});

const user = { login: 'ada' };
const organization = { username: 'harbor' };
const cluster = { owner: 'ada', name: 'c', uid: 'u', provider: 'EKS', status: {} };

const wrong: readonly (readonly [string, unknown, string])[] = [
  ['an unknown kind', { people: [] }, 'people.json: no such kind of fixture; there are users, emails,'],
  ['no list', { users: {} }, 'users.json: must be array'],
  [
    'a login that no path can hold',
    { users: [{ login: 'a b' }] },
    'users.json: [0].login: must match pattern "^[A-Za-z0-9](?:[-._]?[A-Za-z0-9])*$"',
  ],
  [
    'no e-mail address',
    { users: [{ login: 'a', email: 'nope' }] },
    'users.json: [0].email: must match pattern "^[^@\\s]+@[^@\\s]+$"',
  ],
  ['a missing field', { users: [{}] }, 'users.json: [0]: is missing "login"'],
  ['a misspelt field', { users: [{ ...user, fullname: 'x' }] }, 'users.json: [0]: has an unknown field "fullname"'],
  ['a wrong type', { users: [user, { login: 'bob', is_admin: 'yes' }] }, 'users.json: [1].is_admin: must be boolean'],
  ['no time', { users: [{ ...user, created: 'yesterday' }] }, 'users.json: [0].created: must be a time that there is'],
  [
    'an unknown permission',
    { teams: [{ organization: 'harbor', name: 't', permission: 'all' }] },
    'teams.json: [0].permission: must be one of none, read, write, admin, owner',
  ],
  [
    'two of a name',
    { users: [user], organizations: [{ username: 'ADA' }] },
    'organizations.json: [0].username: "ADA" is taken',
  ],
  [
    'two of an id',
    { users: [{ ...user, id: 5 }], organizations: [{ ...organization, id: 5 }] },
    'organizations.json: [0].id: 5 is taken',
  ],
  [
    'two of an address',
    { users: [user], emails: [{ user: 'ada', email: 'ADA@example.com' }] },
    'emails.json: [0].email: "ADA@example.com" is taken',
  ],
  [
    'a token of nobody',
    { tokens: [{ user: 'bob', name: 't', token: '12345678' }] },
    'tokens.json: [0].user: there is no user "bob"',
  ],
  [
    'a member who is nobody',
    { organizations: [{ ...organization, members: [{ user: 'bob' }] }] },
    'organizations.json: [0].members[0].user: there is no user "bob"',
  ],
  [
    'a team of nothing',
    { teams: [{ organization: 'x', name: 't', permission: 'read' }] },
    'teams.json: [0].organization: there is no organization "x"',
  ],
  [
    'an unknown context',
    { users: [{ ...user, orgContext: 'x' }] },
    'users.json: [0].orgContext: there is no organization "x"',
  ],
  ['a cluster of nobody', { clusters: [cluster] }, 'clusters.json: [0].owner: there is no user or organization "ada"'],
  [
    'someone followed twice',
    { users: [user, { login: 'b' }], follows: [{ user: 'ada', follows: ['b', 'b'] }] },
    'follows.json: [0].follows: [1] is there twice: leave one out',
  ],
  [
    'someone followed twice, in two entries',
    {
      users: [user, { login: 'b' }],
      follows: [
        { user: 'ada', follows: ['b'] },
        { user: 'Ada', follows: ['B'] },
      ],
    },
    'follows.json: [1].follows[0]: "Ada" follows "B" already: leave one out',
  ],
  [
    'someone who follows themselves',
    { users: [user], follows: [{ user: 'ada', follows: ['ADA'] }] },
    'follows.json: [0].follows[0]: nobody follows themselves: leave it out',
  ],
  [
    'a member twice',
    { users: [user], organizations: [{ ...organization, members: [{ user: 'ada' }, { user: 'Ada' }] }] },
    'organizations.json: [0].members[1].user: "Ada" is there twice: leave one out',
  ],
  [
    'a team member twice',
    {
      users: [user],
      organizations: [organization],
      teams: [{ organization: 'harbor', name: 't', permission: 'read', members: ['ada', 'ADA'] }],
    },
    'teams.json: [0].members[1]: "ADA" is there twice: leave one out',
  ],
  [
    'one token for two people',
    {
      users: [user, { login: 'b' }],
      tokens: ['ada', 'b'].map((login) => ({ user: login, name: 't', token: '12345678' })),
    },
    'tokens.json: [1].token: is the token of [0] too: give each a text of its own',
  ],
  [
    'an expiry on a day that never comes',
    { users: [user], tokens: [{ user: 'ada', name: 't', token: '12345678', expires: '2025-01-99T00:00:00Z' }] },
    'tokens.json: [0].expires: must be a time that there is, such as 2024-02-29T12:00:00Z',
  ],
  [
    'someone blocked who is nobody',
    { users: [{ ...user, blocks: ['bob'] }] },
    'users.json: [0].blocks[0]: there is no user "bob"',
  ],
  [
    'two of a cluster name',
    { users: [user], clusters: [cluster, { ...cluster, uid: 'v', name: 'C' }] },
    'clusters.json: [1].name: ada has a cluster "C" already',
  ],
  ['two of a uid', { users: [user], clusters: [cluster, cluster] }, 'clusters.json: [1].uid: "u" is taken'],
  [
    'a nameless credential',
    { users: [user], credentials: [{ owner: 'ada', spec: {} }] },
    'credentials.json: [0].spec: has no name: set name or metadata.name',
  ],
  [
    'a subscription to nothing',
    { users: [user], subscriptions: [{ user: 'ada', scope: 'org' }] },
    'subscriptions.json: [0]: names an organization or a cluster, one of the two',
  ],
  [
    'a subscription to no cluster',
    { users: [user], subscriptions: [{ user: 'ada', scope: 'cluster', cluster: 'a/b' }] },
    'subscriptions.json: [0].cluster: there is no cluster "a/b"',
  ],
  [
    'an order without a uid',
    { users: [user], orders: [{ owner: 'ada', order: { metadata: {}, spec: {} } }] },
    'orders.json: [0].order.metadata: is missing "uid"',
  ],
];
for (const [name, fixtures, message] of wrong) {
  test(`fixtures with ${name} are refused, the file and the path named`, () => {
    assert.throws(
      () => seedStore(validateFixtures(fixtures as Record<string, unknown>)),
      (error: Error) => error.name === 'FixtureError' && error.message.startsWith(message),
    );
  });
}

test('what a fixture leaves out has a default', () => {
  const fixtures: Fixtures = {
    users: [{ login: 'Zoe' }],
    organizations: [{ username: 'org', members: [{ user: 'zoe' }] }],
  };
  const store = seedStore(fixtures);
  const zoe = findUser(store, 'zoe');
  assert.deepEqual([zoe?.full_name, zoe?.active, zoe?.orgContext], ['Zoe', true, 'org']);
  assert.equal(store.email.first('user', zoe?.id ?? 0)?.email, 'zoe@example.com');
});

test('the days that are written are the days there are', () => {
  const of = (created: string) => () => validateFixtures({ users: [{ login: 'ada', created }] });
  for (let time = Date.UTC(1899, 11, 1); time < Date.UTC(2001, 2, 3); time += 86_400_000) {
    of(new Date(time).toISOString())();
  }
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
