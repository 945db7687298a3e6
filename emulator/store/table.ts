// One kind of row with its indexes: constant-time look-ups beside the data library, whose own queries scan.

import type { KeyOf } from './fields.ts';
import { Layered } from './layered.ts';
import { type AnyRow, type FindRow, Models } from './models.ts';
import { completeRow, definitions, type Id, type IndexName, indexesOf, type Kind, type Rows } from './rows.ts';

type Key = string | number;

/** Hears of every write: the row as it is now, undefined when it was taken out. */
export type WriteListener = (kind: Kind, id: Id, row: Rows[Kind] | undefined) => void;

/** Maps keys to the ids of rows, in the order the rows came. Most keys have one id, which stands alone: lists cost memory. */
class Index {
  readonly #ids: Layered<Key, Id | readonly Id[]>;
  // Lists grow in place while they are ours alone.
  #grown = new Set<readonly Id[]>();

  constructor(ids: Layered<Key, Id | readonly Id[]> = new Layered()) {
    this.#ids = ids;
  }

  get(key: Key): readonly Id[] {
    const ids = this.#ids.get(key);
    if (ids === undefined) return [];
    return typeof ids === 'object' ? ids : [ids];
  }

  add(key: Key, id: Id): void {
    const ids = this.#ids.get(key);
    if (ids === undefined) {
      this.#ids.set(key, id);
    } else if (typeof ids === 'object' && this.#grown.has(ids)) {
      (ids as Id[]).push(id);
    } else {
      const list = [...this.get(key), id];
      this.#grown.add(list);
      this.#ids.set(key, list);
    }
  }

  remove(key: Key, id: Id): void {
    const left = this.get(key).filter((other) => other !== id);
    if (left.length === 0) this.#ids.delete(key);
    else this.#ids.set(key, left);
  }

  share(): Index {
    this.#grown = new Set();
    return new Index(this.#ids.share());
  }
}

/** One kind of row: find by id or by an index, add, change, remove. All rows given out are frozen. */
export class Table<K extends Kind> {
  /** What is told of every write. */
  onWrite: WriteListener | undefined;
  readonly #kind: K;
  readonly #models: Models;
  readonly #rows: Layered<Id, Rows[K]>;
  readonly #indexes: ReadonlyMap<IndexName<K>, Index>;
  #last: number;

  /** `find` gives the rows that those of this kind refer to. */
  constructor(kind: K, find: FindRow, twin?: Table<K>) {
    this.#kind = kind;
    this.#models = new Models(kind, find);
    this.#rows = twin ? twin.#rows.share() : new Layered();
    this.#last = twin ? twin.#last : 0;
    this.#indexes = new Map(indexesOf(kind).map(([name]) => [name, twin ? twin.#share(name) : new Index()]));
  }

  /** Tells how many rows there are. */
  get size(): number {
    return this.#rows.size;
  }

  /** Gives the highest number that was ever an id here. */
  get last(): number {
    return this.#last;
  }

