// Fixtures into a store: defaults filled in, logins and slugs turned into ids, every reference checked.

import { credentialName, credentialType } from './credential.ts';
import { type ClusterFixture, FixtureError, type Fixtures, type SubscriptionFixture } from './fixtures.ts';
import { findOrganization, findUser, isNameTaken } from './people.ts';
import { type ClusterRow, isObject, type UserRow } from './rows.ts';
import { fold, Store } from './store.ts';

// The time that fixtures have when they do not say one.
const seedTime = '2024-01-01T00:00:00Z';

/** The time that Go shows for a sign-in that never happened. */
export const zeroTime = '0001-01-01T00:00:00Z';

/** Builds a store from checked fixtures. Throws a `FixtureError` that names file and path of a reference to nobody. */
export function seedStore(fixtures: Fixtures): Store {
  const store = new Store();
  seedPeople(store, fixtures);
  seedOrganizations(store, fixtures);
  seedContexts(store, fixtures);
  seedFollows(store, fixtures);
  seedClusters(store, fixtures);
  seedCredentials(store, fixtures);
  seedInbox(store, fixtures);
  seedOrders(store, fixtures);
  return store;
}

function refuse(place: string, message: string): never {
  throw new FixtureError(`${place}: ${message}`);
}

function userOf(store: Store, login: string, place: string): UserRow {
  return findUser(store, login) ?? refuse(place, `there is no user ${JSON.stringify(login)}`);
}

// People and organizations share one sequence of ids; those that a fixture fixes are set aside first.
function idSource(fixtures: Fixtures): () => number {
  const taken = new Set<number>();
  for (const [kind, rows] of [
    ['users', fixtures.users ?? []],
    ['organizations', fixtures.organizations ?? []],
  ] as const) {
    for (const [at, { id }] of rows.entries()) {
      if (id !== undefined && taken.has(id)) refuse(`${kind}.json: [${at}].id`, `${id} is taken`);
      if (id !== undefined) taken.add(id);
    }
  }
  let last = 0;
  return () => {
    do last++;
    while (taken.has(last));
    return last;
  };
}

function seedPeople(store: Store, fixtures: Fixtures): void {
  const nextId = idSource(fixtures);
  for (const [at, { email, ...user }] of (fixtures.users ?? []).entries()) {
    const place = `users.json: [${at}]`;
    if (isNameTaken(store, user.login)) refuse(`${place}.login`, `${JSON.stringify(user.login)} is taken`);
    const row = store.user.add({
      full_name: user.login,
      language: 'en-US',
      last_login: zeroTime,
      created: seedTime,
      active: true,
      blocks: [],
      ...user,
      id: user.id ?? nextId(),
    });
    addEmail(store, `${place}.email`, {
      user: row.id,
      email: email ?? `${fold(user.login)}@example.com`,
      primary: true,
    });
  }
  for (const [at, { user, email, verified }] of (fixtures.emails ?? []).entries()) {
    const place = `emails.json: [${at}]`;
    const owner = userOf(store, user, `${place}.user`);
    addEmail(store, `${place}.email`, { user: owner.id, email, verified: verified ?? true });
  }
  for (const [at, { user, ...token }] of (fixtures.tokens ?? []).entries()) {
    const owner = userOf(store, user, `tokens.json: [${at}].user`);
    store.token.add({ created: seedTime, ...token, user: owner.id });
  }
  for (const [at, { id, members, authSource, ...organization }] of (fixtures.organizations ?? []).entries()) {
    const place = `organizations.json: [${at}]`;
    const { username } = organization;
    if (isNameTaken(store, username)) refuse(`${place}.username`, `${JSON.stringify(username)} is taken`);
    store.organization.add({
      full_name: username,
      visibility: 'public',
      created: seedTime,
      ...organization,
      id: id ?? nextId(),
      authSource: authSource ? [authSource] : [],
    });
  }
}

function addEmail(
  store: Store,
  place: string,
  email: { readonly user: number; readonly email: string; readonly primary?: boolean; readonly verified?: boolean },
): void {
  if (store.email.first('address', fold(email.email))) refuse(place, `${JSON.stringify(email.email)} is taken`);
  store.email.add({ verified: true, primary: false, ...email });
}

function seedOrganizations(store: Store, fixtures: Fixtures): void {
  for (const [at, { username, members }] of (fixtures.organizations ?? []).entries()) {
    const organization = findOrganization(store, username);
    for (const [i, member] of (members ?? []).entries()) {
      const user = userOf(store, member.user, `organizations.json: [${at}].members[${i}].user`);
      store.membership.add({ organization: organization?.id ?? 0, user: user.id, public: member.public ?? true });
    }
  }
  for (const [at, { organization, members, ...team }] of (fixtures.teams ?? []).entries()) {
    const place = `teams.json: [${at}]`;
    const owner = findOrganization(store, organization);
    if (!owner) refuse(`${place}.organization`, `there is no organization ${JSON.stringify(organization)}`);
    const ids = (members ?? []).map((login, i) => userOf(store, login, `${place}.members[${i}]`).id);
    store.team.add({ units: [], role_ids: [], ...team, organization: owner.id, members: ids });
  }
}

