// The kinds of rows, with the names of the wire format, and their types.

import {
  type Definition,
  define,
  document,
  type Fields,
  type IdOf,
  needed,
  type RowOf,
  textField,
  word,
} from './fields.ts';
import { deepFreeze } from './json.ts';
import {
  bucket,
  cluster,
  credential,
  email,
  follow,
  history,
  membership,
  order,
  organization,
  session,
  subscription,
  team,
  token,
  user,
} from './kinds.ts';

/** Defines rows of custom models. */
const record = define({
  description: 'A row of a model that the application defines',
  ids: 'number',
  fields: {
    model: needed(textField('The name of the model', word)),
    value: needed(document('What the row holds')),
  },
  keys: { model: (row) => row.model },
  unique: [],
});

/** The definition of every kind, in dependency order for export and import. */
export const definitions = {
  user,
  email,
  token,
  session,
  organization,
  membership,
  team,
  follow,
  cluster,
  credential,
  bucket,
  subscription,
  order,
  history,
  record,
} as const;

export type Kind = keyof typeof definitions;

/** The id of a row within its kind: a positive number, or the uid of an order. */
export type Id = number | string;

type RowBy<D> = D extends Definition<infer Ids, infer F, infer _> ? RowOf<F> & { readonly id: IdOf<Ids> } : never;

export type Rows = { readonly [K in Kind]: RowBy<(typeof definitions)[K]> };

export type KeyName<K extends Kind> = keyof (typeof definitions)[K]['keys'] & string;

export type UserRow = Rows['user'];

export type EmailRow = Rows['email'];

/** An access token. `expires` is empty if it never does. */
export type TokenRow = Rows['token'];

/** A session; `key` is the value of its cookie, `csrf` must be sent with changes. */
export type SessionRow = Rows['session'];

/** An organization; `username` is its slug and shares one namespace with logins. */
export type OrganizationRow = Rows['organization'];

export type TeamRow = Rows['team'];

export type ClusterRow = Rows['cluster'];

/** A cloud credential; `spec` is what the caller sent, unchanged. */
export type CredentialRow = Rows['credential'];

/** Lists the buckets that a provider shows for a credential and a project. */
export type BucketRow = Rows['bucket'];

export type SubscriptionRow = Rows['subscription'];

/** A stored deployment order; `id` is its uid. */
export type OrderRow = Rows['order'];

export const kinds = Object.keys(definitions) as readonly Kind[];

export function kindFields(kind: Kind): Fields {
  return definitions[kind].fields;
}

const emptyFields = new Map(
  kinds.map((kind) => [
    kind,
    Object.entries(kindFields(kind)).map(([name, { empty }]) => [name, deepFreeze(empty)] as const),
  ]),
);

/** Returns a complete row with frozen values: missing fields have defaults, unknown ones are dropped. */
export function completeRow<K extends Kind>(kind: K, id: Id, values: Partial<Rows[K]>): Rows[K] {
  const row: Record<string, unknown> = { id };
  for (const [name, empty] of emptyFields.get(kind) ?? []) {
    const value = values[name as keyof typeof values];
    row[name] = value === undefined ? empty : deepFreeze(value);
  }
  return row as Rows[K];
}
