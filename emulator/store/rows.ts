// The kinds of rows, named as on the wire wherever the wire has the field, and their types.

import type { Definition, Fields, IdOf, KeyOf, RowOf } from './fields.ts';
import { deepFreeze } from './json.ts';
import { bucket, cluster, history } from './kinds/cluster.ts';
import { membership, organization, team } from './kinds/organization.ts';
import { credential, email, follow, order, session, subscription, token, user } from './kinds/person.ts';

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
} as const;

/** Names a kind of row. */
export type Kind = keyof typeof definitions;

/** Names a row within its kind: a positive number, or the uid of an order. */
export type Id = number | string;

type RowBy<D> = D extends Definition<infer Ids, infer F, infer _> ? RowOf<F> & { readonly id: IdOf<Ids> } : never;

/** Maps each kind to its row. */
export type Rows = { readonly [K in Kind]: RowBy<(typeof definitions)[K]> };

/** Names the indexes of a kind. */
export type IndexName<K extends Kind> = keyof (typeof definitions)[K]['indexes'] & string;

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

/** Gives the fields of a kind by name. */
export function fieldsOf(kind: Kind): Fields {
  return definitions[kind].fields;
}

/** A field that is a relation of the data library: to one row of a kind, or to a list of them. */
export interface RowRelation {
  readonly name: string;
  readonly to: Kind;
  readonly isList: boolean;
}

/**
 * Gives the relations of a kind. A field that may refer to rows of two kinds is none, as the library knows no such relation;
 * nor is one to rows of the very kind, of which each would bring all that it refers to.
 */
export function relationsOf(kind: Kind): readonly RowRelation[] {
  return relations.get(kind) ?? [];
}

const relations = new Map(
  kinds.map((kind) => [
    kind,
    Object.entries(fieldsOf(kind)).flatMap(([name, { refers = [], empty }]): RowRelation[] => {
      const [to, ...others] = refers;
      return to === undefined || to === kind || others.length > 0 ? [] : [{ name, to, isList: Array.isArray(empty) }];
    }),
  ]),
);

const emptyFields = new Map(
  kinds.map((kind) => [
    kind,
    Object.entries(fieldsOf(kind)).map(([name, { empty }]) => [name, deepFreeze(empty)] as const),
  ]),
);

/**
 * Gives a whole row, frozen: fields that are not given are those of `base`, or empty; those that the kind does not have are left out.
 */
export function completeRow<K extends Kind>(kind: K, id: Id, values: Partial<Rows[K]>, base: object = {}): Rows[K] {
  // Field by field onto an empty object: all rows of a kind then have one hidden class. A copy that is written to and frozen
  // gets one of its own, 400 bytes a row, and every place that reads rows slows down.
  const row: Record<string, unknown> = {};
  row.id = id;
  for (const [name, empty] of emptyFields.get(kind) ?? []) {
    const given = values[name as keyof typeof values];
    const value = given === undefined ? base[name as keyof typeof base] : given;
    row[name] = value === undefined ? empty : deepFreeze(value);
  }
  return Object.freeze(row) as Rows[K];
}

/** Gives the indexes of a kind: names and the keys of a row. */
export function indexesOf<K extends Kind>(kind: K): readonly (readonly [IndexName<K>, KeyOf<Rows[K]>])[] {
  return (indexes.get(kind) ?? []) as readonly (readonly [IndexName<K>, KeyOf<Rows[K]>])[];
}

const indexes = new Map<Kind, unknown>(kinds.map((kind) => [kind, Object.entries(definitions[kind].indexes)]));
