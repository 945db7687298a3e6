// The tables of a TOML document during parsing: where keys go, and which must not be repeated.
// Mirrors: BurntSushi/toml 1.4.0, parse.go, `addContext`, `setValue`, `setType`.

import { type GoMap, type GoValue, TypedSlice, typedSlice } from '../../go/value.ts';
import type { CodecRules } from '../rules.ts';
import { formatKey } from './emit.ts';

const tableArrayType = '[]map[string]interface {}';

type TableRules = Pick<CodecRules, 'tomlTopKey' | 'tomlArraysAgain'>;

/** Throws the parser's error for a key. */
export type KeyFault = (message: string) => never;

/** State of a full key such as `a.b.c`, as a node in a tree of keys. */
class KeyPlace {
  /** Whether it is a table created implicitly by a longer key, which can still be defined. */
  isImplicit = false;
  isArray = false;
  readonly #inner = new Map<string, KeyPlace>();

  /** Returns the node of the key with one more part. */
  inner(part: string): KeyPlace {
    let place = this.#inner.get(part);
    if (place === undefined) {
      place = new KeyPlace();
      this.#inner.set(part, place);
    }
    return place;
  }
}

/** The document under construction, and the current table. */
export class TomlTables {
  readonly root: GoMap = new Map();
  /** The full key of the current table. */
  context: readonly string[] = [];
  readonly #places = new KeyPlace();
  /** The table that a dotted key entered last. */
  #entered: { readonly key: readonly string[]; readonly table: GoMap; readonly place: KeyPlace } | undefined;
  readonly #rules: TableRules;
  readonly #fail: KeyFault;

  constructor(rules: TableRules, fail: KeyFault) {
    this.#rules = rules;
    this.#fail = fail;
  }

  /** Creates a table, or an element of an array of tables, and makes it current. */
  enter(key: readonly string[], isArray: boolean): void {
    const name = key[key.length - 1]!;
    let table = this.root;
    let place = this.#places;
    for (let i = 0; i < key.length - 1; i++) {
      const part = key[i]!;
      place = place.inner(part);
      if (!table.has(part)) {
        place.isImplicit = true;
        table.set(part, new Map());
      }
      table =
        tableIn(table.get(part)) ??
        this.#fail(`Key '${formatKey(key.slice(0, i + 1))}' was already created as a hash.`);
    }
    this.context = key.slice(0, -1);
    if (isArray) this.#append(table, name, key);
    else this.set(name, new Map());
    this.context = key;
  }

  #append(table: GoMap, name: string, key: readonly string[]): void {
    if (!table.has(name)) table.set(name, typedSlice(tableArrayType, []));
    const tables = table.get(name);
    if (!(tables instanceof TypedSlice)) {
      this.#fail(`Key '${formatKey(key)}' was already created and cannot be used as an array.`);
    }
    tables.push(new Map());
  }

  /** Creates a table in the current one for a dotted key, and makes it current. */
  enterImplicit(part: string): void {
    const key = [...this.context, part];
    const outer = this.#entered;
    if (outer?.key === this.context) {
      // The last entered table is not looked up from the root, because a key can have thousands of parts.
      const place = outer.place.inner(part);
      const isThere = outer.table.has(part);
      place.isImplicit = !isThere;
      if (!isThere || place.isArray) outer.table.set(part, new Map());
      this.context = key;
      this.#remember(key, outer.table.get(part), place);
      return;
    }
    this.markImplicit(key);
    this.enter(key, false);
    let table: GoValue | undefined = this.root;
    for (const each of key) table = tableIn(table)?.get(each);
    this.#remember(key, table, this.#placeOf(key));
  }

  #remember(key: readonly string[], table: GoValue | undefined, place: KeyPlace): void {
    this.#entered = table instanceof Map ? { key, table, place } : undefined;
  }

  /** Allows a table to be defined again. */
  markImplicit(key: readonly string[]): void {
    this.#placeOf(key).isImplicit = true;
  }

  /** Records whether a key of the current table holds an array, which must not be mixed with inline tables. */
  markArray(name: string, isArray: boolean): void {
    const place = this.#placeOf(this.context);
    // An empty name stands for the current table, which has no name at the top level.
    const isTable = name === '' && (this.context.length > 0 || this.#rules.tomlTopKey === 'the table');
    (isTable ? place : place.inner(name)).isArray = isArray;
  }

  /** Sets a key of the current table. */
  set(name: string, value: GoValue): void {
    const { context } = this;
    let table = this.root;
    for (let i = 0; i < context.length; i++) {
      table =
        tableIn(table.get(context[i]!)) ??
        this.#fail(`Key '${formatKey(context.slice(0, i + 1))}' has already been defined.`);
    }
    if (!table.has(name)) {
      table.set(name, value);
      return;
    }
    const place = this.#placeOf(context).inner(name);
    const mayReplace = place.isArray && this.#rules.tomlArraysAgain;
    if (place.isArray && (mayReplace || place.isImplicit)) table.set(name, value);
    else if (!place.isImplicit) this.#fail(`Key '${formatKey([...context, name])}' has already been defined.`);
    place.isImplicit = false;
  }

  #placeOf(key: readonly string[]): KeyPlace {
    let place = this.#places;
    for (const part of key) place = place.inner(part);
    return place;
  }
}

// The table of a value: the value itself, or the last element of an array of tables.
function tableIn(value: GoValue | undefined): GoMap | undefined {
  if (value instanceof Map) return value;
  return value instanceof TypedSlice ? (value[value.length - 1] as GoMap) : undefined;
}
