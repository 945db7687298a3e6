// The models of a world as those who use them see them.

import type { Schema, ValueOf } from '../compile.ts';
import type {
  BucketFixture,
  ClusterFixture,
  CredentialFixture,
  EmailFixture,
  HistoryFixture,
  OrderFixture,
  OrganizationFixture,
  SubscriptionFixture,
  TeamFixture,
  TokenFixture,
  UserFixture,
} from '../fixtures.ts';
import type { JsonObject } from '../json.ts';
import type { Validators } from '../own-schemas.ts';
import type { Id } from '../rows.ts';
import type { Store } from '../store.ts';
import type { Query, Where } from './query.ts';

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
export interface Membership {
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
export interface Strict {
  readonly strict?: boolean;
}

/** What is changed of which rows: values, or functions of the former value and the row. */
export interface Change<Values, Row> {
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

/** The values of a row, as a caller gives them. */
export type Values = Readonly<Record<string, unknown>>;

/** A row as it is read. */
export type Row = Values & { readonly id: Id };
