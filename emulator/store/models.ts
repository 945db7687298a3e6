// The models of the data library, and the one file that knows how it is used (@mswjs/data 0.16.2, by its documented interface).
// Every query of the library scans its table, and every write reads the relations of the row, which scans the tables they point
// at. So its tables hold the rows that were written last, with what they refer to; what lies beside them is read by indexes.

import { library } from './library.cjs';
import { completeRow, definitions, fieldsOf, type Id, type Kind, type Rows, relationsOf } from './rows.ts';

/** A row of any kind. */
export type AnyRow = { readonly id: Id } & Readonly<Record<string, unknown>>;

/** Gives the row of a kind by its id, where there is one. */
export type FindRow = (kind: Kind, id: Id) => AnyRow | undefined;

// With more entities than this, the tables are emptied: a write takes as long among a hundred rows as among a million.
const roomFor = 48;

/** Writes the rows of one kind through the data library: relations are resolved, and what they point at must be there. */
export class Models {
  readonly #kind: Kind;
  readonly #find: FindRow;
  #database: Database | undefined;
  // The rows of which the library has entities, by kind and id. They are frozen: the same object is the same row.
  #held = new Map<string, AnyRow>();

  constructor(kind: Kind, find: FindRow) {
    this.#kind = kind;
    this.#find = find;
  }

  /** Adds a row. Throws a plain error when what it refers to is not there. */
  create(row: AnyRow): void {
    const model = this.#open();
    model.create(this.#entityOf(row));
    this.#hold(this.#kind, row);
  }

  /** Changes fields of a row, lists replaced whole, and gives the new row. Throws as `create` does. */
  update(row: AnyRow, changes: Readonly<Record<string, unknown>>): AnyRow {
    const model = this.#open();
    if (!this.#holds(row)) this.create(row);
    const entity = model.update({ ...byId(row.id), data: this.#entityOf(changes), strict: true });
    const next = this.#rowOf(entity);
    this.#hold(this.#kind, next);
    return next;
  }

  /** Takes a row out. */
  delete(row: AnyRow): void {
    const model = this.#open();
    if (!this.#holds(row)) this.create(row);
    model.delete({ ...byId(row.id), strict: true });
    this.#held.delete(keyOf(this.#kind, row.id));
  }

  /** Empties the tables: rows were written past them. */
  forget(): void {
    if (this.#database && this.#held.size > 0) library().drop(this.#database);
    this.#held = new Map();
  }

  #open(): Model {
    this.#database ??= databaseOf(this.#kind);
    if (this.#held.size > roomFor) this.forget();
    return modelOf(this.#database, this.#kind);
  }

  #holds({ id }: AnyRow): boolean {
    return this.#held.has(keyOf(this.#kind, id));
  }

  #hold(kind: Kind, row: AnyRow): void {
    this.#held.set(keyOf(kind, row.id), row);
  }

  // An entity has entities where the row has ids.
  #entityOf(row: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
    const entity = { ...row };
    for (const { name, to, isList } of relationsOf(this.#kind)) {
      const ids = row[name];
      if (ids === undefined) continue;
      entity[name] = isList
        ? (ids as readonly Id[]).map((id) => this.#referent(name, to, id))
        : this.#referent(name, to, ids as Id);
    }
    return entity;
  }

  #referent(name: string, kind: Kind, id: Id): AnyRow {
    const row = this.#find(kind, id);
    if (!row) throw new Error(`${this.#kind}.${name}: there is no ${kind} ${JSON.stringify(id)}`);
    const model = modelOf(this.#database as Database, kind);
    const held = this.#held.get(keyOf(kind, id));
    if (held === row) return model.findFirst({ ...byId(id), strict: true });
    this.#hold(kind, row);
    return held ? model.update({ ...byId(id), data: row, strict: true }) : model.create(row);
  }

  #rowOf(entity: AnyRow): AnyRow {
    const values: Record<string, unknown> = { ...entity };
    for (const { name, isList } of relationsOf(this.#kind)) {
      const related = entity[name];
      values[name] = isList ? (related as readonly AnyRow[]).map(({ id }) => id) : (related as AnyRow).id;
    }
    return completeRow(this.#kind, entity.id, values as Partial<Rows[Kind]>) as AnyRow;
  }
}

function keyOf(kind: Kind, id: Id): string {
  return `${kind} ${id}`;
}

function byId(id: Id): ById {
  return { where: { id: { equals: id } } };
}

type Library = ReturnType<typeof library>;
type Database = ReturnType<Library['factory']>;

// The methods of a model that are used here. The library gives each model a type of its own, which no table of kinds could use.
interface Model {
  create(values: Readonly<Record<string, unknown>>): AnyRow;
  findFirst(query: ById & Strict): AnyRow;
  update(query: ById & Strict & { readonly data: Readonly<Record<string, unknown>> }): AnyRow;
  delete(query: ById & Strict): AnyRow;
}

interface ById {
  readonly where: { readonly id: { readonly equals: Id } };
}

interface Strict {
  readonly strict: true;
}

function modelOf(database: Database, kind: Kind): Model {
  return database[kind] as unknown as Model;
}

// The model of the kind with its relations, and those of what it refers to without theirs.
function databaseOf(kind: Kind): Database {
  const { factory, manyOf, oneOf } = library();
  const relations = relationsOf(kind);
  const related = Object.fromEntries(
    relations.map(({ name, to, isList }) => [name, isList ? manyOf(to) : oneOf(to)] as const),
  );
  const others = relations.map(({ to }) => [to, plainModel(to)] as const);
  const dictionary = { ...Object.fromEntries(others), [kind]: { ...plainModel(kind), ...related } };
  return withoutBroadcast(() => factory(dictionary));
}

function plainModel(kind: Kind): Parameters<Library['factory']>[0][string] {
  const { primaryKey } = library();
  const fields = Object.entries(fieldsOf(kind)).map(([name, { empty }]) => [name, () => empty]);
  const id = definitions[kind].ids === 'number' ? primaryKey(Number) : primaryKey(String);
  return { id, ...Object.fromEntries(fields) };
}

// Where there is a window, the library repeats every write in the databases of other tabs that were made in the same order,
// behind the back of our indexes and with ids that clash. Its documentation knows no way to turn that off; it looks for the
// channel when a database is made, and is shown none.
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
