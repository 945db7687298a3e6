// The store: one table per kind with the indexes that routes ask by; copies that share until one writes.

import { Database } from './models.ts';
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
  /** Hears of every row that is added, changed or, without `row`, removed. */
  onWrite: ((kind: Kind, id: Id, row?: Rows[Kind]) => void) | undefined;
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
      return new Table<K, IndexName<K>>(kind, database, keys, twin?.table(kind), (id, row) =>
        this.onWrite?.(kind, id, row),
      ) as Tables[K];
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

  /** Writes a row as it is, or without `row` removes it. */
  apply(kind: Kind, id: Id, row: JsonObject | undefined): void {
    const table = this.table(kind);
    if (!row) table.remove(id);
    else if (table.get(id)) table.change(id, row as never);
    else table.add({ ...row, id } as never);
  }

  /** Gives the next number of a sequence that is part of the state: the same state goes on with the same numbers. */
  nextSerial(): number {
    return ++this.#serial;
  }

  /** Gives the last number of that sequence. */
  get serial(): number {
    return this.#serial;
  }

  /** Makes sure that numbers up to this one are not given out again. */
  raiseSerial(serial: number): void {
    this.#serial = Math.max(this.#serial, serial);
  }

  /** Gives a copy that shares every row until either side writes. */
  copy(): Store {
    return new Store(this);
  }
}
