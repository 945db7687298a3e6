// Builds fixtures from API responses. Secrets are replaced, because fixtures are usually committed.

import { deriveToken } from '../keys/derive.ts';
import type {
  ClusterFixture,
  CredentialFixture,
  EmailFixture,
  Fixtures,
  FollowFixture,
  OrderFixture,
  OrganizationFixture,
  SubscriptionFixture,
  TeamFixture,
  UserFixture,
} from '../store/fixtures.ts';
import { fixtureSchemas } from '../store/fixtures.ts';
import { isObject, type Json, type JsonObject } from '../store/json.ts';
import { credentialName } from '../store/kinds.ts';

type Rows<Row> = Map<string, Row>;

/** Returns a collector of fixtures from API responses. */
export function recordFixtures() {
  const users: Rows<UserFixture> = new Map();
  const callers = new Set<string>();
  const emails: Rows<EmailFixture> = new Map();
  const organizations: Rows<OrganizationFixture> = new Map();
  const members = new Map<string, Set<string>>();
  const teams: Rows<TeamFixture> = new Map();
  const follows = new Map<string, Set<string>>();
  const clusters: Rows<ClusterFixture> = new Map();
  const credentials: Rows<CredentialFixture> = new Map();
  const subscriptions: Rows<SubscriptionFixture> = new Map();
  const orders: Rows<OrderFixture> = new Map();

  // A person's own view has more fields than the view of others and takes precedence.
  const person = (json: JsonObject, isSelf = false): string | undefined => {
    const login = text(json.login);
    if (login === undefined) return undefined;
    const seen = pick<UserFixture>('users', json);
    users.set(login, { ...(isSelf ? { ...users.get(login), ...seen } : { ...seen, ...users.get(login) }), login });
    return login;
  };
  const organization = (json: JsonObject, member?: string): string | undefined => {
    const name = text(json.username);
    if (name === undefined) return undefined;
    organizations.set(name, {
      ...organizations.get(name),
      ...pick<OrganizationFixture>('organizations', json),
      username: name,
    });
    if (member !== undefined) members.set(name, (members.get(name) ?? new Set()).add(member));
    return name;
  };
  const follow = (user: string | undefined, other: string | undefined): void => {
    if (user === undefined || other === undefined || user === other) return;
    follows.set(user, (follows.get(user) ?? new Set()).add(other));
  };
  const takers: Readonly<Record<string, (login: string, json: JsonObject) => void>> = {
    'GET /user': (_, json) => void person(json, true),
    'GET /user/emails': (login, json) => {
      const email = text(json.email);
      if (email === undefined) return;
      if (json.primary === true) users.set(login, { ...users.get(login), login, email });
      else emails.set(email, { user: login, email, verified: json.verified === true });
    },
    'GET /user/followers': (login, json) => follow(person(json), login),
    'GET /user/following': (login, json) => follow(login, person(json)),
    'GET /user/orgs': (login, json) => void organization(json, login),
    'GET /user/settings/organizations': (login, json) => void organization(json, login),
    'GET /orgs/{orgname}': (_, json) => void organization(json),
    'GET /user/teams': (login, json) => {
      const owner = isObject(json.organization) ? organization(json.organization, login) : undefined;
      const name = text(json.name);
      if (owner === undefined || name === undefined) return;
      const known = teams.get(`${owner}/${name}`)?.members ?? [];
      const team = { ...pick<TeamFixture>('teams', json), organization: owner, name };
      teams.set(`${owner}/${name}`, { ...team, members: [...new Set([...known, login])] } as TeamFixture);
    },
    'GET /user/clusters': (login, json) => {
      const [uid, owner] = [text(json.uid), text(json.ownerName)];
      if (uid === undefined || owner === undefined) return;
      const cluster = { ...pick<ClusterFixture>('clusters', json), owner } as ClusterFixture;
      clusters.set(uid, owner === login ? cluster : { ...cluster, access: [login] });
    },
    'GET /user/credentials': (login, json) => {
      const { creationTimestamp, ...spec } = json;
      const name = credentialName(spec);
      if (name === undefined) return;
      const time = text(creationTimestamp);
      credentials.set(`${login}/${name}`, {
        ...{ owner: login, spec: withoutSecrets(spec) as JsonObject },
        ...(time !== undefined && { creationTimestamp: time }),
      });
    },
    'GET /user/inbox/subscriptions': (login, json) => {
      const target =
        json.scope === 'org' ? { organization: text(json.orgName) } : { cluster: ownedCluster(json, clusters) };
      if (Object.values(target).includes(undefined)) return;
      const row = { ...pick<SubscriptionFixture>('subscriptions', json), ...target, user: login };
      subscriptions.set(JSON.stringify([login, json.id]), withoutEmpty(row) as SubscriptionFixture);
    },
    'POST /user/deploy/orders': (login, json) => {
      const uid = isObject(json.metadata) ? text(json.metadata.uid) : undefined;
      if (uid !== undefined) orders.set(uid, { owner: login, order: json });
    },
  };

  return {
    /** Adds a response for a caller; `path` is below `/api/v1`. Ignores unknown paths and unexpected bodies. */
    add: (login: string, method: string, path: string, json: Json): void => {
      callers.add(login);
      const taker = takers[`${method} ${path.replace(/\?.*/s, '').replace(/^\/orgs\/[^/]+$/, '/orgs/{orgname}')}`];
      for (const item of [json].flat() as readonly Json[]) if (isObject(item)) taker?.(login, item);
    },
    /** Returns the collected fixtures, without rows whose references are unknown. */
    fixtures: (): Fixtures => {
      for (const login of callers) if (!users.has(login)) users.set(login, { login });
      const known = (name: string): boolean => users.has(name) || organizations.has(name);
      // Owners that only appear in a cluster.
      for (const { owner } of clusters.values()) if (!known(owner)) organizations.set(owner, { username: owner });
      const isThere = ({ organization: org, cluster }: SubscriptionFixture): boolean =>
        org === undefined ? [...clusters.values()].some((one) => `${one.owner}/${one.name}` === cluster) : known(org);
      return {
        users: [...users.values()],
        emails: [...emails.values()],
        // Real tokens are never recorded; every caller gets a new one.
        tokens: [...callers].map((user) => ({
          user,
          name: 'recorded',
          token: deriveToken('drydock', `recorded/${user}`),
        })),
        organizations: [...organizations.values()].map((row) => ({
          ...row,
          members: [...(members.get(row.username) ?? [])].map((user) => ({ user })),
        })),
        teams: [...teams.values()],
        follows: [...follows].map(([user, others]): FollowFixture => ({ user, follows: [...others] })),
        clusters: [...clusters.values()],
        credentials: [...credentials.values()],
        subscriptions: [...subscriptions.values()].filter(isThere),
        orders: [...orders.values()],
      };
    },
  };
}

function ownedCluster(json: JsonObject, clusters: ReadonlyMap<string, ClusterFixture>): string | undefined {
  const cluster = clusters.get(text(json.clusterUID) ?? '');
  return cluster && `${cluster.owner}/${cluster.name}`;
}

function text(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

// Keeps the members that fixtures also have. Ids are assigned again later.
function pick<Fixture>(kind: keyof Fixtures, json: JsonObject): Partial<Fixture> {
  const { properties } = fixtureSchemas[kind].items as { readonly properties: JsonObject };
  const kept = Object.entries(json).filter(([name, value]) => name !== 'id' && name in properties && value !== null);
  return Object.fromEntries(kept) as Partial<Fixture>;
}

function withoutEmpty(row: object): object {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== ''));
}

// Keeps names and types; any other string of a credential may be a secret.
function withoutSecrets(value: Json, name = '', depth = 0): Json {
  if (typeof value === 'string') return depth <= 2 && /^(?:name|type|namespace)$/.test(name) ? value : 'example-secret';
  if (Array.isArray(value)) return (value as readonly Json[]).map((item) => withoutSecrets(item, '', depth + 1));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, withoutSecrets(member, key, depth + 1)]),
  );
}
