// Public types of the models.

import type { Schema, ValueOf } from '../compile.ts';
import type { Validators } from '../custom-schemas.ts';
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
import type { Id } from '../rows.ts';
import type { Store } from '../store.ts';
import type { Query, Where } from './query.ts';

/** An entity that can be used instead of its name: a person, an organization or a cluster. */
export type Named =
  | { readonly login: string }
  | { readonly username: string }
  | { readonly owner: string; readonly name: string };

/** A name or a list of names; entities are accepted, too. */
type Reference<Written> = Written extends readonly string[] ? readonly (string | Named)[] : string | Named;

/** Values for a new row. All are optional. */
type Given<Fixture, References extends keyof Fixture = never> = {
  readonly [Name in keyof Fixture]?: Name extends References ? Reference<NonNullable<Fixture[Name]>> : Fixture[Name];
};

/** A row with its id and all fields that fixtures have. */
type Entity<Fixture, Maybe extends keyof Fixture = never> = { readonly id: number } & Required<
  Omit<Fixture, Maybe | 'id'>
> &
  Pick<Fixture, Maybe>;

interface Follow {
  readonly follower: string;
  readonly followee: string;
}

export interface Membership {
  readonly organization: string;
  readonly user: string;
  readonly public?: boolean;
}

/** Methods of a model, as in @mswjs/data. `create` and `update` also accept entities instead of names. */
export interface Model<Values, Row> {
  /** Creates a row. Missing values have defaults. Throws a `FixtureError` for invalid values and changes nothing then. */
  create(values?: Values): Row;
  /** Returns the oldest matching row, or null. */
  findFirst(query: Query<Row> & Strict): Row | null;
  /** Returns all matching rows, oldest first. */
  findMany(query?: Query<Row>): readonly Row[];
  /** Returns all rows, oldest first. */
  getAll(): readonly Row[];
  /** Returns the number of matching rows. */
  count(query?: Pick<Query<Row>, 'where'>): number;
  /** Updates the oldest matching row and returns it, or null. Throws as `create` does. */
  update(change: Change<Values, Row> & Strict): Row | null;
  /** Updates all matching rows and returns them. */
  updateMany(change: Change<Values, Row>): readonly Row[];
  /** Deletes the oldest matching row and everything that belongs to it. Returns the deleted row, or null. */
  delete(query: Pick<Query<Row>, 'where'> & Strict): Row | null;
  /** Deletes all matching rows and returns them. */
  deleteMany(query: Pick<Query<Row>, 'where'>): readonly Row[];
}

/** With `strict`, throws an `EmulatorError` (FILTER_INVALID) if no row matches. */
export interface Strict {
  readonly strict?: boolean;
}

/** An update: the rows to change, and new values or functions of the previous value and the row. */
export interface Change<Values, Row> {
  readonly where: Where<Row>;
  readonly data: { readonly [Name in keyof Values]?: Values[Name] | ((value: Values[Name], row: Row) => Values[Name]) };
}

/** Models by kind of row. */
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
  /** Returns the model of a definition made by `defineModel`. */
  model<const S extends Schema>(
    definition: CustomModel<S>,
  ): Model<Partial<ValueOf<S>>, { readonly id: number } & ValueOf<S>>;
}

export type ModelName = Exclude<keyof Models, 'model'>;

/** The world that models belong to. */
export interface ModelSource {
  readonly store: Store;
  /** Returns the time in milliseconds since 1970. */
  readonly clock: { now(): number };
  nextUuid(): string;
  nextToken(): string;
}

/** Definition of a custom model. `S` is the schema of its rows, without `id`. */
export interface CustomModel<S extends Schema = Schema> {
  readonly name: string;
  readonly schema: S;
  /** Fields that must be unique. */
  readonly unique?: readonly string[];
  /** Defaults for missing values. */
  readonly defaults?: JsonObject;
  /** Compiled validators of the schema. */
  readonly validators: Validators;
}

export type Values = Readonly<Record<string, unknown>>;

export type Row = Values & { readonly id: Id };
