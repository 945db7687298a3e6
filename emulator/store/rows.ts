// The kinds of rows, named as on the wire if the wire has the field, and their types.

import type { Definition, Fields, IdOf, RowOf } from './fields.ts';
import { deepFreeze } from './json.ts';
import { bucket, cluster, history } from './kinds/cluster.ts';
import { membership, organization, team } from './kinds/organization.ts';
import { credential, email, follow, order, session, subscription, token, user } from './kinds/person.ts';
import { record } from './kinds/record.ts';

/** The definition of every kind, in the order in which they are exported and imported: what is referred to comes first. */
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

/** Names a kind of row. */
export type Kind = keyof typeof definitions;

/** Names a row within its kind: a positive number, or the uid of an order. */
export type Id = number | string;

type RowBy<D> = D extends Definition<infer Ids, infer F, infer _> ? RowOf<F> & { readonly id: IdOf<Ids> } : never;

/** Maps each kind to its row. */
export type Rows = { readonly [K in Kind]: RowBy<(typeof definitions)[K]> };

/** The names of the keys that rows of a kind are found by. */
export type KeyName<K extends Kind> = keyof (typeof definitions)[K]['keys'] & string;

/** A person. Times are ISO 8601 in UTC. */
export type UserRow = Rows['user'];

/** One e-mail address of a person. */
export type EmailRow = Rows['email'];

/** An access token. `expires` is empty for one that never does. */
export type TokenRow = Rows['token'];

/** A session; `key` is what its cookie holds, `csrf` what a change by it must send beside. */
export type SessionRow = Rows['session'];

/** An organization; `username` is its slug and shares one namespace with logins. */
export type OrganizationRow = Rows['organization'];

/** A team of an organization. */
export type TeamRow = Rows['team'];

/** A cluster. */
export type ClusterRow = Rows['cluster'];

/** A cloud credential; `spec` is what the caller sent, untouched. */
export type CredentialRow = Rows['credential'];

/** Lists the buckets that a provider shows for a credential and a project. */
export type BucketRow = Rows['bucket'];

/** An inbox subscription of a person. */
export type SubscriptionRow = Rows['subscription'];

/** A stored deployment order; `id` is its uid. */
export type OrderRow = Rows['order'];

/** Lists the kinds. */
export const kinds = Object.keys(definitions) as readonly Kind[];

/** Returns the fields of a kind by name. */
export function kindFields(kind: Kind): Fields {
  return definitions[kind].fields;
}

const emptyFields = new Map(
  kinds.map((kind) => [
    kind,
    Object.entries(kindFields(kind)).map(([name, { empty }]) => [name, deepFreeze(empty)] as const),
  ]),
);

/** Returns a whole row whose values are frozen: missing fields are empty, unknown ones are left out. */
export function completeRow<K extends Kind>(kind: K, id: Id, values: Partial<Rows[K]>): Rows[K] {
  const row: Record<string, unknown> = { id };
  for (const [name, empty] of emptyFields.get(kind) ?? []) {
    const value = values[name as keyof typeof values];
    row[name] = value === undefined ? empty : deepFreeze(value);
  }
  return row as Rows[K];
}
