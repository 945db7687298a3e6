// The rows of a world as a test arranges them: a model for each kind, with the methods of @mswjs/data. Entities are written as
// fixtures are, with logins and slugs for ids; they are checked, completed and refused as fixtures are.

import { EmulatorError } from '../core/errors.ts';
import { addValidators, checkJson } from './check.ts';
import type { Schema, ValueOf } from './compile.ts';
import { buildStore, dumpStore } from './dump.ts';
import { fold, type Target } from './fields.ts';
import {
  atSource,
  type BucketFixture,
  type ClusterFixture,
  type CredentialFixture,
  type EmailFixture,
  FixtureError,
  type Fixtures,
  fixtureSchemas,
  type HistoryFixture,
  type OrderFixture,
  type OrganizationFixture,
  type SubscriptionFixture,
  type TeamFixture,
  type TokenFixture,
  type UserFixture,
  validateFixtures,
} from './fixtures.ts';
import { deepFreeze, type JsonObject, orderLevels, parseJson } from './json.ts';
import { written as fields } from './kinds/organization.ts';
import type { Validators } from './own-schemas.ts';
import { findOrganization } from './people.ts';
import { type Comparison, type Query, runQuery, type Where } from './query.ts';
import { fieldsOf, type Id, type Kind, kinds, type Rows } from './rows.ts';
import { insertFixtures, insertMembers } from './seed.ts';
import type { Store } from './store.ts';

export type { Comparison, Query, Where };

// What an order has that says nothing of its packages: a chart that ships with drydock.
const sampleChart = {
  ...{ name: 'web', sourceRef: { kind: 'Embed', name: 'web' }, version: '^1.4.0' },
  ...{ releaseName: 'web', namespace: 'default' },
};

/** A row that stands for its name: a person, an organization or a cluster. */
export type Named =
  | { readonly login: string }
  | { readonly username: string }
  | { readonly owner: string; readonly name: string };

/** What a fixture writes as a name, or as a list of names: the row will do too. */
type Reference<Written> = Written extends readonly string[] ? readonly (string | Named)[] : string | Named;

/** The values that a row is made from, each of which may be left out. */
type Given<Fixture, References extends keyof Fixture = never> = {
  readonly [Name in keyof Fixture]?: Name extends References ? Reference<NonNullable<Fixture[Name]>> : Fixture[Name];
};

/** A row as it is read: everything that a fixture says of it, and its id. */
type Entity<Fixture, Maybe extends keyof Fixture = never> = { readonly id: number } & Required<
  Omit<Fixture, Maybe | 'id'>
> &
  Pick<Fixture, Maybe>;

/** Says whom a person follows. */
interface Follow {
  readonly follower: string;
  readonly followee: string;
}

/** Says that a person belongs to an organization. */
interface Membership {
  readonly organization: string;
  readonly user: string;
  readonly public?: boolean;
}

/** The methods of a model: those of @mswjs/data, of which `create` and `update` also take rows where a fixture has names. */
export interface Model<Values, Row> {
  /** Adds a row; what is left out has a default. Throws a `FixtureError` that names what is wrong, and changes nothing. */
  create(values?: Values): Row;
  /** Returns the oldest row that fits, or null. */
  findFirst(query: Query<Row> & Strict): Row | null;
  /** Lists the rows that fit, oldest first. */
  findMany(query?: Query<Row>): readonly Row[];
  /** Lists all rows, oldest first. */
  getAll(): readonly Row[];
  /** Counts the rows that fit. */
  count(query?: Pick<Query<Row>, 'where'>): number;
  /** Changes the oldest row that fits and returns it as it is now, or null. Throws as `create` does. */
  update(change: Change<Values, Row> & Strict): Row | null;
  /** Changes all rows that fit. */
  updateMany(change: Change<Values, Row>): readonly Row[];
  /** Removes the oldest row that fits, with all that belongs to it, and returns it as it was, or null. */
  delete(query: Pick<Query<Row>, 'where'> & Strict): Row | null;
  /** Removes all rows that fit. */
  deleteMany(query: Pick<Query<Row>, 'where'>): readonly Row[];
}

/** Asks for an `EmulatorError` (FILTER_INVALID) where no row fits. */
interface Strict {
  readonly strict?: boolean;
}

/** What is changed of which rows: values, or functions of the former value and the row. */
interface Change<Values, Row> {
  readonly where: Where<Row>;
  readonly data: { readonly [Name in keyof Values]?: Values[Name] | ((value: Values[Name], row: Row) => Values[Name]) };
}

