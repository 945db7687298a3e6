// The database of a world: a model of @mswjs/data for each kind of row. The only file that uses the library directly.

import { factory, primaryKey } from '@mswjs/data';
import { definitions, type Kind, kindFields, kinds, type Rows } from './rows.ts';

/** The methods of a model used here; the library's own types differ for each kind. */
export interface DatabaseModel<K extends Kind> {
  create(row: Rows[K]): Rows[K];
  update(query: ById & { readonly data: Partial<Rows[K]> }): Rows[K];
  delete(query: ById): Rows[K];
  count(): number;
  getAll(): readonly Rows[K][];
}

interface ById {
  readonly where: { readonly id: { readonly equals: number | string } };
  readonly strict: true;
}

export type Database = { readonly [K in Kind]: DatabaseModel<K> };

/**
 * Returns an empty database. References are plain ids: the library follows a relation by scanning the target table, so creating 500 email
 * addresses with an owner would take a quarter of a second. `Table` checks references instead.
 */
export function createDatabase(): Database {
  const models = kinds.map((kind) => [kind, modelOf(kind)] as const);
  return withoutBroadcast(() => factory(Object.fromEntries(models)) as unknown as Database);
}

function modelOf(kind: Kind): Parameters<typeof factory>[0][string] {
  const fields = Object.entries(kindFields(kind)).map(([name, { empty }]) => [name, () => empty]);
  return {
    id: definitions[kind].ids === 'number' ? primaryKey(Number) : primaryKey(String),
    ...Object.fromEntries(fields),
  };
}

// In a page the library repeats every write in other tabs' databases, with clashing ids; persistence/ shares tabs instead. There is no
// documented way to turn that off. The library looks up the channel when a database is created, and finds none.
function withoutBroadcast<Made>(make: () => Made): Made {
  const channel = Object.getOwnPropertyDescriptor(globalThis, 'BroadcastChannel');
  if (!channel?.configurable || !('window' in globalThis)) return make();
  Reflect.deleteProperty(globalThis, 'BroadcastChannel');
  try {
    return make();
  } finally {
    Object.defineProperty(globalThis, 'BroadcastChannel', channel);
  }
}
