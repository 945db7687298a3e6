import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createEmulator, type Emulator, type Models } from '../../../emulator/index.ts';

/** Calls a fresh emulator as a user, in strict mode: a response that violates its schema is a 500. */
function start(): {
  readonly db: Models;
  readonly emulator: Emulator;
  get(path: string, as: string): Promise<unknown>;
} {
  const emulator = createEmulator({ strict: true });
  const { db } = emulator.world();
  return {
    db,
    emulator,
    get: async (path, as) => {
      const token = db.token.findFirst({ where: { user: { equals: as } } }) ?? db.token.create({ user: as });
      const answer = await emulator.fetch(`/api/v1${path}`, { headers: { Authorization: `token ${token.token}` } });
      assert.ok(answer.status < 400, `${path}: ${answer.status} ${await answer.clone().text()}`);
      return answer.headers.get('content-type')?.startsWith('application/json') ? answer.json() : undefined;
    },
  };
}

const names = (list: unknown): string[] =>
  (list as { readonly name?: string; readonly login?: string; readonly username?: string }[]).map(
    ({ name, login, username }) => name ?? login ?? username ?? '',
  );

describe('D a row that a test adds', () => {
  test('is in every route like a seeded one: people, follows, organizations, teams, clusters', async () => {
    const { db, get } = start();
    const zoe = db.person.create({ login: 'zoe', full_name: 'Zoe' });
    const crew = db.organization.create({ username: 'crew', members: [{ user: 'zoe' }] });
    db.person.update({ where: { login: { equals: 'zoe' } }, data: { orgContext: crew } });
    db.team.create({ organization: crew, name: 'deck', members: [zoe, 'ada'] });
    db.follow.create({ follower: 'bob', followee: zoe });
    db.cluster.create({ owner: zoe, name: 'dev' });
    db.cluster.create({ owner: crew, name: 'prod', status: { phase: 'NotReady' } });
    assert.deepEqual(names(await get('/user/followers', 'zoe')), ['bob']);
    assert.deepEqual(names(await get('/user/orgs', 'zoe')), ['crew']);
    assert.deepEqual(names(await get('/user/teams', 'zoe')), ['deck']);
    assert.deepEqual(names(await get('/user/clusters?all=true', 'zoe')), ['dev', 'prod']);
    assert.deepEqual(names(await get('/user/clusters', 'zoe')), ['dev']);
    const me = (await get('/user', 'zoe')) as { readonly email: string; readonly full_name: string };
    assert.deepEqual([me.email, me.full_name], ['zoe@example.com', 'Zoe']);
  });

  test('has a default for every field', async () => {
    const { db, get } = start();
    const owner = db.person.create();
    const cluster = db.cluster.create({ owner });
    db.credential.create({ owner });
    db.email.create({ user: owner });
    db.subscription.create({ user: owner, cluster });
    db.subscription.create({ user: owner, organization: 'harbor' });
    db.bucket.create();
    db.history.create({ cluster });
    const order = db.order.create({ owner });
    for (const path of ['/user/clusters', '/user/emails', '/user/inbox/subscriptions', '/user/credentials']) {
      assert.ok(((await get(path, owner.login)) as readonly unknown[]).length > 0, path);
    }
    await get(`/user/deploy/orders/${order.id}/render/manifest`, owner.login);
    await get(`/user/msgbus/cluster-resource-history?cluster_uid=${cluster.uid}`, 'ada');
    assert.equal(new Set([db.cluster.create({ owner }).uid, cluster.uid]).size, 2);
  });

  test('keeps data that only looks like a row', () => {
    const { db } = start();
    const spec = { name: 'object-store', type: 'Swift', swift: { login: 'x' }, username: 'operator', owner: 'a' };
    assert.deepEqual(db.credential.create({ owner: 'ada', spec }).spec, spec);
  });

  test('is found, listed, sorted and counted as in @mswjs/data', () => {
    const { db } = start();
    assert.equal(db.person.findFirst({ where: { login: { equals: 'ada' } } })?.full_name, 'Ada Moreno');
    assert.equal(db.person.findFirst({ where: { login: { equals: 'nobody' } } }), null);
    const { length } = db.cluster.findMany({
      where: { status: { phase: { notEquals: 'Active' } }, owner: { in: ['ada', 'harbor'] } },
    });
    assert.equal(
      length,
      db.cluster.getAll().filter((row) => row.status.phase !== 'Active' && /^(?:ada|harbor)$/.test(row.owner)).length,
    );
    const ada = db.person.findFirst({ where: { login: { equals: 'ada' } }, strict: true });
    assert.ok(db.team.count({ where: { members: { contains: 'ada' } } }) > 0);
    assert.equal(
      db.cluster.count({ where: { owner: { equals: 'ada' } } }),
      db.cluster.count({ where: { owner: { equals: ada as never } } }),
    );
    const [first, second] = db.person.findMany({ orderBy: { login: 'desc' }, take: 2 });
    assert.ok(first && second && first.login > second.login);
    assert.equal(db.person.findMany({ skip: 70 }).length, db.person.count() - 70);
    const some = db.cluster.findMany({ where: { nodeCount: { between: [2, 5], notEquals: 3 } } });
    assert.ok(some.length > 0 && some.every((row) => row.nodeCount !== 3));
  });

  test('is changed in place, with references to its name', async () => {
    const { db, get } = start();
    const zoe = db.person.create({ login: 'zoe' });
    const cluster = db.cluster.create({ owner: zoe });
    db.subscription.create({ user: 'ada', cluster });
    const changed = db.person.update({
      where: { login: { equals: 'zoe' } },
      data: { login: 'zoey', email: 'zoey@example.org', full_name: (before) => `${before} Z.` },
    });
    assert.deepEqual([changed?.id, changed?.full_name], [zoe.id, 'zoe Z.']);
    assert.equal(db.cluster.findFirst({ where: { uid: { equals: cluster.uid } } })?.owner, 'zoey');
    assert.equal(((await get('/user', 'zoey')) as { email: string }).email, 'zoey@example.org');
    assert.equal(db.email.count({ where: { user: { equals: 'zoey' } } }), 1);
    const renamed = db.organization.update({ where: { username: { equals: 'harbor' } }, data: { username: 'haven' } });
    assert.ok(renamed && renamed.members.length > 1);
    assert.equal(db.person.count({ where: { orgContext: { equals: 'harbor' } } }), 0);
    db.cluster.updateMany({
      where: { owner: { equals: 'haven' } },
      data: { nodeCount: (before) => (before ?? 0) + 1 },
    });
    await get('/user/clusters?all=true', 'ada');
  });

  test('is deleted with everything that belongs to it, and nothing else', async () => {
    const { db, get } = start();
    const counts = () => [db.person.count(), db.email.count(), db.cluster.count()];
    const before = counts();
    const zoe = db.person.create({ login: 'zoe' });
    db.cluster.create({ owner: zoe });
    db.team.create({ organization: 'harbor', name: 'new', members: ['ada', zoe] });
    db.follow.create({ follower: 'ada', followee: zoe });
    assert.equal(db.person.delete({ where: { login: { equals: 'zoe' } } })?.id, zoe.id);
    assert.deepEqual(counts(), before);
    assert.deepEqual(db.team.findFirst({ where: { name: { equals: 'new' } } })?.members, ['ada']);
    assert.equal(db.person.delete({ where: { login: { equals: 'zoe' } } }), null);
    db.organization.deleteMany({ where: {} });
    assert.equal(db.team.count() + db.membership.count(), 0);
    await get('/user/inbox/subscriptions', 'ada');
    await get('/user/orgs', 'ada');
  });
});

