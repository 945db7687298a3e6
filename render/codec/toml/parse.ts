// Parses TOML into Go values, with the library's errors.
// Mirrors: BurntSushi/toml 1.4.0, lex.go and parse.go.

import { maxDepth } from '../../core/arguments.ts';
import { tooDeep } from '../../core/limits.ts';
import { isLetter } from '../../go/letters.ts';
import { parseFloat64, parseInt64, quote } from '../../go/number.ts';
import { parseGoTime } from '../../go/time/time.ts';
import { fixedZone, utc } from '../../go/time/zone.ts';
import { encodeUtf8 } from '../../go/utf8.ts';
import { GoError, type GoMap, type GoValue, int64, TypedSlice, typedSlice } from '../../go/value.ts';
import type { CodecRules } from '../rules.ts';
import { isTomlBlank, isTomlBreak, quoteTomlChar, TomlCursor } from './cursor.ts';
import { formatKey } from './emit.ts';

type TomlRules = Pick<CodecRules, 'tomlEnd' | 'tomlTopKey' | 'toml11' | 'tomlHex' | 'tomlArraysAgain'>;
const toml14: TomlRules = {
  tomlEnd: 'line before',
  tomlTopKey: 'the key',
  tomlHex: 'hexidecimal',
  tomlArraysAgain: true,
};

/** Parses TOML. Throws GoError, for example `toml: line 1 (last key "a"): …`. */
export function parseToml(text: string, rules: TomlRules = toml14): GoMap {
  const plain = text.replace(/^(?:\ufeff|\udcff\udcfe|\udcfe\udcff)/, '');
  if (encodeUtf8(plain.slice(0, 6)).subarray(0, 6).includes(0)) {
    throw new GoError('toml: line 1: files cannot contain NULL bytes; probably using UTF-16; TOML files must be UTF-8');
  }
  return new TomlReader(plain, rules).document();
}

class TomlReader {
  readonly #cursor: TomlCursor;
  readonly #rules: TomlRules;
  readonly #tables: TomlTables;
  #currentKey = '';
  #depth = 0;
  // The line of the last key, for errors about keys.
  #keyLine = 1;

  constructor(text: string, rules: TomlRules) {
    this.#rules = rules;
    this.#cursor = new TomlCursor(text, rules, (line, message) => this.#fail(line, message));
    this.#tables = new TomlTables(rules, (message) => this.#fail(this.#keyLine, message));
  }

  #fail(line: number, message: string): never {
    const context = formatKey(this.#tables.context);
    const key = this.#currentKey;
    const lastKey = key === '' ? context : context === '' ? key : `${context}.${key}`;
    throw new GoError(`toml: line ${line}${lastKey === '' ? '' : ` (last key ${quote(lastKey)})`}: ${message}`);
  }

  document(): GoMap {
    const cursor = this.#cursor;
    for (let char = cursor.next(); char !== ''; char = cursor.next()) {
      if (isTomlBlank(char) || isTomlBreak(char)) continue;
      if (char === '#') {
        cursor.skipComment();
        continue;
      }
      if (char === '[') this.#tableHeader();
      else {
        cursor.pos -= char.length;
        const outer = this.#tables.context;
        this.#keyValue();
        this.#tables.context = outer;
        this.#currentKey = '';
      }
      this.#endOfLine();
    }
    return this.#tables.root;
  }

