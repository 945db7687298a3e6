// The database of one world: a model of @mswjs/data for each kind of row. The one file that knows how the library is used.

import { factory, primaryKey } from '@mswjs/data';
import { definitions, type Kind, kindFields, kinds, type Rows } from './rows.ts';

/** The methods of a model used here; the library's own types would differ for each kind. */
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

/** A model for each kind of row. */
export type Database = { readonly [K in Kind]: DatabaseModel<K> };

/**
 * Returns an empty database. References are plain ids: the library follows a relation by scanning the table it points at, so that
 * 500 e-mail addresses with an owner would take a quarter of a second to create. `Table` checks references instead.
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

// In a page the library repeats every write in the databases of other tabs, with ids that clash; persistence/ shares tabs instead.
// Nothing documented turns that off. The library looks for the channel when a database is made, and finds none.
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
