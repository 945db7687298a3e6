// Go values to TOML text.
// Mirrors: BurntSushi/toml 1.4.0, encode.go.

import { formatFloat } from '../../go/number.ts';
import { isBytes } from '../../go/realm.ts';
import { formatGoTime, rfc3339Nano, Time } from '../../go/time/time.ts';
import { GoError, type GoMap, GoObject, type GoValue, Int, int, isNil, sortedEntries } from '../../go/value.ts';

/**
 * Returns a value as TOML. Simple entries of a map come before its tables. Floats have an exponent only with `exponents`. Throws GoError
 * for values without a TOML form, such as a list that contains a nil.
 */
export function emitToml(value: GoValue, exponents = false): string {
  const writer = new TomlWriter(exponents);
  writer.entry([], value);
  return writer.text;
}

// Local dates and times are read into one of these types.
const layouts: ReadonlyMap<string, string> = new Map([
  ['datetime-local', '2006-01-02T15:04:05.999999999'],
  ['date-local', '2006-01-02'],
  ['time-local', '15:04:05.999999999'],
]);

type Key = readonly string[];

class TomlWriter {
  text = '';
  readonly #exponents: boolean;

  constructor(exponents: boolean) {
    this.#exponents = exponents;
  }

  /** Writes a value under its full key: as `key = value`, or as a table with a header. */
  entry(key: Key, value: GoValue): void {
    // A nil is omitted, except that a nil list as the whole document is an empty one.
    if (isNil(value) && (key.length > 0 || value === null || value instanceof Map)) return;
    if (isTable(value)) this.#table(key, value);
    else if (isTableArray(value)) this.#tableArray(key, value);
    else if (key.length === 0) this.text += this.#valueText(value);
    else {
      this.text += `${indentation(key)}${quoteKeyPart(key[key.length - 1]!)} = ${this.#valueText(value)}`;
      this.#newline();
    }
  }

  #newline(): void {
    if (this.text !== '') this.text += '\n';
  }

  #table(key: Key, value: GoMap | GoObject): void {
    if (key.length === 1) this.#newline();
    if (key.length > 0) {
      this.text += `${indentation(key)}[${formatKey(key)}]`;
      this.#newline();
    }
    this.#entries(key, value);
  }

  #tableArray(key: Key, tables: readonly (GoMap | GoObject)[]): void {
    if (key.length === 0) throw new GoError('toml: top-level values must be Go maps or structs');
    for (const table of tables) {
      this.#newline();
      this.text += `${indentation(key)}[[${formatKey(key)}]]`;
      this.#newline();
      this.#entries(key, table);
    }
  }

  #entries(key: Key, table: GoMap | GoObject): void {
    const { direct, sub } = sortEntries(table);
    for (const [name, value] of [...direct, ...sub]) this.entry([...key, name], value);
  }

  #valueText(value: GoValue): string {
    if (typeof value === 'string') return quoteToml(value);
    if (typeof value === 'boolean') return String(value);
    if (typeof value === 'number') return formatTomlFloat(value, this.#exponents);
    if (value instanceof Int)
      return value.type === 'time.Duration' ? quoteToml(value.text?.() ?? '') : String(value.value);
    if (isBytes(value)) return this.#list([...value].map(int));
    if (Array.isArray(value)) return this.#list(value);
    if (value instanceof Map || isStruct(value)) return this.#inlineTable(value!);
    if (value instanceof Time) return formatGoTime(value, layouts.get(value.zone.name) ?? rfc3339Nano);
    return quoteToml(value instanceof GoObject ? String(value.json()) : '');
  }

  #list(items: readonly GoValue[]): string {
    return `[${Array.from(items, (item) => this.#valueText(item)).join(', ')}]`;
  }

  #inlineTable(table: GoMap | GoObject): string {
    const { direct, sub } = sortEntries(table);
    return `{${this.#inlineEntries(direct, sub.length > 0)}${this.#inlineEntries(sub, false)}}`;
  }

  // A nil entry is omitted together with the comma after it, but not the one before it.
  #inlineEntries(entries: readonly Entry[], more: boolean): string {
    const texts = entries.map(([name, value], i) => {
      if (isNil(value)) return '';
      return `${quoteKeyPart(name)} = ${this.#valueText(value)}${more || i < entries.length - 1 ? ', ' : ''}`;
    });
    return texts.join('');
  }
}

type Entry = readonly [name: string, value: GoValue];

function sortEntries(table: GoMap | GoObject): { readonly direct: readonly Entry[]; readonly sub: readonly Entry[] } {
  const entries: Entry[] = table instanceof Map ? sortedEntries(table) : fieldEntries(table);
  const isSub = ([, value]: Entry): boolean => isTable(value) || isTableArray(value);
  return { direct: entries.filter((entry) => !isSub(entry)), sub: entries.filter(isSub) };
}

// The fields of an embedded struct are promoted.
function fieldEntries(object: GoObject): Entry[] {
  return [...object.fields()].flatMap(([name, value]) =>
    object.embedded.includes(name) && value instanceof GoObject ? fieldEntries(value) : [[name, value] as const],
  );
}

function isTable(value: GoValue): value is GoMap | GoObject {
  return !isNil(value) && (value instanceof Map || isStruct(value));
}

// A struct that marshals itself to text is not a table. TOML formats every year of a time, which its text form refuses.
function isStruct(value: GoValue): boolean {
  return value instanceof GoObject && !(value instanceof Time) && typeof value.json() !== 'string';
}

// Reports whether a list contains only tables. No list can contain a nil.
function isTableArray(value: GoValue): value is (GoMap | GoObject)[] {
  if (!Array.isArray(value) || value.length === 0) return false;
  const left: GoValue[][] = [value];
  for (let list = left.pop(); list !== undefined; list = left.pop()) {
    for (const item of list) {
      if (isNil(item)) throw new GoError('toml: cannot encode array with nil element');
      if (Array.isArray(item)) left.push(item);
    }
  }
  return value.every(isTable);
}

function indentation(key: Key): string {
  return '  '.repeat(key.length - 1);
}

function formatTomlFloat(value: number, exponents: boolean): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  const text = formatFloat(value, exponents ? 'g' : 'f', -1);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

/** Returns a full key with its parts joined by dots. */
export function formatKey(key: Key): string {
  return key.map(quoteKeyPart).join('.');
}

function quoteKeyPart(part: string): string {
  return /^[A-Za-z0-9_-]+$/.test(part) ? part : quoteToml(part);
}

const shortEscapes: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\b', '\\b'],
  ['\t', '\\t'],
  ['\n', '\\n'],
  ['\f', '\\f'],
  ['\r', '\\r'],
]);

function quoteToml(text: string): string {
  const escaped = text.replace(
    /["\\\x00-\x1f\x7f]/g,
    (char) => shortEscapes.get(char) ?? `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `"${escaped}"`;
}
