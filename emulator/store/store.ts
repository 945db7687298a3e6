// The store: one table per kind with the indexes that routes ask by; copies that share until one writes.

import type { AnyRow } from './models.ts';
import { type Id, type Kind, kinds } from './rows.ts';
import { Table, type WriteListener } from './table.ts';

type Tables = { readonly [K in Kind]: Table<K> };

/** Holds what one world knows. Everything read from it is frozen. */
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
  #serial: number;

  constructor(twin?: Store) {
    this.#serial = twin ? twin.#serial : 0;
    const find = (kind: Kind, id: Id): AnyRow | undefined => this.table(kind).get(id) as AnyRow | undefined;
    const table = <K extends Kind>(kind: K): Table<K> => new Table(kind, find, twin?.table(kind));
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
  }

  /** Gives the table of a kind by name. */
  table<K extends Kind>(kind: K): Table<K> {
    return this[kind] as Tables[K];
  }

  /** What is told of every write from now on, in the order they come; never of what is seeded, loaded or applied. */
  get onWrite(): WriteListener | undefined {
    return this.user.onWrite;
  }

  set onWrite(listener: WriteListener | undefined) {
    for (const kind of kinds) this.table(kind).onWrite = listener;
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

  /** Gives a copy that shares every row until either side writes. It tells nobody of its writes. */
  copy(): Store {
    return new Store(this);
  }
}