  #endOfLine(): void {
    const cursor = this.#cursor;
    cursor.skipBlanks();
    const char = cursor.next();
    if (char === '' || isTomlBreak(char)) {
      if (char === '') cursor.back();
      return;
    }
    if (char !== '#') {
      cursor.fail(
        `expected a top-level item to end with a newline, comment, or EOF, but got ${quoteTomlChar(char)} instead`,
      );
    }
    cursor.skipComment();
  }

  // Parses `[name]` or `[[name]]` after the first bracket.
  #tableHeader(): void {
    const cursor = this.#cursor;
    const isArray = cursor.accept('[');
    const key: string[] = [];
    for (let char = '.'; char === '.'; ) {
      cursor.skipBlanks();
      const first = cursor.peek();
      if (first === ']' || first === '') cursor.fail('unexpected end of table name (table names cannot be empty)');
      if (first === '.') cursor.fail('unexpected table separator (table names cannot be empty)');
      this.#addName(key);
      cursor.skipBlanks();
      char = cursor.next();
      if (char !== '.' && char !== ']') {
        cursor.fail(`expected '.' or ']' to end table name, but got ${quoteTomlChar(char)} instead`);
      }
    }
    if (isArray) {
      const char = cursor.next();
      if (char !== ']') {
        cursor.fail(`expected end of table array name delimiter ']', but got ${quoteTomlChar(char)} instead`);
      }
    }
    this.#tables.enter(key, isArray);
    this.#tables.markArray('', false);
  }

  #addName(key: string[]): void {
    const name = this.#cursor.name();
    if (key.length === 0) this.#keyLine = this.#cursor.line;
    key.push(name);
  }

  // Parses `key = value` and sets it in the document. Returns the value, and the tables that a dotted key names.
  #keyValue(): { readonly outer: readonly string[]; readonly value: GoValue } {
    const outer = this.#key();
    this.#currentKey = outer.pop()!;
    for (const part of outer) this.#tables.enterImplicit(part);
    const value = this.#value(false);
    this.#tables.set(this.#currentKey, value);
    this.#tables.markArray(this.#currentKey, Array.isArray(value));
    return { outer, value };
  }

  #key(): string[] {
    const cursor = this.#cursor;
    const key: string[] = [];
    cursor.skipBlanks();
    const first = cursor.peek();
    if (first === '=' || first === '') cursor.fail("unexpected '=': key name appears blank");
    if (first === '.') cursor.fail("unexpected '.': keys cannot start with a '.'");
    for (;;) {
      cursor.skipBlanks();
      const start = cursor.peek();
      if (start === '=' || start === '') cursor.fail("unexpected '='");
      if (start === '.') cursor.fail("unexpected '.'");
      this.#addName(key);
      cursor.skipBlanks();
      const char = cursor.next();
      if (char === '=') return key;
      if (char === '') cursor.fail("unexpected EOF; expected key separator '='");
      if (char !== '.') cursor.fail(`expected '.' or '=', but got ${quoteTomlChar(char)} instead`, true);
    }
  }

  #value(inArray: boolean): GoValue {
    const cursor = this.#cursor;
    cursor.skipBlanks();
    const start = cursor.pos;
    const char = cursor.next();
    switch (char) {
      case '[':
        return this.#nested(() => this.#array());
      case '{':
        return this.#nested(() => this.#inlineTable(inArray));
      case '"':
      case "'":
        return cursor.string(char, this.#takeTriple(char));
      case '.':
        return cursor.fail("floats must start with a digit, not '.'");
      case '':
        return cursor.fail('unexpected EOF; expected value');
      case '+':
      case '-':
        return this.#signedNumber(start);
      default:
        if (/^[0-9]$/.test(char)) return this.#numberOrDate(start, char);
        if (isLetter(char)) return this.#word(char);
        return cursor.fail(`expected value but found ${quoteTomlChar(char)} instead`, true);
    }
  }

  #takeTriple(mark: string): boolean {
    const cursor = this.#cursor;
    if (!cursor.accept(mark)) return false;
    if (cursor.accept(mark)) return true;
    cursor.pos--;
    return false;
  }

  // Parses true, false, inf or nan.
  #word(first: string): GoValue {
    const cursor = this.#cursor;
    if (first === 'i' || first === 'n') {
      const start = cursor.pos - 1;
      // The library tries the rest of both words, and moves back only one character if neither matches.
      if ((cursor.accept('n') && cursor.accept('f')) || (cursor.accept('a') && cursor.accept('n'))) {
        return this.#float(cursor.text.slice(start, cursor.pos));
      }
    }
    cursor.pos -= first.length;
    const word = cursor.takeWhile({ test: isLetter });
    if (word === 'true' || word === 'false') return word === 'true';
    return cursor.fail(`expected value but found ${quote(word)} instead`);
  }

  #signedNumber(start: number): GoValue {
    const cursor = this.#cursor;
    const char = cursor.next();
    if (char === 'i' || char === 'n') {
      const [second, third] = char === 'i' ? ['n', 'f'] : ['a', 'n'];
      if (!cursor.accept(second) || !cursor.accept(third)) {
        cursor.fail(`invalid float: '${cursor.text.slice(start, cursor.pos)}'`);
      }
      if (char === 'n') return Number.NaN;
      return cursor.text[start] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
    }
    if (char === '0' && /^[box]$/.test(cursor.peek())) {
      const shown = cursor.text.slice(start, cursor.pos) + cursor.peek();
      cursor.fail(`cannot use sign with non-decimal numbers: '${shown}'`);
    }
    if (char === '.') cursor.fail("floats must start with a digit, not '.'");
    if (!/^[0-9]$/.test(char)) cursor.fail(`expected a digit but got ${quoteTomlChar(char)}`);
    return this.#decimal(start);
  }

  #numberOrDate(start: number, first: string): GoValue {
    const cursor = this.#cursor;
    if (first === '0') {
      const base = bases.get(cursor.peek());
      if (base !== undefined) {
        const prefix = cursor.text.slice(start, cursor.pos + 1);
        cursor.pos++;
        const digit = cursor.peek();
        const name = base.name === 'hex' ? `a ${this.#rules.tomlHex}` : base.name;
        if (!base.digit.test(digit)) cursor.fail(`not ${name} number: '${prefix}${digit === '' ? '\0' : digit}'`);
        cursor.takeWhile(base.digits);
        return this.#integer(cursor.text.slice(start, cursor.pos));
      }
    }
    cursor.takeWhile(/^[0-9]$/);
    const mayBeDate = first !== '0' || cursor.pos - start > 1;
    if (!mayBeDate || !/^[-:]$/.test(cursor.peek())) return this.#decimal(start);
    cursor.takeWhile(/^[-0-9:Tt .Zz+]$/);
    return this.#date(cursor.text.slice(start, cursor.pos).trim());
  }

  // Parses a decimal integer or a float after its first digits.
  #decimal(start: number): GoValue {
    const cursor = this.#cursor;
    cursor.takeWhile(/^[0-9_]$/);
    const isFloat = /^[.eE]$/.test(cursor.peek());
    if (isFloat) cursor.takeWhile(/^[-0-9_.+eE]$/);
    const text = cursor.text.slice(start, cursor.pos);
    return isFloat ? this.#float(text) : this.#integer(text);
  }

  #integer(text: string): GoValue {
    const cursor = this.#cursor;
    if (!hasGoodUnderscores(text)) {
      cursor.fail(`Invalid integer ${quote(text)}: underscores must be surrounded by digits`);
    }
    if (hasLeadingZero(text)) cursor.fail(`Invalid integer ${quote(text)}: cannot have leading zeroes`);
    try {
      return int64(parseInt64(text, 0));
    } catch {
      return cursor.fail(`${text} is out of range for int64`);
    }
  }

  #float(text: string): GoValue {
    const cursor = this.#cursor;
    const parts = text.split(/[.eE]/).filter((part) => part !== '');
    const isWord = text === 'inf' || text === 'nan';
    if (!isWord && !parts.every(hasGoodUnderscores)) {
      cursor.fail(`Invalid float ${quote(text)}: underscores must be surrounded by digits`);
    }
    if (hasLeadingZero(parts[0] ?? '')) cursor.fail(`Invalid float ${quote(text)}: cannot have leading zeroes`);
    if (/\.(?![0-9])/.test(text)) {
      cursor.fail(`Invalid float ${quote(text)}: '.' must be followed by one or more digits`);
    }
    try {
      return parseFloat64(text.replaceAll('_', ''));
    } catch (error) {
      const isBeyond = error instanceof GoError && error.kind === 'range';
      if (isBeyond) cursor.fail(`${text} is out of range for float64`);
      return cursor.fail(`Invalid float value: ${quote(text)}`);
    }
  }

  #date(text: string): GoValue {
    const written = text.replaceAll(/[ t]/g, 'T').replaceAll('z', 'Z');
    // Missing seconds of a time are zero.
    const whole = this.#cursor.isNext ? written.replace(/^(.*T)?\d\d:\d\d(?![:\d])/, '$&:00') : written;
    const form = dateForms.find(({ pattern }) => pattern.test(whole));
    try {
      if (form !== undefined) return parseGoTime(form.layout, whole, form.zone);
    } catch {
      // Falls through: the format is valid but the date is not.
    }
    this.#cursor.fail(`invalid datetime: ${quote(written)}`);
  }

  #nested<T>(read: () => T): T {
    if (++this.#depth > maxDepth) throw tooDeep('TOML', { line: this.#cursor.line });
    const value = read();
    this.#depth--;
    return value;
  }

  #array(): GoValue[] {
    const cursor = this.#cursor;
    const items: GoValue[] = [];
    this.#tables.markArray(this.#currentKey, true);
    for (let isFirst = true; ; isFirst = false) {
      if (!isFirst) {
        this.#skipLines();
        if (cursor.accept(']')) return items;
        if (!cursor.accept(',')) {
          const found = cursor.next();
          const shown = found === '' ? 'end of file' : `'${found}'`;
          cursor.fail(`expected a comma (',') or array terminator (']'), but got ${shown}`);
        }
      }
      this.#skipLines();
      if (cursor.accept(']')) return items;
      if (cursor.accept(',')) cursor.fail('unexpected comma');
      items.push(this.#value(true));
    }
  }

  #skipLines(): void {
    const cursor = this.#cursor;
    for (let char = cursor.peek(); ; char = cursor.peek()) {
      if (char === '#') cursor.skipComment();
      else if (isTomlBlank(char) || isTomlBreak(char)) cursor.pos++;
      else return;
    }
  }

  // Its keys are set in the document, where they are checked, and in a separate table for an array.
  #inlineTable(inArray: boolean): GoMap {
    const tables = this.#tables;
    const table: GoMap = new Map();
    const [outerContext, outerKey] = [tables.context, this.#currentKey];
    const context = [...outerContext, outerKey];
    tables.context = context;
    this.#currentKey = '';
    tables.markImplicit(context);
    tables.enter(context, inArray);
    for (let isFirst = true; this.#hasInlineEntry(isFirst); isFirst = false) {
      const { outer, value } = this.#keyValue();
      let inner = table;
      for (const part of outer) {
        if (!inner.has(part)) inner.set(part, new Map());
        const next = inner.get(part);
        if (!(next instanceof Map)) this.#fail(this.#keyLine, `${quote(formatKey(tables.context))} is not a table`);
        inner = next;
      }
      inner.set(this.#currentKey, value);
      tables.context = context;
    }
    tables.context = outerContext;
    this.#currentKey = outerKey;
    return table;
  }

  // Moves to the next entry of an inline table, or past its end.
  #hasInlineEntry(isFirst: boolean): boolean {
    const cursor = this.#cursor;
    if (!isFirst) {
      this.#skipInline();
      if (cursor.accept('}')) return false;
      if (!cursor.accept(',')) {
        const found = cursor.next();
        const shown = found === '' ? 'end of file' : `'${found}'`;
        cursor.fail(`expected a comma or an inline table terminator '}', but got ${shown} instead`);
      }
      cursor.skipBlanks();
      if (cursor.peek() === '}' && !cursor.isNext) cursor.fail('trailing comma not allowed in inline tables');
    }
    this.#skipInline();
    if (cursor.accept('}')) return false;
    if (cursor.accept(',')) cursor.fail('unexpected comma');
    return true;
  }

  #skipInline(): void {
    const cursor = this.#cursor;
    for (;;) {
      cursor.skipBlanks();
      const char = cursor.peek();
      if (char === '#') cursor.skipComment();
      else if (isTomlBreak(char)) {
        cursor.next();
        if (!cursor.isNext) cursor.failBefore('newlines not allowed within inline tables');
      } else return;
    }
  }
}

