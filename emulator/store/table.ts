// One kind of row with its indexes: constant-time look-ups beside the data library, copied only when a copy writes.

import type { Database } from './models.ts';
import type { Id, Kind, Rows } from './rows.ts';

/** Gives the key, or keys, under which an index finds a row. */
export type KeyOf<Row> = (row: Row) => string | number | readonly (string | number)[];

/** Names the indexes of a kind. */
export type IndexTable<Row> = Readonly<Record<string, KeyOf<Row>>>;

/** Maps keys to the ids of rows, in the order the rows came. Most keys have one id, which stands alone: lists cost memory. */
class Index {
  #ids: Map<string | number, Id | Id[]>;
  #shared: boolean;
  // Lists grow in place while they are ours alone.
  #grown = new Set<Id[]>();

  constructor(ids: Map<string | number, Id | Id[]>, shared: boolean) {
    this.#ids = ids;
    this.#shared = shared;
  }

  get(key: string | number): readonly Id[] {
    const ids = this.#ids.get(key);
    if (ids === undefined) return [];
    return typeof ids === 'object' ? ids : [ids];
  }

  first(key: string | number): Id | undefined {
    const ids = this.#ids.get(key);
    return typeof ids === 'object' ? ids[0] : ids;
  }

  add(key: string | number, id: Id): void {
    this.#own();
    const ids = this.#ids.get(key);
    if (ids === undefined) {
      this.#ids.set(key, id);
    } else if (typeof ids === 'object' && this.#grown.has(ids)) {
      ids.push(id);
    } else {
      const list = [...this.get(key), id];
      this.#grown.add(list);
      this.#ids.set(key, list);
    }
  }

  remove(key: string | number, id: Id): void {
    this.#own();
    const left = this.get(key).filter((other) => other !== id);
    if (left.length === 0) this.#ids.delete(key);
    else this.#ids.set(key, left);
  }

  share(): Index {
    this.#shared = true;
    this.#grown = new Set();
    return new Index(this.#ids, true);
  }

  #own(): void {
    if (!this.#shared) return;
    this.#ids = new Map(this.#ids);
    this.#shared = false;
  }
}

/** Is one kind of row: find by id or by an index, add, change, remove. All rows given out are frozen. */
export class Table<K extends Kind, Names extends string = string> {
  readonly #kind: K;
  readonly #database: Database;
  readonly #keys: IndexTable<Rows[K]>;
  readonly #indexes = new Map<string, Index>();
  readonly #tell: (id: Id, row?: Rows[K]) => void;
  #last: number;

  constructor(
    kind: K,
    database: Database,
    keys: Readonly<Record<Names, KeyOf<Rows[K]>>>,
    twin: Table<K, Names> | undefined,
    tell: (id: Id, row?: Rows[K]) => void,
  ) {
    this.#tell = tell;
    this.#kind = kind;
    this.#database = database;
    this.#keys = keys;
    this.#last = twin ? twin.#last : 0;
    for (const name of Object.keys(keys)) {
      this.#indexes.set(name, twin ? twin.#share(name) : new Index(new Map(), false));
    }
  }

  /** Tells how many rows there are. */
  get size(): number {
    return this.#database.rows(this.#kind).size;
  }

  /** Gives the highest number that was ever an id here. */
  get last(): number {
    return this.#last;
  }

  /** Gives every row, in the order they came. */
  all(): readonly Rows[K][] {
    return [...this.#database.rows(this.#kind).values()];
  }

  /** Gives the row of an id. */
  get(id: Id): Rows[K] | undefined {
    return this.#database.rows(this.#kind).get(id);
  }

  /** Gives the first row that the index has under the key. */
  first(index: Names, key: string | number): Rows[K] | undefined {
    const id = this.#indexes.get(index)?.first(key);
    return id === undefined ? undefined : this.get(id);
  }

  /** Gives all rows that the index has under the key, in the order they came. */
  many(index: Names, key: string | number): readonly Rows[K][] {
    const rows = this.#database.rows(this.#kind);
    return this.ids(index, key).map((id) => rows.get(id) as Rows[K]);
  }

  /** Gives the ids that the index has under the key: as `many`, without touching the rows. */
  ids(index: Names, key: string | number): readonly Id[] {
    return this.#indexes.get(index)?.get(key) ?? [];
  }

  /** Adds a row; without an id it gets the next number. Throws a plain error when the id is taken. */
  add(values: Partial<Rows[K]>): Rows[K] {
    const row = this.#database.create(this.#kind, values.id ?? this.#last + 1, values);
    this.raiseLast(row.id);
    this.#eachKey(row, (index, key) => index.add(key, row.id));
    this.#tell(row.id, row);
    return row;
  }

  /** Changes some fields of a row and gives the new row. Throws a plain error when there is none. */
  change(id: Id, changes: Partial<Omit<Rows[K], 'id'>>): Rows[K] {
    const before = this.get(id);
    if (!before) throw new Error(`no ${this.#kind} ${id}`);
    const after = this.#database.replace(this.#kind, before, changes as Partial<Rows[K]>);
    for (const [name, keyOf] of Object.entries(this.#keys)) {
      const [old, fresh] = [keysOf(keyOf, before), keysOf(keyOf, after)];
      for (const key of old) if (!fresh.includes(key)) this.#indexes.get(name)?.remove(key, id);
      for (const key of fresh) if (!old.includes(key)) this.#indexes.get(name)?.add(key, id);
    }
    this.#tell(id, after);
    return after;
  }

  /** Takes a row out and tells whether there was one. */
  remove(id: Id): boolean {
    const row = this.get(id);
    if (!row) return false;
    this.#database.remove(this.#kind, id);
    this.#eachKey(row, (index, key) => index.remove(key, id));
    this.#tell(id);
    return true;
  }

  /** Makes sure that ids up to this one are not given out again. */
  raiseLast(id: Id): void {
    if (typeof id === 'number' && id > this.#last) this.#last = id;
  }

  #share(name: string): Index {
    return (this.#indexes.get(name) as Index).share();
  }

  #eachKey(row: Rows[K], visit: (index: Index, key: string | number) => void): void {
    for (const [name, index] of this.#indexes) {
      const keyOf = this.#keys[name];
      if (keyOf) for (const key of keysOf(keyOf, row)) visit(index, key);
    }
  }
}

function keysOf<Row>(keyOf: KeyOf<Row>, row: Row): readonly (string | number)[] {
  const keys = keyOf(row);
  return typeof keys === 'object' ? keys : [keys];
}
