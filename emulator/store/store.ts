// The store: a table for each kind of row, and a persistent sequence.

import { createDatabase, type DatabaseModel } from './database.ts';
import { type Id, type Kind, kinds } from './rows.ts';
import { Table, type WriteListener } from './table.ts';

type Tables = { readonly [K in Kind]: Table<K> };

/** The data of one world, with its own database: its tables by kind, and a sequence of numbers. */
export interface Store extends Tables {
  table<K extends Kind>(kind: K): Table<K>;
  /** Called on every write, but not when the store is filled from fixtures, a state or a log. */
  onWrite: WriteListener | undefined;
  /** Returns the next number of the sequence, which is part of the state and so reproducible. */
  nextSerial(): number;
  readonly serial: number;
  raiseSerial(serial: number): void;
}

export function createStore(): Store {
  const database = createDatabase();
  const hasRow = (kind: Kind, id: Id): boolean => tables[kind].has(id);
  const tableOf = (kind: Kind) => [kind, new Table(kind, database[kind] as DatabaseModel<Kind>, hasRow)] as const;
  const tables = Object.fromEntries(kinds.map(tableOf)) as unknown as Tables;
  let serial = 0;
  return {
    ...tables,
    table: (kind) => tables[kind],
    get onWrite() {
      return tables.user.onWrite;
    },
    set onWrite(listener) {
      for (const kind of kinds) tables[kind].onWrite = listener;
    },
    nextSerial: () => ++serial,
    get serial() {
      return serial;
    },
    raiseSerial: (number) => {
      serial = Math.max(serial, number);
    },
  };
}
