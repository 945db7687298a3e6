// Differences between the models, and the conversion of stored rows to entities.

import type { Target } from '../fields.ts';
import type { Fixtures } from '../fixtures.ts';
import { deepFreeze, orderLevels, parseJsonText } from '../json.ts';
import { type Id, type Kind, kindFields, type Rows } from '../rows.ts';
import type { Store } from '../store.ts';
import type { ModelName, ModelSource, Row, Values } from './types.ts';

// Default package of an order: a chart that ships with drydock.
const sampleChart = {
  ...{ name: 'web', sourceRef: { kind: 'Embed', name: 'web' }, version: '^1.4.0' },
  ...{ releaseName: 'web', namespace: 'default' },
};

/** What is specific to a model; everything else follows from the definition of its kind. */
export interface ModelRule {
  readonly kind: Kind;
  /** Fixture list of the rows. */
  readonly list: keyof Fixtures;
  /** Defaults for fields that fixtures require; `count` is the number of the new row. */
  readonly defaults?: (values: Values, count: number, source: ModelSource) => Values;
  /** Converts values to the format of the fixture. */
  readonly write?: (values: Values) => Values;
  /** Returns additional or different fields of an entity. */
  readonly read?: (store: Store, row: never) => Values;
  /** Returns rows of other kinds that are saved together with a row. */
  readonly parts?: (store: Store, id: Id) => readonly (readonly [Kind, Id])[];
  /** Fields of an entity that its kind does not have. */
  readonly fields?: readonly string[];
  /** Fields that hold names, in addition to the references of the kind. */
  readonly references?: readonly string[];
}

export const rules: { readonly [Name in ModelName]: ModelRule } = {
  person: {
    kind: 'user',
    list: 'users',
    defaults: (_, count) => ({ login: `person-${count}` }),
    read: (store, { id }: Rows['user']) => ({ email: primaryEmail(store, id)?.email ?? '' }),
    parts: (store, id) => idsOf('email', [primaryEmail(store, id)]),
    fields: ['email'],
    references: ['orgContext'],
  },
  email: {
    kind: 'email',
    list: 'emails',
    defaults: (_, count) => ({ email: `address-${count}@example.com` }),
    read: (_, { primary }: Rows['email']) => ({ primary }),
    fields: ['primary'],
  },
  token: {
    kind: 'token',
    list: 'tokens',
    defaults: ({ token }, count, source) => ({
      name: `token-${count}`,
      ...(token === undefined && { token: source.nextToken() }),
    }),
  },
  organization: {
    kind: 'organization',
    list: 'organizations',
    defaults: (_, count) => ({ username: `organization-${count}` }),
    read: (store, { id }: Rows['organization']) => ({
      members: membershipsOf(store, id).map((row) => ({ user: store.user.get(row.user)?.login, public: row.public })),
    }),
    parts: (store, id) => idsOf('membership', membershipsOf(store, id as number)),
    fields: ['members'],
  },
  membership: { kind: 'membership', list: 'organizations' },
  team: { kind: 'team', list: 'teams', defaults: (_, count) => ({ name: `team-${count}`, permission: 'read' }) },
  follow: {
    kind: 'follow',
    list: 'follows',
    write: ({ follower, followee, ...others }) => ({ user: follower, follows: [followee], ...others }),
  },
  cluster: {
    kind: 'cluster',
    list: 'clusters',
    defaults: ({ uid }, count, source) => ({
      ...{ name: `cluster-${count}`, provider: 'Generic', status: { phase: 'Active' } },
      ...(uid === undefined && { uid: source.nextUuid() }),
    }),
  },
  credential: {
    kind: 'credential',
    list: 'credentials',
    defaults: (_, count) => ({
      spec: {
        name: `credential-${count}`,
        type: 'Aws',
        aws: { accessKeyID: 'example-key', secretAccessKey: 'example-secret' },
      },
    }),
  },
  bucket: { kind: 'bucket', list: 'buckets', defaults: () => ({ provider: 'Aws', names: [] }) },
  subscription: {
    kind: 'subscription',
    list: 'subscriptions',
    defaults: ({ organization, resource, namespaceName }) => ({
      scope: organization !== undefined ? 'org' : resource ? 'resource' : namespaceName ? 'namespace' : 'cluster',
    }),
    read: (store, row: Rows['subscription']) => ({
      user: store.user.get(row.subscriber)?.login,
      ...(row.scope === 'org'
        ? { organization: row.orgName }
        : { cluster: nameOf(store, ['cluster'], store.cluster.first('uid', row.clusterUID)?.id ?? 0) }),
    }),
    fields: ['user', 'organization', 'cluster'],
    references: ['user', 'organization', 'cluster'],
  },
  order: {
    kind: 'order',
    list: 'orders',
    defaults: ({ order }, count, source) =>
      order === undefined
        ? {
            order: {
              apiVersion: 'releases.x-helm.dev/v1alpha1',
              kind: 'Order',
              metadata: { uid: source.nextUuid(), name: `order-${count}` },
              spec: { packages: [{ chart: sampleChart }] },
            },
          }
        : {},
  },
  history: { kind: 'history', list: 'history', defaults: () => ({ entry: {} }) },
};