const refused: readonly (readonly [call: (db: Models) => unknown, message: string])[] = [
  [(db) => db.person.create({ login: 'ADA' }), 'person.create: login: "ADA" is taken'],
  [(db) => db.cluster.create({ owner: 'x' }), 'cluster.create: owner: there is no user or organization "x"'],
  [(db) => db.cluster.create(), 'cluster.create: is missing "owner"'],
  [(db) => db.person.create({ lgin: 'x' } as never), 'person.create: has an unknown field "lgin"'],
  [(db) => db.follow.create({ follower: 'ada', followee: 'ada' }), 'follow.create: followee: users cannot follow'],
  [(db) => db.membership.create({ organization: 'x', user: 'ada' }), 'membership.create: organization: there is no'],
  [
    (db) => db.person.update({ where: { login: { equals: 'bob' } }, data: { login: 'ada' } }),
    'person.update: login: "ada" is taken',
  ],
  [(db) => db.email.delete({ where: { primary: { equals: true } } }), 'email.delete: "ada@'],
  [(db) => db.person.findMany({ where: { lgin: {} } } as never), 'person: there is no field "lgin"; did you'],
  [(db) => db.person.findMany({ where: { login: { equal: 'a' } } } as never), 'person: there is no comparison "equal"'],
  [(db) => db.person.findFirst({ where: { login: { equals: 'x' } }, strict: true }), 'person.findFirst: no row'],
];
for (const [call, message] of refused) {
  test(`refused, and nothing is changed: ${message}`, () => {
    const { db, emulator } = start();
    const before = JSON.stringify(emulator.world().exportSnapshot()?.state.rows);
    assert.throws(
      () => call(db),
      (error: Error & { code?: string }) =>
        error.message.startsWith(`db.${message}`) && /^F(?:IXTURE|ILTER)_INVALID$/.test(error.code ?? ''),
    );
    assert.equal(JSON.stringify(emulator.world().exportSnapshot()?.state.rows), before);
  });
}
