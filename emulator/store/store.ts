// The store: a table for each kind of row, and a persistent sequence.

import { createDatabase, type DatabaseModel } from './database.ts';
import { type Id, type Kind, kinds } from './rows.ts';
import { Table, type WriteListener } from './table.ts';

type Tables = { readonly [K in Kind]: Table<K> };

/** The data of one world, with its own database. */
export class Store {
  readonly user: Tables['user'];
  readonly email: Tables['email'];
  readonly token: Tables['token'];
  readonly session: Tables['session'];
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
  readonly record: Tables['record'];
  #serial = 0;

  constructor() {
    const database = createDatabase();
    const hasRow = (kind: Kind, id: Id): boolean => this.table(kind).has(id);
    const table = <K extends Kind>(kind: K): Table<K> =>
      new Table(kind, database[kind] as unknown as DatabaseModel<K>, hasRow);
    this.user = table('user');
    this.email = table('email');
    this.token = table('token');
    this.session = table('session');
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
    this.record = table('record');
  }

  /** Returns the table of a kind by name. */
  table<K extends Kind>(kind: K): Table<K> {
    return this[kind] as Tables[K];
  }

  /** Called on every write, but not when the store is filled from fixtures, a state or a log. */
  get onWrite(): WriteListener | undefined {
    return this.user.onWrite;
  }

  set onWrite(listener: WriteListener | undefined) {
    for (const kind of kinds) this.table(kind).onWrite = listener;
  }

  /** Returns the next number of the sequence, which is part of the state and so reproducible. */
  nextSerial(): number {
    return ++this.#serial;
  }

  /** The last number of that sequence. */
  get serial(): number {
    return this.#serial;
  }

  /** Reserves numbers up to this one. */
  raiseSerial(serial: number): void {
    this.#serial = Math.max(this.#serial, serial);
  }
}