const bases: ReadonlyMap<string, { readonly name: string; readonly digit: RegExp; readonly digits: RegExp }> = new Map([
  ['b', { name: 'a binary', digit: /^[01]$/, digits: /^[01_]$/ }],
  ['o', { name: 'an octal', digit: /^[0-7]$/, digits: /^[0-7_]$/ }],
  ['x', { name: 'hex', digit: /^[0-9a-fA-F]$/, digits: /^[0-9a-fA-F_]$/ }],
]);

const date = '\\d{4}-\\d\\d-\\d\\d';
const clock = '\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?';
const dateForms = [
  {
    pattern: new RegExp(`^${date}T${clock}(?:Z|[-+]\\d\\d:\\d\\d)$`),
    layout: '2006-01-02T15:04:05.999999999Z07:00',
    zone: utc,
  },
  {
    pattern: new RegExp(`^${date}T${clock}$`),
    layout: '2006-01-02T15:04:05.999999999',
    zone: fixedZone('datetime-local', 0),
  },
  { pattern: new RegExp(`^${date}$`), layout: '2006-01-02', zone: fixedZone('date-local', 0) },
  { pattern: new RegExp(`^${clock}$`), layout: '15:04:05.999999999', zone: fixedZone('time-local', 0) },
];

// Underscores must be between two digits, also hexadecimal ones.
function hasGoodUnderscores(text: string): boolean {
  return /^(?:.*[0-9a-fA-F])$/.test(text) && !/(?:^|[^0-9a-fA-F])_/.test(text);
}

function hasLeadingZero(text: string): boolean {
  return /^0[^box]/.test(text) || /^[-+]0./.test(text);
}

const tableArrayType = '[]map[string]interface {}';

type TableRules = Pick<CodecRules, 'tomlTopKey' | 'tomlArraysAgain'>;

type KeyFault = (message: string) => never;

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
class TomlTables {
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
