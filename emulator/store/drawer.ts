// A drawer: a small database of the data library, and the one file that knows it (@mswjs/data 0.16.2, by its documented
// interface). Every query of the library scans its table, and every write reads the relations of the row, which scans the
// tables they point at: 16 ms for an e-mail address among 10,000 people. So a drawer holds few rows that others belong to.

import { library } from './library.cjs';
import {
  belongingOf,
  completeRow,
  definitions,
  fieldsOf,
  type Id,
  type Kind,
  kinds,
  type Rows,
  rootOf,
} from './rows.ts';

/** Is a row of any kind. */
export type AnyRow = { readonly id: Id } & Readonly<Record<string, unknown>>;

/** How many rows that others belong to, such as people, share a drawer. */
export const rootsInDrawer = 16;

type Shelf = Map<Kind, Map<Id, AnyRow>>;

/**
 * Holds some rows of a kind and all that belong to them. They lie here as they are given out, frozen; the first write makes the
 * library's models of them, and from then on every write goes through these.
 */
export class Drawer {
  readonly #root: Kind;
  readonly #rows: Shelf;
  #models: Models | undefined;

  constructor(root: Kind, rows: Shelf = new Map()) {
    this.#root = root;
    this.#rows = rows;
  }

  /** Gives all rows of a kind by id. */
  rows(kind: Kind): ReadonlyMap<Id, AnyRow> {
    return shelfOf(this.#rows, kind);
  }

  /** Adds a row. Throws a plain error when what it belongs to is not here. */
  create(kind: Kind, row: AnyRow): void {
    const models = this.#open();
    models[kind].create(entityOf(models, kind, row));
    shelfOf(this.#rows, kind).set(row.id, row);
  }

  /** Adds a row that is known to be sound; where nobody wrote yet, no models are made for it. */
  lay(kind: Kind, row: AnyRow): void {
    if (this.#models) this.create(kind, row);
    else shelfOf(this.#rows, kind).set(row.id, row);
  }

  /** Changes fields of a row, lists replaced whole, and gives the new row. Throws a plain error when there is none. */
  update(kind: Kind, id: Id, changes: Readonly<Record<string, unknown>>): AnyRow {
    const models = this.#open();
    const data = entityOf(models, kind, changes);
    const row = rowOf(kind, models[kind].update({ where: { id: { equals: id } }, data, strict: true }));
    shelfOf(this.#rows, kind).set(id, row);
    return row;
  }

  /** Takes a row out. Throws a plain error when there is none. */
  delete(kind: Kind, id: Id): void {
    this.#open()[kind].delete({ where: { id: { equals: id } }, strict: true });
    shelfOf(this.#rows, kind).delete(id);
  }

  /** Gives a second drawer with the same rows. */
  copy(): Drawer {
    return new Drawer(this.#root, new Map(Array.from(this.#rows, ([kind, rows]) => [kind, new Map(rows)])));
  }

  #open(): Models {
    if (this.#models) return this.#models;
    const models = modelsOf(this.#root);
    for (const kind of kindsOf(this.#root)) {
      for (const row of this.rows(kind).values()) models[kind].create(entityOf(models, kind, row));
    }
    this.#models = models;
    return models;
  }
}

function shelfOf(shelf: Shelf, kind: Kind): Map<Id, AnyRow> {
  let rows = shelf.get(kind);
  if (!rows) {
    rows = new Map();
    shelf.set(kind, rows);
  }
  return rows;
}

// The kinds that are kept together, what is belonged to first.
function kindsOf(root: Kind): readonly Kind[] {
  return kinds.filter((kind) => rootOf(kind) === root);
}

// An entity has its owner where the row has the owner's id.
function entityOf(
  models: Models,
  kind: Kind,
  row: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const belonging = belongingOf(kind);
  if (!belonging || row[belonging.name] === undefined) return row;
  const id = row[belonging.name] as Id;
  const owner = models[belonging.to].findFirst({ where: { id: { equals: id } } });
  if (!owner) throw new Error(`${kind}.${belonging.name}: there is no ${belonging.to} ${JSON.stringify(id)}`);
  return { ...row, [belonging.name]: owner };
}

function rowOf(kind: Kind, entity: AnyRow): AnyRow {
  const belonging = belongingOf(kind)?.name;
  const owner = belonging === undefined ? undefined : (entity[belonging] as AnyRow | undefined);
  const values = belonging === undefined ? entity : { ...entity, [belonging]: owner?.id };
  return completeRow(kind, entity.id, values as Partial<Rows[Kind]>) as AnyRow;
}

// The methods of a model that are used here. The library gives each model a type of its own, which no loop over kinds could use.
interface Model {
  create(values: Readonly<Record<string, unknown>>): AnyRow;
  findFirst(query: ById): AnyRow | null;
  update(query: ById & { readonly data: Readonly<Record<string, unknown>>; readonly strict: true }): AnyRow;
  delete(query: ById & { readonly strict: true }): AnyRow;
}

interface ById {
  readonly where: { readonly id: { readonly equals: Id } };
}

type Models = Readonly<Record<Kind, Model>>;
type Library = ReturnType<typeof library>;

function modelsOf(root: Kind): Models {
  const dictionary = Object.fromEntries(kindsOf(root).map((kind) => [kind, modelOf(kind)]));
  return withoutBroadcast(() => library().factory(dictionary)) as unknown as Models;
}

function modelOf(kind: Kind): Parameters<Library['factory']>[0][string] {
  const { oneOf, primaryKey } = library();
  const fields = Object.entries(fieldsOf(kind)).map(([name, { empty, belongs }]) => [
    name,
    belongs === undefined ? () => empty : oneOf(belongs),
  ]);
  const id = definitions[kind].ids === 'number' ? primaryKey(Number) : primaryKey(String);
  return { id, ...Object.fromEntries(fields) };
}

// Where there is a window, the library repeats every write in the databases of other tabs that were made in the same order,
// behind the back of our indexes and with ids that clash. It looks for the channel when a database is made, and finds none.
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