  /** Gives every row, in the order they came. */
  all(): readonly Rows[K][] {
    return Array.from(this.#rows.keys(), (id) => this.#rows.get(id)!);
  }

  /** Tells whether there is a row of an id. */
  has(id: Id): boolean {
    return this.#rows.get(id) !== undefined;
  }

  /** Gives the row of an id. */
  get(id: Id): Rows[K] | undefined {
    return this.#rows.get(id);
  }

  /** Gives the first row that the index has under the key. */
  first(index: IndexName<K>, key: Key): Rows[K] | undefined {
    const [id] = this.ids(index, key);
    return id === undefined ? undefined : this.get(id);
  }

  /** Gives all rows that the index has under the key, in the order they came. */
  many(index: IndexName<K>, key: Key): readonly Rows[K][] {
    return this.ids(index, key).map((id) => this.get(id)!);
  }

  /** Gives the ids that the index has under the key: as `many`, without touching the rows. */
  ids(index: IndexName<K>, key: Key): readonly Rows[K]['id'][] {
    return (this.#indexes.get(index)?.get(key) ?? []) as readonly Rows[K]['id'][];
  }

  /** Gives the other row that stands where this one would, and under which index; undefined when the place is free. */
  clash(row: Rows[K]): { readonly index: IndexName<K>; readonly id: Id } | undefined {
    const unique: readonly string[] = definitions[this.#kind].unique;
    for (const [index, keyOf] of indexesOf(this.#kind)) {
      if (!unique.includes(index)) continue;
      for (const key of keysOf(keyOf, row)) {
        const id = this.ids(index, key).find((other) => other !== row.id);
        if (id !== undefined) return { index, id };
      }
    }
    return undefined;
  }

  /** Adds a row; without an id it gets the next number. Throws a plain error when the id is taken or what it refers to is not there. */
  add(values: Partial<Rows[K]>): Rows[K] {
    const row = this.#complete(values);
    this.#models.create(row as AnyRow);
    this.#enter(row);
    this.onWrite?.(this.#kind, row.id, row);
    return row;
  }

  /**
   * Adds a row as `add` does, for seeding: what it refers to is known to be there, the library is not woken, nobody is told.
   * Calls `taken` where another row stands that this one would clash with. Fields that are not given are those of `base`: to spread
   * thousands of fixtures into objects would take longer than all else.
   */
  lay(values: Partial<Rows[K]>, taken?: () => never, base?: object): Rows[K] {
    const row = this.#complete(values, base);
    if (taken && this.clash(row)) taken();
    this.#enter(row);
    return row;
  }

  /** Puts a whole row that is known to be sound in the place of the one of its id, or adds it, as `lay` does. */
  put(row: Rows[K]): void {
    const before = this.get(row.id);
    if (before) this.#exchange(before, row);
    else this.#enter(row);
    this.#models.forget();
  }

  /** Takes a row out as `put` puts one in, and sees to it that its id is not given out again. */
  takeOut(id: Id): void {
    const row = this.get(id);
    if (row) this.#leave(row);
    this.raiseLast(id);
    this.#models.forget();
  }

  /** Changes some fields of a row and gives the new row. Throws a plain error when there is none, or none of what it then refers to. */
  change(id: Id, changes: Partial<Omit<Rows[K], 'id'>>): Rows[K] {
    const before = this.get(id);
    if (!before) throw new Error(`no ${this.#kind} ${id}`);
    const after = this.#models.update(before as AnyRow, changes) as unknown as Rows[K];
    this.#exchange(before, after);
    this.onWrite?.(this.#kind, id, after);
    return after;
  }

  /** Takes a row out and tells whether there was one. */
  remove(id: Id): boolean {
    const row = this.get(id);
    if (!row) return false;
    this.#models.delete(row as AnyRow);
    this.#leave(row);
    this.onWrite?.(this.#kind, id, undefined);
    return true;
  }

  /** Makes sure that ids up to this one are not given out again. */
  raiseLast(id: Id): void {
    if (typeof id === 'number' && id > this.#last) this.#last = id;
  }

  #complete(values: Partial<Rows[K]>, base?: object): Rows[K] {
    const row = completeRow(this.#kind, values.id ?? this.#last + 1, values, base);
    if (this.has(row.id)) throw new Error(`there is a ${this.#kind} ${row.id} already`);
    return row;
  }

  #enter(row: Rows[K]): void {
    this.#rows.set(row.id, row);
    this.raiseLast(row.id);
    for (const [name, keyOf] of indexesOf(this.#kind))
      for (const key of keysOf(keyOf, row)) this.#indexes.get(name)?.add(key, row.id);
  }

  #exchange(before: Rows[K], after: Rows[K]): void {
    this.#rows.set(after.id, after);
    for (const [name, keyOf] of indexesOf(this.#kind)) {
      const [old, fresh] = [keysOf(keyOf, before), keysOf(keyOf, after)];
      for (const key of old) if (!fresh.includes(key)) this.#indexes.get(name)?.remove(key, after.id);
      for (const key of fresh) if (!old.includes(key)) this.#indexes.get(name)?.add(key, after.id);
    }
  }

  #leave(row: Rows[K]): void {
    this.#rows.delete(row.id);
    for (const [name, keyOf] of indexesOf(this.#kind))
      for (const key of keysOf(keyOf, row)) this.#indexes.get(name)?.remove(key, row.id);
  }

  #share(name: IndexName<K>): Index {
    return this.#indexes.get(name)!.share();
  }
}

function keysOf<Row>(keyOf: KeyOf<Row>, row: Row): readonly Key[] {
  const keys = keyOf(row);
  return typeof keys === 'object' ? keys : [keys];
}
