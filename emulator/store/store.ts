// The store: one table per kind with the indexes that routes ask by; copies, and the state as JSON.

import { Database, fieldsOf, kinds } from './models.ts';
import type { Id, JsonObject, Kind, Rows } from './rows.ts';
import { type KeyOf, Table } from './table.ts';

/** Gives the one spelling under which a name or an address is found: case does not count. */
export function fold(name: string): string {
  return name.toLowerCase();
}

/** Gives the part of a token that indexes know: never the whole. */
export function lastEight(token: string): string {
  return token.slice(-8);
}

const indexes = {
  user: { login: (row) => fold(row.login) },
  email: { address: (row) => fold(row.email), user: (row) => row.user },
  token: { user: (row) => row.user, lastEight: (row) => lastEight(row.token) },
  organization: { name: (row) => fold(row.username) },
  membership: {
    user: (row) => row.user,
    organization: (row) => row.organization,
    pair: (row) => `${row.organization}/${row.user}`,
  },
  team: { organization: (row) => row.organization, member: (row) => row.members },
  follow: {
    follower: (row) => row.follower,
    followee: (row) => row.followee,
    pair: (row) => `${row.follower}/${row.followee}`,
  },
  cluster: {
    owner: (row) => row.owner,
    access: (row) => row.access,
    uid: (row) => row.uid,
    name: (row) => `${fold(row.ownerName)}/${fold(row.name)}`,
  },
  credential: { owner: (row) => row.owner, name: (row) => `${row.owner}/${row.name}` },
  bucket: { provider: (row) => fold(row.provider) },
  subscription: { subscriber: (row) => row.subscriber },
  order: { owner: (row) => row.owner },
  history: { cluster: (row) => row.cluster_uid },
} satisfies { readonly [K in Kind]: Readonly<Record<string, KeyOf<Rows[K]>>> };

/** Names the indexes of a kind. */
export type IndexName<K extends Kind> = keyof (typeof indexes)[K] & string;

type Tables = { readonly [K in Kind]: Table<K, IndexName<K>> };

/** Holds what one world knows. Everything read from it is frozen. */
export class Store {
  readonly user: Tables['user'];
  readonly email: Tables['email'];
  readonly token: Tables['token'];
  readonly organization: Tables['organization'];
  readonly membership: Tables['membership'];
  readonly team: Tables['team'];
  readonly follow: Tables['follow'];
  readonly cluster: Tables['cluster'];
  readonly credential: Tables['credential'];
  readonly bucket: Tables['bucket'];
  readonly subscription: Tables['subscription'];
  readonly order: Tables['order'];
  readonly history: Tables['history'];
  readonly #database: Database;
  #serial: number;

  constructor(twin?: Store) {
    const database = twin ? twin.#database.share() : new Database();
    const table = <K extends Kind>(kind: K): Tables[K] => {
      const keys = indexes[kind] as unknown as Readonly<Record<IndexName<K>, KeyOf<Rows[K]>>>;
      return new Table<K, IndexName<K>>(kind, database, keys, twin?.table(kind)) as Tables[K];
    };
    this.#database = database;
    this.#serial = twin ? twin.#serial : 0;
    this.user = table('user');
    this.email = table('email');
    this.token = table('token');
    this.organization = table('organization');
    this.membership = table('membership');
    this.team = table('team');
    this.follow = table('follow');
    this.cluster = table('cluster');
    this.credential = table('credential');
    this.bucket = table('bucket');
    this.subscription = table('subscription');
    this.order = table('order');
    this.history = table('history');
  }

  /** Gives the table of a kind by name. */
  table<K extends Kind>(kind: K): Table<K, IndexName<K>> {
    return this[kind] as unknown as Table<K, IndexName<K>>;
  }

  /** Gives the next number of a sequence that is part of the state: the same state goes on with the same numbers. */
  nextSerial(): number {
    return ++this.#serial;
  }

  /** Gives a copy that shares every row until either side writes. */
  copy(): Store {
    return new Store(this);
  }

  /** Gives the whole state as JSON: the rows of every kind and the counters. */
  dump(): StoreDump {
    const last: Record<string, number> = {};
    const rows: Record<string, readonly JsonObject[]> = {};
    for (const kind of kinds) {
      last[kind] = this.table(kind).last;
      rows[kind] = this.table(kind).all() as unknown as readonly JsonObject[];
    }
    return { serial: this.#serial, last, rows };
  }

  /** Builds a store from a dump. Throws a plain error that names the place when the dump is not one. */
  static load(dump: unknown): Store {
    const { serial, last, rows } = record(dump, 'state');
    const store = new Store();
    store.#serial = whole(serial, 'serial');
    const [lasts, tables] = [record(last, 'last'), record(rows, 'rows')];
    for (const kind of kinds) {
      for (const [at, row] of list(tables[kind] ?? [], `rows.${kind}`).entries()) {
        loadRow(store, kind, row, `rows.${kind}[${at}]`);
      }
      store.table(kind).raiseLast(whole(lasts[kind] ?? 0, `last.${kind}`));
    }
    return store;
  }
}

/** Is the state of a store as JSON. */
export interface StoreDump {
  readonly serial: number;
  readonly last: Readonly<Record<string, number>>;
  readonly rows: Readonly<Record<string, readonly JsonObject[]>>;
}

// A field must be of the type that the model's empty value has: the library itself would take anything.
function loadRow(store: Store, kind: Kind, value: unknown, place: string): void {
  const row = record(value, place);
  const empty = emptyRow(kind);
  for (const [field, content] of Object.entries(row)) {
    const like = fieldsOf(kind).includes(field) ? empty[field] : undefined;
    if (like === undefined) throw new Error(`${place}.${field}: a ${kind} has no such field`);
    if (shapeOf(content) !== shapeOf(like)) throw new Error(`${place}.${field}: expected ${shapeOf(like)}`);
  }
  const table = store.table(kind);
  if (!row.id) throw new Error(`${place}.id: is missing`);
  if (table.get(row.id as Id)) throw new Error(`${place}.id: ${JSON.stringify(row.id)} is there twice`);
  table.add(row as never);
}

function emptyRow(kind: Kind): JsonObject {
  const known = emptyRows.get(kind);
  if (known) return known;
  const id = kind === 'order' ? 'x' : 1;
  const row = new Database().create(kind, { id } as never) as unknown as JsonObject;
  emptyRows.set(kind, row);
  return row;
}
const emptyRows = new Map<Kind, JsonObject>();

function shapeOf(value: unknown): string {
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}

function record(value: unknown, place: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new Error(`${place}: expected an object`);
}

function list(value: unknown, place: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new Error(`${place}: expected a list`);
}

function whole(value: unknown, place: string): number {
  if (Number.isSafeInteger(value) && (value as number) >= 0) return value as number;
  throw new Error(`${place}: expected a whole number`);
}
