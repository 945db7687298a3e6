// Loads fixtures into a store: fills defaults, resolves logins and slugs, checks references and duplicates.

import { fold } from './fields.ts';
import {
  type ClusterFixture,
  FixtureError,
  type Fixtures,
  type PathFormat,
  pathInArgument,
  type SubscriptionFixture,
} from './fixtures.ts';
import { isObject } from './json.ts';
import { credentialName, credentialType, targetKey } from './kinds.ts';
import { findToken, findUser, isNameTaken } from './people.ts';
import type { Rows } from './rows.ts';
import { createStore, type Store } from './store.ts';
import { resolveTimes } from './times.ts';

// The default time of fixtures.
const seedTime = '2024-01-01T00:00:00Z';

/** Go's zero time, for a sign-in that never happened. */
export const zeroTime = '0001-01-01T00:00:00Z';

/** Builds a store from validated fixtures at the time `now`. Throws a `FixtureError` with paths in the caller's data. */
export function seedStore(fixtures: Fixtures, now: number, pathOf: PathFormat = pathInArgument('fixtures')): Store {
  const store = createStore();
  seedInto(store, fixtures, now, pathOf);
  return store;
}

/** Adds validated fixtures to a store at the time `now`. Throws a `FixtureError` with paths in the caller's data. */
export function seedInto(store: Store, fixtures: Fixtures, now: number, pathOf: PathFormat): void {
  try {
    insertFixtures(store, fixtures, now);
  } catch (failure) {
    if (!(failure instanceof FixtureError)) throw failure;
    throw new FixtureError(failure.issues.map((issue) => ({ ...issue, path: pathOf(issue.path) })));
  }
}

/** Inserts validated fixtures. Throws a `FixtureError` whose paths begin with the list, such as `users[0].login`. */
export function insertFixtures(store: Store, relative: Fixtures, now: number): void {
  const fixtures = resolveTimes(relative, now);
  seedPeople(store, fixtures);
  seedOrganizations(store, fixtures);
  seedLists(store, fixtures);
}

function refuse(place: string, message: string): never {
  throw new FixtureError([{ path: place, message }]);
}

function userOf(store: Store, login: string, place: string): number {
  return store.user.first('login', fold(login))?.id ?? refuse(place, `there is no user ${JSON.stringify(login)}`);
}

function organizationOf(store: Store, slug: string, place: string): number {
  return (
    store.organization.first('name', fold(slug))?.id ??
    refuse(place, `there is no organization ${JSON.stringify(slug)}`)
  );
}

function clusterOf(store: Store, name: string, place: string): Rows['cluster'] {
  return store.cluster.first('name', fold(name)) ?? refuse(place, `there is no cluster ${JSON.stringify(name)}`);
}

// Resolves people, without duplicates.
function idsOf(
  logins: readonly string[],
  idOf: (login: string) => number | undefined,
  place: string,
): readonly number[] {
  const ids = new Set<number>();
  for (const [at, login] of logins.entries()) {
    const id = idOf(login) ?? refuse(`${place}[${at}]`, `there is no user ${JSON.stringify(login)}`);
    if (ids.has(id)) refuse(`${place}[${at}]`, `${JSON.stringify(login)} is there twice: leave one out`);
    ids.add(id);
  }
  return [...ids];
}

function usersOf(store: Store, logins: readonly string[], place: string): readonly number[] {
  return idsOf(logins, (login) => store.user.first('login', fold(login))?.id, place);
}

// People and organizations share one sequence of ids; explicit ids in fixtures are reserved first.
function idSource(store: Store, fixtures: Fixtures): () => number {
  const taken = new Set([...store.user.all(), ...store.organization.all()].map(({ id }) => id));
  for (const [kind, rows] of [
    ['users', fixtures.users ?? []],
    ['organizations', fixtures.organizations ?? []],
  ] as const) {
    for (const [at, { id }] of rows.entries()) {
      if (id !== undefined && taken.has(id))
        refuse(`${kind}[${at}].id`, `${id} is taken: choose another or leave it out`);
      if (id !== undefined) taken.add(id);
    }
  }
  let last = Math.max(store.user.last, store.organization.last);
  return () => {
    do last++;
    while (taken.has(last));
    return last;
  };
}

