// The rows of one kind: a model of the database with generated ids, lookup keys, and reference checks.

import type { DatabaseModel } from './database.ts';
import type { KeyOf } from './fields.ts';
import { completeRow, definitions, type Id, type KeyName, type Kind, kindFields, type Rows } from './rows.ts';

type Key = string | number;

/** Called on every write with the current row; undefined if it was removed. */
export type WriteListener = (kind: Kind, id: Id, row: Rows[Kind] | undefined) => void;

/**
 * Rows of one kind. Rows are immutable: a change creates a new one. Their lists and objects are frozen; the rows themselves cannot be,
 * because the library copies property descriptors when it changes a row.
 */
export class Table<K extends Kind> {
  /** Called on every `add`, `change` and `remove`. */
  onWrite: WriteListener | undefined;
  readonly #kind: K;
  readonly #model: DatabaseModel<K>;
  readonly #hasRow: (kind: Kind, id: Id) => boolean;
  #last = 0;

  /** `hasRow` reports whether a referenced row exists. */
  constructor(kind: K, model: DatabaseModel<K>, hasRow: (kind: Kind, id: Id) => boolean) {
    this.#kind = kind;
    this.#model = model;
    this.#hasRow = hasRow;
  }

  get size(): number {
    return this.#model.count();
  }

  /** The highest number used as an id. */
  get last(): number {
    return this.#last;
  }

  all(): readonly Rows[K][] {
    return this.#model.getAll();
  }

  has(id: Id): boolean {
    return this.get(id) !== undefined;
  }

  get(id: Id): Rows[K] | undefined {
    return this.all().find((row) => row.id === id);
  }

  /** Returns the oldest row with this key. */
  first(name: KeyName<K>, key: Key): Rows[K] | undefined {
    return this.all().find(keyTest(this.#kind, name, key));
  }

  /** Returns all rows with this key, oldest first. */
  many(name: KeyName<K>, key: Key): readonly Rows[K][] {
    return this.all().filter(keyTest(this.#kind, name, key));
  }

  /** Returns the id of another row with the same unique key, and the name of the key. */
  clash(row: Rows[K]): { readonly name: KeyName<K>; readonly id: Id } | undefined {
    for (const name of definitions[this.#kind].unique as readonly KeyName<K>[]) {
      const keyOf = keyFunction(this.#kind, name);
      const key = keyOf(row);
      const other = this.all().find((candidate) => candidate.id !== row.id && keyOf(candidate) === key);
      if (other) return { name, id: other.id };
    }
    return undefined;
  }

  /** Adds a row; without an id it gets the next number. Throws a plain error if the id is taken or a reference is invalid. */
  add(values: Partial<Rows[K]>): Rows[K] {
    this.#checkReferences(values);
    const row = this.insert(values);
    this.onWrite?.(this.#kind, row.id, row);
    return row;
  }

  /** Adds a row while a store is filled, without checks of references. Calls `refuse` if a unique key is taken. */
  insert(values: Partial<Rows[K]>, refuse?: () => never): Rows[K] {
    const row = completeRow(this.#kind, values.id ?? this.#last + 1, values);
    if (refuse && this.clash(row)) refuse();
    if (this.has(row.id)) throw new Error(`there is a ${this.#kind} ${row.id} already`);
    this.raiseLast(row.id);
    return this.#model.create(row);
  }

  /** Replaces the row with the same id, or inserts it. */
  put(row: Rows[K]): void {
    if (this.has(row.id)) this.#update(row.id, row);
    else this.insert(row);
  }

  /** Changes fields of a row and returns the new row. Throws a plain error if there is no such row, or a reference is invalid. */
  change(id: Id, changes: Partial<Omit<Rows[K], 'id'>>): Rows[K] {
    const before = this.get(id);
    if (!before) throw new Error(`no ${this.#kind} ${id}`);
    this.#checkReferences(changes);
    const row = this.#update(id, completeRow(this.#kind, id, { ...before, ...changes }));
    this.onWrite?.(this.#kind, id, row);
    return row;
  }

  /** Removes a row and reports whether it existed. */
  remove(id: Id): boolean {
    if (!this.discard(id)) return false;
    this.onWrite?.(this.#kind, id, undefined);
    return true;
  }

  /** Removes a row without calling `onWrite`; its id is not reused. */
  discard(id: Id): boolean {
    this.raiseLast(id);
    if (!this.has(id)) return false;
    this.#model.delete(byId(id));
    return true;
  }

  raiseLast(id: Id): void {
    if (typeof id === 'number' && id > this.#last) this.#last = id;
  }

  #update(id: Id, data: Partial<Rows[K]>): Rows[K] {
    return this.#model.update({ ...byId(id), data });
  }

  #checkReferences(values: object): void {
    const missing = missingReference(this.#kind, values, this.#hasRow);
    if (missing) throw new Error(`${this.#kind}.${missing}`);
  }
}

/** Returns the field with an invalid reference and a sentence about it, such as `owner: there is no user 5`. */
export function missingReference(
  kind: Kind,
  values: object,
  hasRow: (kind: Kind, id: Id) => boolean,
): string | undefined {
  for (const [name, { refers }] of Object.entries(kindFields(kind))) {
    const ids = values[name as keyof typeof values] as Id | readonly Id[] | undefined;
    if (!refers || ids === undefined) continue;
    for (const id of [ids].flat()) {
      if (!refers.some((target) => hasRow(target, id)))
        return `${name}: there is no ${refers.join(' or ')} ${JSON.stringify(id)}`;
    }
  }
  return undefined;
}

function byId(id: Id): { readonly where: { readonly id: { readonly equals: Id } }; readonly strict: true } {
  return { where: { id: { equals: id } }, strict: true };
}

function keyFunction<K extends Kind>(kind: K, name: KeyName<K>): KeyOf<Rows[K]> {
  return definitions[kind].keys[name as never] as KeyOf<Rows[K]>;
}

function keyTest<K extends Kind>(kind: K, name: KeyName<K>, key: Key): (row: Rows[K]) => boolean {
  const keyOf = keyFunction(kind, name);
  return (row) => {
    const keys = keyOf(row);
    return typeof keys === 'object' ? keys.includes(key) : keys === key;
  };
}
