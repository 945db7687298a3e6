// The tables of a TOML text while it is read: which key goes where, and which may not come twice.
// Mirrors: BurntSushi/toml 1.4.0, parse.go, `addContext`, `setValue`, `setType`.

import { type GoMap, type GoValue, TypedSlice, typedSlice } from '../go/value.ts';
import { formatKey } from './toml-emit.ts';

const tableArrayType = '[]map[string]interface {}';

/** Throws the parser's error for a key. */
export type KeyFault = (message: string) => never;

/** The document that is being built, and the table that keys go to. */
export class TomlTables {
  readonly root: GoMap = new Map();
  /** The whole key of the table in use. */
  context: readonly string[] = [];
  // Tables that a longer key brought about: they may still be defined.
  readonly #implicit = new Set<string>();
  readonly #arrays = new Set<string>();
  readonly #fail: KeyFault;

  constructor(fail: KeyFault) {
    this.#fail = fail;
  }

  /** Makes a table, or one more table of an array, the one in use. */
  enter(key: readonly string[], isArray: boolean): void {
    const parents = key.slice(0, -1);
    const name = key[key.length - 1] as string;
    let table = this.root;
    parents.forEach((part, i) => {
      const parent = parents.slice(0, i + 1);
      if (!table.has(part)) {
        this.#implicit.add(formatKey(parent));
        table.set(part, new Map());
      }
      table = tableIn(table.get(part)) ?? this.#fail(`Key '${formatKey(parent)}' was already created as a hash.`);
    });
    this.context = parents;
    if (isArray) this.#append(table, name, key);
    else this.set(name, new Map());
    this.context = [...parents, name];
  }

  #append(table: GoMap, name: string, key: readonly string[]): void {
    if (!table.has(name)) table.set(name, typedSlice(tableArrayType, []));
    const tables = table.get(name);
    if (!(tables instanceof TypedSlice)) {
      this.#fail(`Key '${formatKey(key)}' was already created and cannot be used as an array.`);
    }
    tables.push(new Map());
  }

  /** Makes a table in use that a dotted key implies. */
  enterImplicit(key: readonly string[]): void {
    this.markImplicit(key);
    this.enter(key, false);
  }

  /** Lets a table be defined again. */
  markImplicit(key: readonly string[]): void {
    this.#implicit.add(formatKey(key));
  }

  /** Notes whether a key of the table in use holds an array, which its inline tables must not be mixed up with. */
  markArray(name: string, isArray: boolean): void {
    const key = formatKey(name === '' ? this.context : [...this.context, name]);
    if (isArray) this.#arrays.add(key);
    else this.#arrays.delete(key);
  }

  /** Sets a key of the table in use. */
  set(name: string, value: GoValue): void {
    let table = this.root;
    this.context.forEach((part, i) => {
      const parent = this.context.slice(0, i + 1);
      table = tableIn(table.get(part)) ?? this.#fail(`Key '${formatKey(parent)}' has already been defined.`);
    });
    const key = formatKey([...this.context, name]);
    if (!table.has(name)) {
      table.set(name, value);
      return;
    }
    if (this.#arrays.has(key)) table.set(name, value);
    else if (!this.#implicit.has(key)) this.#fail(`Key '${key}' has already been defined.`);
    this.#implicit.delete(key);
  }
}

// The table behind a value: itself, or the last one of an array of tables.
function tableIn(value: GoValue | undefined): GoMap | undefined {
  if (value instanceof Map) return value;
  return value instanceof TypedSlice ? (value[value.length - 1] as GoMap) : undefined;
}