function seedPeople(store: Store, fixtures: Fixtures): void {
  const nextId = idSource(store, fixtures);
  const contexts = contextsOf(fixtures);
  const users = fixtures.users ?? [];
  const ids = users.map(({ id }) => id ?? nextId());
  const idsByLogin = new Map(users.map(({ login }, at) => [fold(login), ids[at]]));
  for (const [at, user] of users.entries()) {
    const { login, full_name = login, language = 'en-US', last_login = zeroTime, created = seedTime } = user;
    const { active = true, orgContext = contexts.get(fold(login)) ?? '', blocks = [] } = user;
    if (isNameTaken(store, login)) refuse(`users[${at}].login`, `${JSON.stringify(login)} is taken`);
    // Blocked people may come later in the file, so the store may not have them yet.
    const idOf = (name: string): number | undefined => idsByLogin.get(fold(name)) ?? findUser(store, name)?.id;
    const blocked = idsOf(blocks, idOf, `users[${at}].blocks`);
    const own = { full_name, language, last_login, created, active, orgContext };
    store.user.insert({ ...user, ...own, id: ids[at]!, blocks: blocked });
  }
  for (const [at, { id, members: _, authSource, ...organization }] of (fixtures.organizations ?? []).entries()) {
    const { username } = organization;
    if (isNameTaken(store, username)) refuse(`organizations[${at}].username`, `${JSON.stringify(username)} is taken`);
    store.organization.insert({
      ...{ full_name: username, visibility: 'public', created: seedTime },
      ...organization,
      id: id ?? nextId(),
      authSource: authSource ? [authSource] : [],
    });
  }
}

// The first organization that lists a person, by login: the default workplace.
function contextsOf({ organizations = [] }: Fixtures): ReadonlyMap<string, string> {
  const contexts = new Map<string, string>();
  for (const { username, members = [] } of organizations) {
    for (const { user } of members) if (!contexts.has(fold(user))) contexts.set(fold(user), username);
  }
  return contexts;
}

function seedOrganizations(store: Store, { users = [], organizations = [] }: Fixtures): void {
  for (const [at, { orgContext = '' }] of users.entries()) {
    if (orgContext !== '') organizationOf(store, orgContext, `users[${at}].orgContext`);
  }
  for (const [at, { username, members = [] }] of organizations.entries()) {
    const organization = organizationOf(store, username, `organizations[${at}].username`);
    insertMembers(store, organization, members, `organizations[${at}].members`);
  }
}

/** Inserts a membership. Throws a `FixtureError` for an unknown person, and for a duplicate. */
export function insertMembers(
  store: Store,
  organization: number,
  members: readonly { readonly user: string; readonly public?: boolean }[],
  place: string,
): void {
  for (const [at, { user, public: isPublic = true }] of members.entries()) {
    const path = `${place}[${at}].user`;
    store.membership.insert({ organization, user: userOf(store, user, path), public: isPublic }, () =>
      refuse(path, `${JSON.stringify(user)} is there twice: leave one out`),
    );
  }
}

function insertEmail(store: Store, row: Omit<Rows['email'], 'id'>, place: string): void {
  store.email.insert(row, () => refuse(`${place}.email`, `${JSON.stringify(row.email)} is taken`));
}

/** Inserts the items of a list; `place` is the path of an item. */
function seedEach<Item>(
  kind: string,
  items: readonly Item[] | undefined,
  insert: (item: Item, place: string) => void,
): void {
  for (const [at, item] of items?.entries() ?? []) insert(item, `${kind}[${at}]`);
}