/** The rows of a world by kind. */
export interface Models {
  readonly person: Model<Given<UserFixture, 'blocks' | 'orgContext'>, Entity<UserFixture>>;
  readonly email: Model<Given<EmailFixture, 'user'>, Entity<EmailFixture> & { readonly primary: boolean }>;
  readonly token: Model<Given<TokenFixture, 'user'>, Entity<TokenFixture>>;
  readonly organization: Model<Given<OrganizationFixture>, Entity<OrganizationFixture, 'authSource'>>;
  readonly membership: Model<Given<Membership, 'organization' | 'user'>, Entity<Membership>>;
  readonly team: Model<Given<TeamFixture, 'organization' | 'members'>, Entity<TeamFixture>>;
  readonly follow: Model<Given<Follow, 'follower' | 'followee'>, Entity<Follow>>;
  readonly cluster: Model<Given<ClusterFixture, 'owner' | 'access'>, Entity<ClusterFixture>>;
  readonly credential: Model<Given<CredentialFixture, 'owner'>, Entity<CredentialFixture>>;
  readonly bucket: Model<Given<BucketFixture>, Entity<BucketFixture>>;
  readonly subscription: Model<
    Given<SubscriptionFixture, 'user' | 'organization' | 'cluster'>,
    Entity<SubscriptionFixture, 'organization' | 'cluster'>
  >;
  /** The id of an order is its uid. */
  readonly order: Model<Given<OrderFixture, 'owner'>, Omit<Entity<OrderFixture>, 'id'> & { readonly id: string }>;
  readonly history: Model<Given<HistoryFixture, 'cluster'>, Entity<HistoryFixture>>;
  /** Returns the rows of a model that `defineModel` gave. */
  model<const S extends Schema>(
    definition: OwnModel<S>,
  ): Model<Partial<ValueOf<S>>, { readonly id: number } & ValueOf<S>>;
}

/** Names a model. */
export type ModelName = Exclude<keyof Models, 'model'>;

/** What models are made from: the world around them. */
export interface ModelSource {
  readonly store: Store;
  nextUuid(): string;
  nextToken(): string;
}

type Values = Readonly<Record<string, unknown>>;

/** What is particular about a model; all else follows from the definition of its kind. */
interface ModelRule {
  readonly kind: Kind;
  /** The list of fixtures that its rows are written in. */
  readonly list: keyof Fixtures;
  /** Values for what is left out that fixtures ask for; `count` is the number of the row. */
  readonly defaults?: (values: Values, count: number, source: ModelSource) => Values;
  /** Returns the fixture of values whose form is another. */
  readonly write?: (values: Values) => Values;
  /** Returns what an entity has beside, or in place of, the fields of its kind. */
  readonly read?: (store: Store, row: never) => Values;
  /** Returns the rows of other kinds that are written with a row. */
  readonly parts?: (store: Store, id: Id) => readonly (readonly [Kind, Id])[];
  /** Fields of an entity that its kind does not have. */
  readonly fields?: readonly string[];
}

