// The models of the store, and the one file that knows the data library (@mswjs/data).
// The library checks and makes the rows and holds them; every query of it scans its table, so nobody asks it to find anything.

import { factory, primaryKey } from '@mswjs/data';
import { deepFreeze, type Id, type Json, type Kind, type Rows } from './rows.ts';

const models = {
  user: {
    id: primaryKey(Number),
    login: String,
    full_name: String,
    language: String,
    is_admin: Boolean,
    last_login: String,
    created: String,
    active: Boolean,
    prohibit_login: Boolean,
    orgAdmin: Boolean,
    clientOrgUser: Boolean,
    location: String,
    website: String,
    description: String,
    password: String,
    keepEmailPrivate: Boolean,
    blocks: Array,
    orgContext: String,
  },
  email: { id: primaryKey(Number), user: Number, email: String, verified: Boolean, primary: Boolean },
  token: {
    id: primaryKey(Number),
    user: Number,
    name: String,
    token: String,
    created: String,
    expires: String,
    revoked: Boolean,
  },
  organization: {
    id: primaryKey(Number),
    username: String,
    full_name: String,
    description: String,
    website: String,
    location: String,
    mgmtManagementClusterEndPoint: String,
    visibility: String,
    orgType: Number,
    created: String,
    authSource: Array,
  },
  membership: { id: primaryKey(Number), organization: Number, user: Number, public: Boolean },
  team: {
    id: primaryKey(Number),
    organization: Number,
    name: String,
    description: String,
    permission: String,
    units: Array,
    type: String,
    role_ids: Array,
    members: Array,
  },
  follow: { id: primaryKey(Number), follower: Number, followee: Number },
  cluster: {
    id: primaryKey(Number),
    owner: Number,
    ownerName: String,
    access: Array,
    name: String,
    displayName: String,
    uid: String,
    provider: String,
    vendor: String,
    orchestratorVersion: String,
    nodeCount: Number,
    endpoint: String,
    location: String,
    hubClusterName: String,
    clusterSetName: String,
    isMonitoringCluster: Boolean,
    createdAt: String,
    status: Array,
  },
  credential: {
    id: primaryKey(Number),
    owner: Number,
    name: String,
    type: String,
    creationTimestamp: String,
    spec: Array,
  },
  bucket: { id: primaryKey(Number), provider: String, credential: String, cloud_project: String, names: Array },
  subscription: {
    id: primaryKey(Number),
    subscriber: Number,
    scope: String,
    orgID: String,
    orgName: String,
    clusterOwnerID: Number,
    clusterUID: String,
    clusterName: String,
    namespaceUID: String,
    namespaceName: String,
    apiGroup: String,
    version: String,
    resource: String,
    resourceName: String,
    resourceUID: String,
    createdAt: String,
    updatedAt: String,
  },
  order: { id: primaryKey(String), owner: Number, order: Array },
  history: { id: primaryKey(Number), cluster_uid: String, entry: Array },
} as const;

/** Lists every kind of row, in the order in which they are exported and imported. */
export const kinds = Object.keys(models) as readonly Kind[];

const fields: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  kinds.map((kind) => [kind, Object.keys(models[kind])]),
);

/** Lists the fields of a kind's rows, its key first. */
export function fieldsOf(kind: Kind): readonly string[] {
  return fields[kind] ?? [];
}

/** Gives a row as the library makes it from nothing but an id: every field empty, and the library's own marks. */
export function emptyRow<K extends Kind>(kind: K): Rows[K] {
  const known = emptyRows.get(kind);
  if (known) return known as Rows[K];
  patterns ??= factoryOfThisTabOnly();
  const row = deepFreeze(patterns[kind].create({ id: kind === 'order' ? 'x' : 1 }) as unknown as Rows[K]);
  emptyRows.set(kind, row);
  return row;
}
const emptyRows = new Map<Kind, unknown>();
let patterns: Library | undefined;

/** The part of the library's database that we reach by its symbol: constant-time writes and the tables themselves. */
interface LibraryDatabase {
  readonly models: Record<Kind, Map<Id, unknown>>;
  update(kind: Kind, before: unknown, after: unknown): void;
  delete(kind: Kind, id: Id): void;
}

type Library = Record<Kind, { create(values: object): object }> & Record<symbol, LibraryDatabase>;

/** Holds the rows of all kinds. Rows are frozen; a copy made by `share` costs next to nothing until one side writes. */
export class Database {
  readonly #library: LibraryDatabase;
  readonly #shared = new Set<Kind>();

  constructor() {
    const made = factoryOfThisTabOnly();
    const [symbol] = Object.getOwnPropertySymbols(made);
    const library = symbol && made[symbol];
    if (!library) throw new Error('@mswjs/data hides its database: this version is not the one drydock was built on');
    this.#library = library;
  }

  /** Gives the table of a kind; a later write may leave it behind, so ask again each time. */
  rows<K extends Kind>(kind: K): ReadonlyMap<Id, Rows[K]> {
    return this.#library.models[kind] as ReadonlyMap<Id, Rows[K]>;
  }

  /**
   * Adds a row, missing fields filled with the model's empty value, and gives it back frozen. Throws when the id is taken.
   * The row is made after the pattern of the library's own: its `create` costs ten times as much, which 10,000 users feel.
   */
  create<K extends Kind>(kind: K, id: Id, values: Partial<Rows[K]>): Rows[K] {
    this.#own(kind);
    const table = this.#library.models[kind];
    if (table.has(id)) throw new Error(`there is a ${kind} ${id} already`);
    const row = { ...emptyRow(kind) } as unknown as Record<string, unknown>;
    for (const field in values) {
      const value = values[field];
      if (value !== undefined && Object.hasOwn(row, field)) row[field] = deepFreeze(value as Json);
    }
    row.id = id;
    table.set(id, Object.freeze(row));
    return row as unknown as Rows[K];
  }

  /** Puts a changed row where the row of the same id was, and gives it back frozen. Lists are replaced whole. */
  replace<K extends Kind>(kind: K, before: Rows[K], changes: Partial<Rows[K]>): Rows[K] {
    this.#own(kind);
    const after = deepFreeze({ ...before, ...changes });
    this.#library.update(kind, before, after);
    return after;
  }

  /** Takes a row out. */
  remove(kind: Kind, id: Id): void {
    this.#own(kind);
    this.#library.delete(kind, id);
  }

  /** Gives a second database with the same rows; from now on neither sees the other's writes. */
  share(): Database {
    const twin = new Database();
    for (const kind of kinds) {
      twin.#library.models[kind] = this.#library.models[kind];
      twin.#shared.add(kind);
      this.#shared.add(kind);
    }
    return twin;
  }

  #own(kind: Kind): void {
    if (this.#shared.delete(kind)) this.#library.models[kind] = new Map(this.#library.models[kind]);
  }
}

// Where there is a window, the library repeats every write in all tabs of the page, behind the back of our indexes.
// It decides that when it is called, so it finds no channel then.
function factoryOfThisTabOnly(): Library {
  const world = globalThis as { BroadcastChannel?: unknown };
  const channel = Object.getOwnPropertyDescriptor(world, 'BroadcastChannel');
  const make = (): Library => factory(models) as unknown as Library;
  if (!channel?.configurable || !('window' in world)) return make();
  delete world.BroadcastChannel;
  try {
    return make();
  } finally {
    Object.defineProperty(world, 'BroadcastChannel', channel);
  }
}
