// encoding/json: Go values to JSON and back, with Go's error messages.
// Mirrors: Go 1.23, encoding/json, encode.go, indent.go, scanner.go (syntax), decode.go (`unquote`, `convertNumber`); Go 1.27,
// encoding/json, v2_inject.go and v2_scanner.go, and its internal/jsonwire, decode.go and wire.go.

import { maxDepth } from '../core/arguments.ts';
import type { Place } from '../core/errors.ts';
import { tooDeep } from '../core/limits.ts';
import { encodeBase64 } from '../go/base64.ts';
import { quote } from '../go/number.ts';
import { isBytes } from '../go/realm.ts';
import { decodeUtf8, encodeUtf8, isValidUtf8, toValidUtf8 } from '../go/utf8.ts';
import {
  GoError,
  type GoMap,
  GoObject,
  type GoValue,
  Int,
  isNil,
  nilMap,
  nilSlice,
  sortedKeys,
  typeOf,
} from '../go/value.ts';
import type { JsonVersion } from './rules.ts';

/** Options for writing JSON. */
export interface JsonOptions {
  /** Whether `<`, `>` and `&` are escaped as `\u003c` and so on; default true. */
  readonly escapeHtml?: boolean;
  /** The indentation of each level, with one line per value; by default everything is on one line. */
  readonly indent?: string;
  /** Which implementation writes invalid UTF-8: v1 as the escape of U+FFFD (default), v2 as U+FFFD itself. */
  readonly version?: JsonVersion;
}

/** Returns the JSON of a value. Throws GoError with encoding/json's message, for example `json: unsupported value: +Inf`. */
export function emitJson(value: GoValue, { escapeHtml = true, indent = '', version = 'v1' }: JsonOptions = {}): string {
  return writeJson(value, { escapeHtml, indent, version }, []);
}

function jsonScalar(value: GoValue, options: JsonOptions): string | undefined {
  if (typeof value === 'string') return quoteJson(value, options);
  if (typeof value === 'number') return jsonNumber(value);
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  if (isNil(value)) return 'null';
  if (value instanceof Int) return String(value.value);
  return isBytes(value) ? `"${encodeBase64(value)}"` : undefined;
}

// `open` are the enclosing collections.
function writeJson(value: GoValue, options: Required<JsonOptions>, open: GoValue[]): string {
  const { indent } = options;
  const scalar = jsonScalar(value, options);
  if (scalar !== undefined) return scalar;
  const isStruct = value instanceof GoObject;
  const plain = isStruct ? value.json() : value;
  if (isStruct && !(plain instanceof Map)) return writeJson(plain, options, open);
  open.push(value);
  checkWritten(open);
  let parts: string[];
  if (plain instanceof Map) {
    // A struct keeps the order of its fields.
    const keys = isStruct ? [...plain.keys()] : sortedKeys(plain);
    const colon = indent === '' ? ':' : ': ';
    parts = keys.map((key) => quoteJson(key, options) + colon + writeJson(plain.get(key)!, options, open));
  } else parts = Array.from(plain as GoValue[], (item) => writeJson(item, options, open));
  open.pop();
  const [start, end] = plain instanceof Map ? ['{', '}'] : ['[', ']'];
  if (parts.length === 0) return start + end;
  const newline = indent === '' ? '' : `\n${indent.repeat(open.length)}`;
  return `${start}${newline}${indent}${parts.join(`,${newline}${indent}`)}${newline}${end}`;
}

/**
 * Checks the nesting depth of the last of the `open` collections, each within the one before. Throws GoError with encoding/json's message
 * for a cycle, and `LimitReached`.
 */
export function checkWritten(open: readonly GoValue[]): void {
  if (open.length <= maxDepth) return;
  const value = open[open.length - 1]!;
  if (open.indexOf(value) < open.length - 1) {
    throw new GoError(`json: unsupported value: encountered a cycle via ${typeOf(value)}`);
  }
  throw tooDeep('the value');
}

/** Formats a float64 for JSON, as JavaScript does. Throws GoError for NaN and infinities. */
export function jsonNumber(value: number): string {
  if (Object.is(value, -0)) return '-0';
  if (Number.isFinite(value)) return String(value);
  const name = Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
  throw new GoError(`json: unsupported value: ${name}`);
}