function seedContexts(store: Store, fixtures: Fixtures): void {
  for (const [at, { login, orgContext }] of (fixtures.users ?? []).entries()) {
    const user = userOf(store, login, `users.json: [${at}].login`);
    if (orgContext !== undefined) {
      if (orgContext !== '' && !findOrganization(store, orgContext)) {
        refuse(`users.json: [${at}].orgContext`, `there is no organization ${JSON.stringify(orgContext)}`);
      }
      continue;
    }
    const [first] = store.membership.many('user', user.id);
    if (!first) continue;
    store.user.change(user.id, { orgContext: store.organization.get(first.organization)?.username ?? '' });
  }
}

function seedFollows(store: Store, fixtures: Fixtures): void {
  for (const [at, { user, follows }] of (fixtures.follows ?? []).entries()) {
    const follower = userOf(store, user, `follows.json: [${at}].user`).id;
    for (const [i, login] of follows.entries()) {
      const followee = userOf(store, login, `follows.json: [${at}].follows[${i}]`).id;
      store.follow.add({ follower, followee });
    }
  }
}

function seedClusters(store: Store, fixtures: Fixtures): void {
  for (const [at, fixture] of (fixtures.clusters ?? []).entries()) {
    const place = `clusters.json: [${at}]`;
    if (store.cluster.first('uid', fixture.uid)) refuse(`${place}.uid`, `${JSON.stringify(fixture.uid)} is taken`);
    store.cluster.add(clusterRow(store, fixture, place));
  }
  for (const [at, { cluster, entry }] of (fixtures.history ?? []).entries()) {
    const { uid } = clusterOf(store, cluster, `history.json: [${at}].cluster`);
    store.history.add({ cluster_uid: uid, entry: [entry] });
  }
  for (const bucket of fixtures.buckets ?? []) store.bucket.add(bucket);
}

function clusterRow(store: Store, fixture: ClusterFixture, place: string): Partial<ClusterRow> {
  const { owner, access, status, ...cluster } = fixture;
  const user = findUser(store, owner);
  const holder = user ?? findOrganization(store, owner);
  if (!holder) refuse(`${place}.owner`, `there is no user or organization ${JSON.stringify(owner)}`);
  return {
    displayName: cluster.name,
    createdAt: seedTime,
    ...cluster,
    owner: holder.id,
    ownerName: user ? user.login : (findOrganization(store, owner)?.username ?? ''),
    access: (access ?? []).map((login, i) => userOf(store, login, `${place}.access[${i}]`).id),
    status: [status],
  };
}

function clusterOf(store: Store, name: string, place: string): ClusterRow {
  return store.cluster.first('name', fold(name)) ?? refuse(place, `there is no cluster ${JSON.stringify(name)}`);
}

function seedCredentials(store: Store, fixtures: Fixtures): void {
  for (const [at, { owner, spec, creationTimestamp }] of (fixtures.credentials ?? []).entries()) {
    const place = `credentials.json: [${at}]`;
    const name = credentialName(spec);
    if (name === undefined) refuse(`${place}.spec`, 'has no name: set name or metadata.name');
    const { id } = userOf(store, owner, `${place}.owner`);
    if (store.credential.first('name', `${id}/${name}`)) refuse(`${place}.spec`, `${JSON.stringify(name)} is taken`);
    store.credential.add({
      owner: id,
      name,
      type: credentialType(spec),
      creationTimestamp: creationTimestamp ?? seedTime,
      spec: [spec],
    });
  }
}

function seedInbox(store: Store, fixtures: Fixtures): void {
  for (const [at, fixture] of (fixtures.subscriptions ?? []).entries()) {
    seedSubscription(store, fixture, `subscriptions.json: [${at}]`);
  }
}

function seedSubscription(store: Store, fixture: SubscriptionFixture, place: string): void {
  const { user, organization, cluster, createdAt, ...target } = fixture;
  const subscriber = userOf(store, user, `${place}.user`).id;
  const time = createdAt ?? seedTime;
  if ((organization === undefined) === (cluster === undefined)) {
    refuse(place, 'names an organization or a cluster, one of the two');
  }
  const times = { createdAt: time, updatedAt: time };
  if (organization !== undefined) {
    const org = findOrganization(store, organization);
    if (!org) refuse(`${place}.organization`, `there is no organization ${JSON.stringify(organization)}`);
    store.subscription.add({ ...target, ...times, subscriber, orgID: String(org.id), orgName: org.username });
    return;
  }
  const row = clusterOf(store, cluster ?? '', `${place}.cluster`);
  const org = store.organization.get(row.owner);
  store.subscription.add({
    ...target,
    ...times,
    subscriber,
    orgID: org ? String(org.id) : '',
    orgName: org?.username ?? '',
    clusterOwnerID: row.owner,
    clusterUID: row.uid,
    clusterName: row.name,
  });
}

function seedOrders(store: Store, fixtures: Fixtures): void {
  for (const [at, { owner, order }] of (fixtures.orders ?? []).entries()) {
    const place = `orders.json: [${at}]`;
    const uid = isObject(order.metadata) ? order.metadata.uid : undefined;
    if (typeof uid !== 'string') refuse(`${place}.order.metadata.uid`, 'expected a text');
    if (store.order.get(uid)) refuse(`${place}.order.metadata.uid`, `${uid} is taken`);
    store.order.add({ id: uid, owner: userOf(store, owner, `${place}.owner`).id, order: [order] });
  }
}