function primaryEmail(store: Store, user: Id): Rows['email'] | undefined {
  return store.email.many('user', user).find((row) => row.primary);
}

function membershipsOf(store: Store, organization: number): readonly Rows['membership'][] {
  return store.membership.all().filter((row) => row.organization === organization);
}

function idsOf(kind: Kind, rows: readonly ({ readonly id: Id } | undefined)[]): readonly (readonly [Kind, Id])[] {
  return rows.flatMap((row) => (row ? [[kind, row.id] as const] : []));
}

/** Returns the name of a row of one of the kinds, or an empty string. */
export function nameOf(store: Store, targets: readonly Target[], id: Id): string {
  for (const target of targets) {
    const row = store.table(target).get(id);
    if (row)
      return plainName(
        target === 'cluster' ? { owner: (row as Rows['cluster']).ownerName, name: (row as Rows['cluster']).name } : row,
      ) as string;
  }
  return '';
}

/** Converts entities to their names, including those in lists. Returns other values unchanged. */
export function plainName(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainName);
  if (typeof value !== 'object' || value === null) return value;
  const { login, username, owner, name } = value as Readonly<Record<string, unknown>>;
  if (login !== undefined) return login;
  if (username !== undefined) return username;
  return owner !== undefined && name !== undefined ? `${owner}/${name}` : value;
}

/** Returns the names of the entity fields of a kind: its fixture fields and references. */
export function entityFields(kind: Kind): readonly string[] {
  return Object.entries(kindFields(kind)).flatMap(([name, { written, refers }]) =>
    written || (refers && kind !== 'subscription') ? [name] : [],
  );
}

/** Converts a stored row to an entity with names instead of ids. */
export function readEntity(store: Store, { kind, read }: ModelRule, row: Rows[Kind]): Row {
  const entity: Record<string, unknown> = { id: row.id };
  for (const name of entityFields(kind)) {
    const { refers, holdsJson, schema } = kindFields(kind)[name]!;
    const value: unknown = row[name as keyof typeof row];
    if (refers) {
      const named = (id: Id): string => nameOf(store, refers, id);
      entity[name] = Array.isArray(value) ? value.map(named) : named(value as Id);
    } else if (holdsJson) entity[name] = parseJsonText(String(value), orderLevels);
    else if (schema.type === 'array' && schema.maxItems === 1) {
      const [held] = value as readonly unknown[];
      if (held !== undefined) entity[name] = held;
    } else entity[name] = value;
  }
  return deepFreeze({ ...entity, ...read?.(store, row as never) }) as Row;
}

/** Converts entities to names in the fields that hold references. */
export function withNames({ kind, references = [] }: ModelRule, values: Values): Values {
  const isReference = (field: string): boolean =>
    references.includes(field) || kindFields(kind)[field]?.refers !== undefined;
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([field, value]) => [field, isReference(field) ? plainName(value) : value]));
}