const special = /["\\\x00-\x1f<>&\u2028\u2029]/;
const specials = /["\\\x00-\x1f<>&\u2028\u2029]/g;
const shortEscapes: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

/** Formats a text as a JSON string. */
export function quoteJson(text: string, { escapeHtml = true, version = 'v1' }: JsonOptions = {}): string {
  let quoted = text;
  if (special.test(text)) {
    quoted = text.replace(specials, (char) => {
      const short = shortEscapes.get(char);
      if (short !== undefined) return short;
      if (!escapeHtml && (char === '<' || char === '>' || char === '&')) return char;
      return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
    });
  }
  if (!isValidUtf8(text)) quoted = quoted.replace(/[\ud800-\udfff]/gu, version === 'v1' ? '\\ufffd' : '\ufffd');
  return `"${quoted}"`;
}

// ---- reading

/** Parses JSON: numbers are float64, of duplicate keys the last one wins. Throws GoError with encoding/json's message. */
export function parseJson(text: string, version: JsonVersion = 'v1'): GoValue {
  return read(text, version, (value) => value);
}

/** Parses a JSON object; `null` is a nil map. Throws GoError, also if the text is not an object. */
export function parseJsonMap(text: string, version: JsonVersion = 'v1'): GoMap {
  return read(text, version, (value) => (value === null ? nilMap() : expectMap(value)));
}

/** Parses a JSON array; `null` is a nil slice. Throws GoError, also if the text is not an array. */
export function parseJsonArray(text: string, version: JsonVersion = 'v1'): GoValue[] {
  return read(text, version, (value) => (value === null ? nilSlice() : expectArray(value)));
}

/** A number out of the range of float64. Go continues with nil in its place, v2 with 0. */
export class JsonNumberError extends GoError {
  readonly rest: GoValue;

  constructor(message: string, rest: GoValue) {
    super(message);
    this.rest = rest;
  }
}

/** A text that ends within its value. */
export class JsonEndError extends GoError {
  constructor(place: Partial<Place>) {
    super('unexpected end of JSON input', { place });
  }
}

function read<T>(text: string, version: JsonVersion, expect: (value: GoValue) => T): T {
  const reader = new JsonReader(text, { version });
  const value = reader.value();
  reader.end();
  // If the whole text is a number that is too large, it is still a number.
  const expected = expect(value === null && reader.fault !== undefined ? 0 : value);
  if (reader.fault !== undefined) throw new JsonNumberError(reader.fault, value);
  return expected;
}

/**
 * A number with its text.
 * Mirrors: `json.Number`.
 */
export class JsonNumber extends GoObject {
  readonly type = 'json.Number';
  readonly text: string;

  constructor(text: string) {
    super();
    this.text = text;
  }
}

/** Options for reading JSON. */
export interface JsonReadOptions {
  /** Whether numbers keep their text; default false. */
  readonly keepNumbers?: boolean;
  /** Which implementation words the errors; default v1. */
  readonly version?: JsonVersion;
}

/**
 * Parses the JSON value at the start of a text, like a `json.Decoder`, and returns its text including leading white space. Numbers are
 * float64, or keep their text. Throws GoError.
 */
export function prefixOfJson(
  text: string,
  options: JsonReadOptions = {},
): { readonly value: GoValue; readonly text: string } {
  const reader = new JsonReader(text, options);
  const value = reader.value();
  if (reader.fault !== undefined) throw new GoError(reader.fault);
  return { value, text: text.slice(0, reader.pos) };
}

/** Returns the value as a map. Throws the GoError of `json.Unmarshal` if it is not a map. */
export function expectMap(value: GoValue): GoMap {
  if (value instanceof Map) return value;
  throw wrongType(value, 'map[string]interface {}');
}

/** Returns the value as a slice. Throws the GoError of `json.Unmarshal` if it is not a slice. */
export function expectArray(value: GoValue): GoValue[] {
  if (Array.isArray(value)) return value;
  throw wrongType(value, '[]interface {}');
}

function wrongType(value: GoValue, type: string): GoError {
  return new GoError(`json: cannot unmarshal ${jsonKindOf(value)} into Go value of type ${type}`);
}

/** Returns encoding/json's name of a value's kind: `object`, `array`, `string`, `number`, `bool` or `null`. */
export function jsonKindOf(value: GoValue): string {
  if (isNil(value)) return 'null';
  if (value instanceof Map) return 'object';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'string') return 'string';
  return typeof value === 'boolean' ? 'bool' : 'number';
}

const readEscapes: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

const literals: ReadonlyMap<string, GoValue> = new Map<string, GoValue>([
  ['true', true],
  ['false', false],
  ['null', null],
]);

/** Returns how v2 names the place of a value of the wrong type by the keys and indexes from the root. */
export function jsonTarget(steps: readonly (string | number)[]): string {
  if (steps.length === 0) return 'Go value';
  const path = steps.map((step) => String(step).replaceAll('~', '~0').replaceAll('/', '~1')).join('.');
  return /(?:^|\.)\d+$/.test(path) ? `.${path}` : `Go struct field .${path}`;
}

class JsonReader {
  readonly text: string;
  pos = 0;
  /** A number out of the range of float64 is not a syntax error, which would be reported first. */
  fault: string | undefined;

  readonly #keepNumbers: boolean;
  readonly #isV2: boolean;
  /** The keys and indexes of the current value. */
  readonly #path: (string | number)[] = [];

  constructor(text: string, { keepNumbers = false, version = 'v1' }: JsonReadOptions = {}) {
    this.text = text;
    this.#keepNumbers = keepNumbers;
    this.#isV2 = version === 'v2';
  }

  value(): GoValue {
    this.#skipBlanks();
    const unit = this.text.charCodeAt(this.pos);
    if (unit !== 123 && unit !== 91) return this.#scalar(unit);
    if (this.#path.length === maxDepth) throw tooDeep('JSON', this.#place());
    const collection: GoMap | GoValue[] = unit === 123 ? new Map() : [];
    this.pos++;
    this.#skipBlanks();
    // In ASCII, the closing bracket is two characters after the opening one.
    if (this.text.charCodeAt(this.pos) === unit + 2) {
      this.pos++;
      return collection;
    }
    if (collection instanceof Map) {
      do {
        const key = this.#key();
        collection.set(key, this.#member(key));
      } while (this.#take(',', '}', 'after object key:value pair'));
    } else {
      do collection.push(this.#member(collection.length));
      while (this.#take(',', ']', 'after array element'));
    }
    return collection;
  }

  #member(step: string | number): GoValue {
    this.#path.push(step);
    const value = this.value();
    this.#path.pop();
    return value;
  }

  #scalar(unit: number): GoValue {
    if (unit === 34) return this.#string();
    if (unit === 45 || isDigit(unit)) return this.#number();
    for (const [word, value] of literals) if (word.charCodeAt(0) === unit) return this.#literal(word, value);
    this.#fail('looking for beginning of value');
  }

  // Reads a key and its colon.
  #key(): string {
    this.#skipBlanks();
    if (this.text[this.pos] !== '"') this.#fail('looking for beginning of object key string');
    const key = this.#string();
    this.#take(':', ':', 'after object key');
    return key;
  }

  end(): void {
    this.#skipBlanks();
    if (this.pos < this.text.length) this.#fail('after top-level value');
  }

  #skipBlanks(): void {
    for (;;) {
      const unit = this.text.charCodeAt(this.pos);
      if (unit !== 32 && unit !== 10 && unit !== 13 && unit !== 9) return;
      this.pos++;
    }
  }

  // Reads white space and one of two characters; returns whether it was the first.
  #take(first: string, second: string, context: string): boolean {
    this.#skipBlanks();
    const char = this.text[this.pos];
    if (char !== first && char !== second) this.#fail(context);
    this.pos++;
    return char === first;
  }

  #string(): string {
    const { text } = this;
    let value = '';
    let start = ++this.pos;
    for (;;) {
      const unit = text.charCodeAt(this.pos);
      if (unit === 34) break;
      if (unit === 92) {
        value += text.slice(start, this.pos) + this.#escape();
        start = this.pos;
      } else if (unit >= 32) this.pos++;
      else this.#fail('in string literal');
    }
    value += text.slice(start, this.pos++);
    return toValidUtf8(value);
  }

  #escape(): string {
    const { text } = this;
    const plain = readEscapes.get(text.charAt(++this.pos));
    if (plain !== undefined) {
      this.pos++;
      return plain;
    }
    if (text[this.pos] !== 'u') this.#failEscape('in string escape code', 2);
    const unit = this.#hexUnit();
    if (unit < 0xd800 || unit > 0xdfff) return String.fromCharCode(unit);
    // A lone surrogate becomes U+FFFD.
    if (unit < 0xdc00 && text.startsWith('\\u', this.pos)) {
      const back = this.pos++;
      const low = this.#hexUnit();
      if (low >= 0xdc00 && low <= 0xdfff) return String.fromCharCode(unit, low);
      this.pos = back;
    }
    return '\ufffd';
  }

  // Reads `u` and four digits.
  #hexUnit(): number {
    const start = ++this.pos;
    while (this.pos < start + 4) {
      if (!/^[0-9a-fA-F]$/.test(this.text.charAt(this.pos))) this.#failEscape('in \\u hexadecimal character escape', 6);
      this.pos++;
    }
    return Number.parseInt(this.text.slice(start, this.pos), 16);
  }

  #number(): number | JsonNumber | null {
    const { text } = this;
    const start = this.pos;
    if (text[this.pos] === '-') this.pos++;
    if (text[this.pos] === '0') this.pos++;
    else this.#digits('in numeric literal');
    if (text[this.pos] === '.') {
      this.pos++;
      this.#digits('after decimal point in numeric literal');
    }
    if (text[this.pos] === 'e' || text[this.pos] === 'E') {
      this.pos++;
      if (text[this.pos] === '+' || text[this.pos] === '-') this.pos++;
      this.#digits('in exponent of numeric literal');
    }
    const literal = text.slice(start, this.pos);
    if (this.#keepNumbers) return new JsonNumber(literal);
    const value = Number(literal);
    if (Number.isFinite(value)) return value;
    const target = this.#isV2 ? jsonTarget(this.#path) : 'Go value';
    this.fault ??= `json: cannot unmarshal number ${literal} into ${target} of type float64`;
    return this.#isV2 ? 0 : null;
  }

  #digits(context: string): void {
    if (!isDigit(this.text.charCodeAt(this.pos))) this.#fail(context);
    while (isDigit(this.text.charCodeAt(this.pos))) this.pos++;
  }

  #literal(word: string, value: GoValue): GoValue {
    for (const char of word) {
      if (this.text[this.pos] !== char) this.#fail(`in literal ${word} (expecting '${char}')`);
      this.pos++;
    }
    return value;
  }

  #fail(context: string): never {
    const place = this.#place();
    if (this.pos < this.text.length) {
      const where = this.#isV2 ? contextOfV2(context) : context;
      throw new GoError(`invalid character ${this.#quotedCharacter()} ${where}`, { place });
    }
    // v1 treats the end like a space, which is wrong only within a number, a word or an escape.
    if (!this.#isV2 && /literal|decimal|escape/.test(context) && !context.includes('string literal')) {
      throw new GoError(`invalid character ' ' ${context}`, { place });
    }
    throw new JsonEndError(place);
  }

  // v2 names the whole escape sequence, of `length` bytes.
  #failEscape(context: string, length: number): never {
    if (!this.#isV2) this.#fail(context);
    const start = this.text.lastIndexOf('\\', this.pos - 1);
    const bytes = encodeUtf8(this.text.slice(start, start + length));
    const sequence = decodeUtf8(bytes.slice(0, length));
    if (bytes.length < length && /^\\(?:u[0-9a-fA-F]*)?$/.test(sequence)) throw new JsonEndError(this.#place());
    const plain = sequence.replaceAll(/["\\]/g, '');
    const isPrintable = !/[` \ufffd]/.test(plain) && quote(plain) === `"${plain}"`;
    const shown = isPrintable ? `\`${sequence}\`` : quote(sequence);
    throw new GoError(`invalid escape sequence ${shown} in string`, { place: this.#place() });
  }

  #place(): Partial<Place> {
    const before = this.text.slice(0, this.pos).split('\n');
    return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
  }

  // v1 names the byte, v2 the character.
  #quotedCharacter(): string {
    const next = String.fromCodePoint(this.text.codePointAt(this.pos)!);
    const char = this.#isV2 ? next : String.fromCharCode(encodeUtf8(next)[0]!);
    if (char === "'") return "'\\''";
    return char === '"' ? `'"'` : `'${quote(char).slice(1, -1)}'`;
  }
}

function contextOfV2(context: string): string {
  if (context === 'in string literal') return 'in string';
  return context.endsWith('in numeric literal') || context.endsWith('of numeric literal')
    ? 'in numeric literal'
    : context;
}

function isDigit(unit: number): boolean {
  return unit >= 48 && unit <= 57;
}