const rules: { readonly [Name in ModelName]: ModelRule } = {
  person: {
    kind: 'user',
    list: 'users',
    defaults: (_, count) => ({ login: `person-${count}` }),
    read: (store, { id }: Rows['user']) => ({ email: primaryEmail(store, id)?.email ?? '' }),
    parts: (store, id) => idsOf('email', [primaryEmail(store, id)]),
    fields: ['email'],
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

function nameOf(store: Store, targets: readonly Target[], id: Id): string {
  for (const target of targets) {
    const row = store.table(target).get(id);
    if (row)
      return plainName(
        target === 'cluster' ? { owner: (row as Rows['cluster']).ownerName, name: (row as Rows['cluster']).name } : row,
      ) as string;
  }
  return '';
}

// A row in place of its name.
function plainName(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainName);
  if (typeof value !== 'object' || value === null) return value;
  const { login, username, owner, name } = value as Readonly<Record<string, unknown>>;
  if (login !== undefined) return login;
  if (username !== undefined) return username;
  return owner !== undefined && name !== undefined ? `${owner}/${name}` : value;
}

const modelNames = Object.keys(rules) as readonly ModelName[];

/** Returns the models of a world. They speak of its rows as they are at each call. */
export function createModels(source: ModelSource): Models {
  const models = Object.fromEntries(modelNames.map((name) => [name, createModel(source, name)]));
  const model: Models['model'] = (definition) => createOwnModel(source, definition) as never;
  return { ...models, model } as unknown as Models;
}

/** Adds the rows of fixtures, the argument `name`, to those of a store. Throws a `FixtureError` for what cannot be, and then adds none. */
export function addFixtures(store: Store, fixtures: Fixtures, name: string): void {
  const draft = copyOf(store);
  try {
    insertFixtures(draft, validateFixtures(fixtures, name));
  } catch (failure) {
    const isRaw = failure instanceof FixtureError && !failure.message.startsWith(`${name}.`);
    throw isRaw ? atSource(failure, fixtures, name) : failure;
  }
  takeOver(store, draft);
}

type Row = Readonly<Record<string, unknown>> & { readonly id: Id };

/** What a model does with rows, beside finding them. */
interface ModelParts {
  /** Names the model in errors, such as `db.cluster`. */
  readonly name: string;
  /** The fields that rows have, or may have; undefined where any may be asked for. */
  readonly fields: readonly string[] | undefined;
  readonly list: () => readonly Row[];
  /** Writes a row, with `id` in place of that one. */
  readonly save: (values: Values, id?: Id) => Row;
  readonly remove: (row: Row) => void;
}

function modelOf({ name, fields, list, save, remove }: ModelParts): Model<Values, Row> {
  const find = (query: Query<Row>): readonly Row[] =>
    runQuery({ name, entities: list(), fields, plain: plainName }, query);
  const first = (call: string, { where = {}, strict }: Pick<Query<Row>, 'where'> & Strict): Row | undefined => {
    const [row] = find({ where, take: 1 });
    if (row || !strict) return row;
    const message = `no row fits ${JSON.stringify(where)}`;
    throw new EmulatorError('FILTER_INVALID', [{ path: `${name}.${call}`, message }]);
  };
  const change = (row: Row, data: Values): Row => {
    const { id, ...values } = row;
    const changes = Object.entries(data).map(([field, value]) => [
      field,
      typeof value === 'function' ? (value(row[field], row) as unknown) : value,
    ]);
    return save({ ...values, ...Object.fromEntries(changes) }, id);
  };
  const removed = (row: Row): Row => {
    remove(row);
    return row;
  };
  return {
    create: (values = {}) => save(values),
    findFirst: (query) => first('findFirst', query) ?? null,
    findMany: (query = {}) => find(query),
    getAll: list,
    count: ({ where = {} } = {}) => find({ where }).length,
    update: ({ data, ...query }) => {
      const row = first('update', query);
      return row ? change(row, data) : null;
    },
    updateMany: ({ data, where }) => find({ where }).map((row) => change(row, data)),
    delete: (query) => {
      const row = first('delete', query);
      return row ? removed(row) : null;
    },
    deleteMany: ({ where = {} }) => find({ where }).map(removed),
  };
}

function createModel(source: ModelSource, name: ModelName): Model<Values, Row> {
  const rule = rules[name];
  const { kind } = rule;
  return modelOf({
    name: `db.${name}`,
    fields: ['id', ...entityFields(kind), ...(rule.fields ?? [])],
    list: () => {
      const { store } = source;
      const rows: readonly Rows[Kind][] = store.table(kind).all();
      return rows.map((row) => readEntity(store, rule, row));
    },
    // Whether an address is primary follows from how it came to be.
    save: ({ primary: _, ...values }, id) => save(source, name, values, id),
    remove: (row) => {
      if (row.primary === true) {
        const message = `${JSON.stringify(row.email)} is the primary address of ${String(row.user)}: change it in db.person`;
        throw new FixtureError([{ path: `db.${name}.delete`, message }]);
      }
      const draft = copyOf(source.store);
      removeWithAll(draft, kind, row.id);
      takeOver(source.store, draft);
    },
  });
}

/** A model that an application defines: `S` is the schema of what a row holds, beside its `id`. */
export interface OwnModel<S extends Schema = Schema> {
  readonly name: string;
  readonly schema: S;
  /** Fields that no two rows share. */
  readonly unique?: readonly string[];
  /** Values for what is left out. */
  readonly defaults?: JsonObject;
  /** The function that checks rows by the schema. */
  readonly validators: Validators;
}

// The rows of a model of an application, kept as records.
function createOwnModel(source: ModelSource, definition: OwnModel): Model<Values, Row> {
  const { name, schema, unique = [], defaults = {} } = definition;
  const path = `db.model(${name})`;
  addValidators(definition.validators);
  const list = (): readonly Row[] =>
    source.store.record
      .many('model', name)
      .map(({ id, value }) => deepFreeze({ id, ...(parseJson(value) as JsonObject) }) as Row);
  return modelOf({
    name: path,
    fields: undefined,
    list,
    save: (values, id) => {
      const { id: _, ...held } = { ...(id === undefined && defaults), ...(values as JsonObject) };
      const call = `${path}.${id === undefined ? 'create' : 'update'}`;
      const faults = checkJson(schema, held);
      const taken = unique
        .filter((field) => list().some((row) => row.id !== id && row[field] === held[field]))
        .map((field) => ({ path: field, message: `${JSON.stringify(held[field])} is taken` }));
      const issues = [...faults, ...taken].map((issue) => ({
        ...issue,
        path: issue.path === '' ? call : `${call}: ${issue.path}`,
      }));
      if (issues.length > 0) throw new FixtureError(issues);
      const row = { model: name, value: JSON.stringify(held) };
      const saved = id === undefined ? source.store.record.add(row) : source.store.record.change(id, row);
      return deepFreeze({ id: saved.id, ...held }) as Row;
    },
    remove: ({ id }) => void source.store.record.remove(id),
  });
}

/** Names the fields of a kind that entities have: those that fixtures write, and references. */
function entityFields(kind: Kind): readonly string[] {
  return Object.entries(fieldsOf(kind)).flatMap(([name, { written, refers }]) =>
    written || (refers && kind !== 'subscription') ? [name] : [],
  );
}

function readEntity(store: Store, { kind, read }: ModelRule, row: Rows[Kind]): Row {
  const entity: Record<string, unknown> = { id: row.id };
  for (const name of entityFields(kind)) {
    const { refers, holdsJson, schema } = fieldsOf(kind)[name]!;
    const value: unknown = row[name as keyof typeof row];
    if (refers) {
      const named = (id: Id): string => nameOf(store, refers, id);
      entity[name] = Array.isArray(value) ? value.map(named) : named(value as Id);
    } else if (holdsJson) entity[name] = parseJson(String(value), orderLevels);
    else if (schema.type === 'array' && schema.maxItems === 1) {
      const [held] = value as readonly unknown[];
      if (held !== undefined) entity[name] = held;
    } else entity[name] = value;
  }
  return deepFreeze({ ...entity, ...read?.(store, row as never) }) as Row;
}

// Writes a row, a new one or in place of one, in a copy of the store, which refuses what cannot be; then the store has it too.
function save(source: ModelSource, name: ModelName, values: Values, id?: Id): Row {
  const { store } = source;
  const rule = rules[name];
  const { kind, defaults, parts } = rule;
  const isNew = id === undefined;
  const said = Object.entries(values).filter(([, value]) => value !== undefined);
  const plain = Object.fromEntries(said.map(([field, value]) => [field, plainName(value)]));
  const { size, last } = store.table(kind);
  const full = isNew ? { ...defaults?.(plain, Math.max(size, last) + 1, source), ...plain } : plain;
  const draft = copyOf(store);
  const before = store.table(kind).get(id ?? 0);
  if (!isNew)
    for (const [part, partId] of [[kind, id] as const, ...(parts?.(store, id) ?? [])])
      draft.table(part).discard(partId);
  const known = new Set<Id>(
    draft
      .table(kind)
      .all()
      .map((row) => row.id),
  );
  try {
    insertValues(draft, name, full, id);
  } catch (failure) {
    throw failure instanceof FixtureError ? inCall(`db.${name}.${isNew ? 'create' : 'update'}`, failure) : failure;
  }
  let made: Rows[Kind] = draft
    .table(kind)
    .all()
    .find((row) => !known.has(row.id))!;
  if (before && typeof id === 'number') {
    // It stays the row that it was.
    draft.table(kind).discard(made.id);
    made = { ...made, id, ...('primary' in before && { primary: before.primary }) } as Rows[Kind];
    draft.table(kind).insert(made as never);
    if (kind === 'organization') renameContext(draft, before as Rows['organization'], made as Rows['organization']);
  }
  refreshNames(draft);
  takeOver(store, draft);
  return readEntity(store, rule, store.table(kind).get(made.id)!);
}

function insertValues(draft: Store, name: ModelName, values: Values, id?: Id): void {
  if (name === 'membership') {
    insertMembership(draft, values);
    return;
  }
  const { list, write } = rules[name];
  // Fixtures of people and organizations may fix their ids.
  const own = list === 'users' || list === 'organizations' ? { id } : {};
  const fixtures: Fixtures = { [list]: [{ ...(write ? write(values) : values), ...(id !== undefined && own) }] };
  const faults = checkJson(fixtureSchemas[list], fixtures[list]);
  if (faults.length > 0) throw new FixtureError(faults);
  insertFixtures(draft, fixtures);
}

function insertMembership(draft: Store, values: Values): void {
  const { organization, user, public: isPublic, ...others } = values as Partial<Membership> & Values;
  const faults = checkJson(membersSchema, [{ user, ...(isPublic !== undefined && { public: isPublic }), ...others }]);
  if (faults.length > 0) throw new FixtureError(faults);
  const { id } = findOrganization(draft, String(organization)) ?? {};
  if (id === undefined)
    throw new FixtureError([
      { path: 'organization', message: `there is no organization ${JSON.stringify(organization)}` },
    ]);
  insertMembers(draft, id, [{ user: String(user), ...(isPublic !== undefined && { public: isPublic }) }], '');
}

const membersSchema = fields.members.written ?? {};

// The paths as in what was given to the call, in place of those in a list of fixtures.
function inCall(call: string, { issues }: FixtureError): FixtureError {
  const pathOf = (path: string): string => path.replace(/^\w*\[0\]\.?/, '').replace('follows[0]', 'followee');
  return new FixtureError(
    issues.map((issue) => ({ ...issue, path: pathOf(issue.path) === '' ? call : `${call}: ${pathOf(issue.path)}` })),
  );
}

function copyOf(store: Store): Store {
  return buildStore(dumpStore(store));
}

// What is written of a row beside its id: names of others that may have changed.
function refreshNames(draft: Store): void {
  for (const row of draft.cluster.all()) {
    const ownerName = nameOf(draft, ['user', 'organization'], row.owner);
    if (ownerName !== row.ownerName) draft.cluster.put({ ...row, ownerName });
  }
  for (const row of draft.subscription.all()) {
    const orgName = draft.organization.get(Number(row.orgID))?.username ?? '';
    const clusterName = draft.cluster.first('uid', row.clusterUID)?.name ?? '';
    if (orgName !== row.orgName || clusterName !== row.clusterName) {
      draft.subscription.put({ ...row, orgName, clusterName });
    }
  }
}

function renameContext(draft: Store, before: Rows['organization'], { username }: Rows['organization']): void {
  for (const row of draft.user.all()) {
    if (row.orgContext !== '' && fold(row.orgContext) === fold(before.username))
      draft.user.put({ ...row, orgContext: username });
  }
}

// Removes a row and all that is about it alone; of lists of people it is taken out.
function removeWithAll(draft: Store, kind: Kind, id: Id): void {
  const row = draft.table(kind).get(id);
  if (!row || !draft.table(kind).discard(id)) return;
  for (const other of kinds) {
    const references = Object.entries(fieldsOf(other)).filter(([, { refers }]) => refers?.includes(kind as Target));
    for (const [field] of references) {
      for (const one of draft.table(other).all()) {
        const value: unknown = one[field as keyof typeof one];
        if (value === id) removeWithAll(draft, other, one.id);
        else if (Array.isArray(value) && value.includes(id)) {
          draft.table(other).put({ ...one, [field]: value.filter((item) => item !== id) } as never);
        }
      }
    }
  }
  for (const { id: subscription, orgID, clusterUID, scope } of draft.subscription.all()) {
    const isAbout =
      (kind === 'organization' && scope === 'org' && orgID === String(id)) ||
      (kind === 'cluster' && clusterUID === (row as Rows['cluster']).uid);
    if (isAbout) draft.subscription.discard(subscription);
  }
  if (kind === 'organization')
    renameContext(draft, row as Rows['organization'], { ...(row as Rows['organization']), username: '' });
}

// Makes a store what a draft of it is, row by row: whoever listens to it hears of each.
function takeOver(store: Store, draft: Store): void {
  for (const kind of kinds) {
    for (const row of draft.table(kind).all()) {
      const before = store.table(kind).get(row.id);
      if (!before) store.table(kind).add(row as never);
      else if (JSON.stringify(before) !== JSON.stringify(row)) store.table(kind).change(row.id, row as never);
    }
  }
  for (const kind of [...kinds].reverse()) {
    for (const { id } of store.table(kind).all()) if (!draft.table(kind).has(id)) store.table(kind).remove(id);
  }
}