/** Inserts what belongs to the people and organizations of the store, in the order in which one refers to another. */
function seedLists(store: Store, fixtures: Fixtures): void {
  const teamKey = (organization: number, name: string): string => `${organization}/${fold(name)}`;
  const teams = new Set(store.team.all().map(({ organization, name }) => teamKey(organization, name)));
  seedEach('users', fixtures.users, ({ login, email = `${fold(login)}@example.com` }, place) => {
    insertEmail(store, { user: userOf(store, login, 'users'), email, primary: true, verified: true }, place);
  });
  seedEach('emails', fixtures.emails, ({ user, email, verified = true }, place) => {
    insertEmail(store, { user: userOf(store, user, `${place}.user`), email, verified, primary: false }, place);
  });
  seedEach('tokens', fixtures.tokens, ({ user, ...token }, place) => {
    const owner = userOf(store, user, `${place}.user`);
    if (findToken(store, token.token)) refuse(`${place}.token`, 'is taken: give each user a unique token');
    const isNamed = store.token.many('name', `${owner}/${token.name}`).some((row) => !row.revoked);
    if (isNamed && !token.revoked)
      refuse(`${place}.name`, 'is the name of another token of the person: choose another');
    store.token.insert({ created: seedTime, ...token, user: owner });
  });
  seedEach('teams', fixtures.teams, ({ organization, members = [], ...team }, place) => {
    const owner = organizationOf(store, organization, `${place}.organization`);
    const key = teamKey(owner, team.name);
    if (teams.has(key)) refuse(`${place}.name`, `the organization has a team ${JSON.stringify(team.name)} already`);
    teams.add(key);
    store.team.insert({ ...team, organization: owner, members: usersOf(store, members, `${place}.members`) });
  });
  seedEach('follows', fixtures.follows, ({ user, follows: logins }, place) => {
    const follower = userOf(store, user, `${place}.user`);
    for (const [at, followee] of usersOf(store, logins, `${place}.follows`).entries()) {
      const path = `${place}.follows[${at}]`;
      if (followee === follower) refuse(path, 'users cannot follow themselves: remove it');
      store.follow.insert({ follower, followee }, () =>
        refuse(path, `${JSON.stringify(user)} follows ${JSON.stringify(logins[at])} already: leave one out`),
      );
    }
  });
  seedEach('clusters', fixtures.clusters, (cluster, place) => {
    const { uid, owner, name } = cluster;
    if (store.cluster.first('uid', uid)) refuse(`${place}.uid`, `${JSON.stringify(uid)} is taken`);
    store.cluster.insert(clusterRow(store, cluster, place), () =>
      refuse(`${place}.name`, `${owner} has a cluster ${JSON.stringify(name)} already`),
    );
  });
  seedEach('history', fixtures.history, ({ cluster, entry }, place) => {
    store.history.insert({ cluster: clusterOf(store, cluster, `${place}.cluster`).id, entry: [entry] });
  });
  seedEach('credentials', fixtures.credentials, ({ owner, spec, creationTimestamp = seedTime }, place) => {
    const name = credentialName(spec) ?? refuse(`${place}.spec`, 'has no name: set name or metadata.name');
    const row = { owner: userOf(store, owner, `${place}.owner`), name, type: credentialType(spec), creationTimestamp };
    store.credential.insert({ ...row, spec: [spec] }, () =>
      refuse(`${place}.spec`, `${JSON.stringify(name)} is taken`),
    );
  });
  seedEach('buckets', fixtures.buckets, (bucket) => void store.bucket.insert(bucket));
  seedEach('subscriptions', fixtures.subscriptions, (subscription, place) => {
    const row = subscriptionRow(store, subscription, place);
    const { scope, apiGroup = '', version = '', resource = '' } = row;
    const isSame = (other: Rows['subscription']): boolean =>
      other.scope === scope && other.apiGroup === apiGroup && other.version === version && other.resource === resource;
    if (store.subscription.many('target', targetKey(row)).some(isSame)) refuse(place, 'is there twice: leave one out');
    store.subscription.insert(row);
  });
  seedEach('orders', fixtures.orders, ({ owner, order }, place) => {
    const path = `${place}.order.metadata.uid`;
    const uid = isObject(order.metadata) ? order.metadata.uid : undefined;
    if (typeof uid !== 'string') refuse(path, 'expected a text');
    if (store.order.has(uid)) refuse(path, `${uid} is taken`);
    store.order.insert({ id: uid, owner: userOf(store, owner, `${place}.owner`), order: JSON.stringify(order) });
  });
  seedEach('records', fixtures.records, ({ model, value }) => {
    store.record.insert({ model, value: JSON.stringify(value) });
  });
}

function clusterRow(store: Store, fixture: ClusterFixture, place: string): Partial<Rows['cluster']> {
  const { owner, access = [], status, ...cluster } = fixture;
  const user = store.user.first('login', fold(owner));
  const organization = store.organization.first('name', fold(owner));
  const holder = user ?? organization;
  if (!holder) refuse(`${place}.owner`, `there is no user or organization ${JSON.stringify(owner)}`);
  return {
    displayName: cluster.name,
    createdAt: seedTime,
    ...cluster,
    owner: holder.id,
    ownerName: user?.login ?? organization?.username ?? '',
    access: usersOf(store, access, `${place}.access`),
    status: [{ reason: '', message: '', ...status }],
  };
}

type SubscriptionValues = Partial<Rows['subscription']> & Pick<Rows['subscription'], 'subscriber'>;

function subscriptionRow(store: Store, fixture: SubscriptionFixture, place: string): SubscriptionValues {
  const { user, organization, cluster, createdAt = seedTime, ...target } = fixture;
  const common = { ...target, createdAt, updatedAt: createdAt, subscriber: userOf(store, user, `${place}.user`) };
  if ((organization === undefined) === (cluster === undefined)) {
    refuse(place, 'names an organization or a cluster, one of the two');
  }
  if ((organization !== undefined) !== (target.scope === 'org')) {
    refuse(`${place}.scope`, `${target.scope} goes with ${target.scope === 'org' ? 'an organization' : 'a cluster'}`);
  }
  if (organization !== undefined) {
    const org = store.organization.get(organizationOf(store, organization, `${place}.organization`));
    return { ...common, orgID: String(org?.id), orgName: org?.username ?? '' };
  }
  const row = clusterOf(store, cluster ?? '', `${place}.cluster`);
  const org = store.organization.get(row.owner);
  return {
    ...common,
    orgID: org ? String(org.id) : '',
    orgName: org?.username ?? '',
    clusterOwnerID: row.owner,
    clusterUID: row.uid,
    clusterName: row.name,
  };
}
