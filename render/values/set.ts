// The syntaxes of `--set`, `--set-string`, `--set-json`, `--set-file` and `--set-literal`.
// Mirrors: helm.sh/helm/v3/pkg/strvals, parser.go and literal_parser.go, v3.17.3.

import { prefixOfJson } from '../codec/json.ts';
import { maxDepth } from '../core/arguments.ts';
import { convertGoError, orUndefined } from '../core/catch.ts';
import { tooDeep } from '../core/limits.ts';
import { sprintf } from '../go/format.ts';
import { isSpace } from '../go/letters.ts';
import { parseInt64, quote } from '../go/number.ts';
import { runeOf } from '../go/unicode.ts';
import { GoError, type GoMap, type GoValue, int, int64, typedSlice, typeOf } from '../go/value.ts';

const maxIndex = 65536;
const maxNesting = 30;

/** An index without its closing bracket at the end of the text. The pairs before it have been parsed. */
export class UnterminatedIndex extends GoError {}

/** Parses `a=1,b.c=x` into a map; booleans, null and integers are typed. Throws GoError with Helm's message. */
export function parseSet(text: string, into: GoMap): void {
  parseWith(pairs(typedValue), text, into);
}

/** Parses `a=1,b.c=x` into a map of strings. Throws GoError with Helm's message. */
export function parseSetString(text: string, into: GoMap): void {
  parseWith(pairs(String), text, into);
}

/** Parses `a=FILE,b.c=FILE` into a map; `read` returns the content of a file and may throw. Throws GoError with Helm's message. */
export function parseSetFile(text: string, into: GoMap, read: (path: string) => string): void {
  parseWith(pairs(read), text, into);
}

/** Parses `a={"k": 1},b=[2]` into a map of JSON values; an empty one is null. Throws GoError. */
export function parseSetJson(text: string, into: GoMap): void {
  parseWith(json, text, into);
}

/** Parses `a.b=any text` into a map: one pair with a literal value. Throws GoError with Helm's message. */
export function parseSetLiteral(text: string, into: GoMap): void {
  parseWith(literal, text, into);
}

/** Differences between the syntaxes: where a key ends, whether `\` escapes, how a value is parsed. */
interface Dialect {
  readonly keyStops: string;
  readonly escapes: boolean;
  /** Parses the value after a `=`; `ended` if there is no character left. */
  readonly readValue: (source: Source) => { value: GoValue; ended: boolean };
}

function pairs(convert: (value: string) => GoValue): Dialect {
  return { keyStops: '=[,.', escapes: true, readValue: (source) => readTyped(source, convert) };
}

const json: Dialect = { keyStops: '=[,.', escapes: true, readValue: readJson };

const literal: Dialect = {
  keyStops: '=[.',
  escapes: false,
  readValue: (source) => ({ value: source.until('', false).text, ended: false }),
};

/** The remaining characters. A byte that is not UTF-8 is U+FFFD, as in Go's ReadRune. */
class Source {
  readonly #runes: readonly string[];
  #at = 0;
  /** Number of indexes of the current key. */
  depth = 0;

  constructor(text: string) {
    this.#runes = Array.from(text, (rune) => (/^[\ud800-\udfff]$/.test(rune) ? '\ufffd' : rune));
  }

  peek(): string | undefined {
    return this.#runes[this.#at];
  }
  /** Returns the first characters. */
  start(): string {
    return `${this.#runes.slice(0, 20).join('')}…`;
  }
  skip(): void {
    this.#at++;
  }
  rest(): string {
    return this.#runes.slice(this.#at).join('');
  }
  /** Skips the length of a text, which must be a prefix of the rest. */
  advance(text: string): void {
    this.#at += Array.from(text).length;
  }
  /** Reads up to and including one of the stops; `stop` is undefined at the end. */
  until(stops: string, escapes: boolean): { text: string; stop: string | undefined } {
    let text = '';
    for (;;) {
      const rune = this.#runes[this.#at++];
      if (rune === undefined || stops.includes(rune)) return { text, stop: rune };
      if (escapes && rune === '\\') {
        const escaped = this.#runes[this.#at++];
        if (escaped === undefined) return { text, stop: undefined };
        text += escaped;
      } else {
        text += rune;
      }
    }
  }
}

function parseWith(dialect: Dialect, text: string, into: GoMap): void {
  const source = new Source(text);
  while (!parseKey(dialect, source, into, 0)) source.depth = 0;
}

/** Parses a key and its value into `into`. Returns true if the text ended. */
function parseKey(dialect: Dialect, source: Source, into: GoMap, nesting: number): boolean {
  const { text: key, stop } = source.until(dialect.keyStops, dialect.escapes);
  switch (stop) {
    case undefined:
      if (key === '') return true;
      throw new GoError(`key ${quote(key)} has no value`);
    case '[': {
      const list = listOf(into.get(key)) ?? [];
      const ended: boolean = parseItem(dialect, source, list, nesting);
      setKey(into, key, list);
      return ended;
    }
    case '=': {
      const { value, ended } = dialect.readValue(source);
      setKey(into, key, value);
      return ended;
    }
    case '.': {
      if (nesting === maxNesting) {
        throw new GoError(`value name nested level is greater than maximum supported nested level of ${maxNesting}`);
      }
      const inner = mapOf(into.get(key)) ?? new Map();
      const ended: boolean = parseKey(dialect, source, inner, nesting + 1);
      if (!ended && inner.size === 0) throw new GoError(`key map ${quote(key)} has no value`);
      if (inner.size > 0) setKey(into, key, inner);
      return ended;
    }
    default:
      throw new GoError(`key ${quote(key)} has no value (cannot end with ,)`);
  }
}

/** Parses an index after its `[` and what follows, and sets that item of the list. Returns true if the text ended. */
function parseItem(dialect: Dialect, source: Source, list: GoValue[], nesting: number): boolean {
  const index = readIndex(dialect, source);
  if (++source.depth > maxDepth) throw tooDeep(`the key ${source.start()}`);
  if (index < 0) throw new GoError(`negative ${index} index not allowed`);
  const { text, stop } = source.until('[.=', dialect.escapes);
  if (text !== '') {
    const runes = Array.from(text, (rune) => int(runeOf(rune)));
    throw new GoError(sprintf('unexpected data at end of array index: %q', typedSlice('[]int32', runes)));
  }
  switch (stop) {
    case '=':
      setIndex(list, index, dialect.readValue(source).value);
      return false;
    case '[': {
      const existing = list[index];
      const inner = (existing === null ? undefined : listOf(existing)) ?? [];
      const ended: boolean = parseItem(dialect, source, inner, nesting);
      if (!ended) setIndex(list, index, inner);
      return ended;
    }
    case '.': {
      const existing = list[index];
      const inner: GoMap = existing instanceof Map ? existing : new Map();
      if (index < list.length) list[index] = inner;
      const ended: boolean = parseKey(dialect, source, inner, nesting);
      if (!ended) setIndex(list, index, inner);
      return ended;
    }
    default:
      return true;
  }
}

function readIndex(dialect: Dialect, source: Source): number {
  const { text, stop } = source.until(']', dialect.escapes);
  if (stop === undefined) throw new UnterminatedIndex('error parsing index: EOF');
  return convertGoError(
    () => Number(parseInt64(text, 10, 'Atoi')),
    ({ message }) => new GoError(`error parsing index: ${message}`),
  );
}

function setKey(into: GoMap, key: string, value: GoValue): void {
  if (key !== '') into.set(key, value);
}

function setIndex(list: GoValue[], index: number, value: GoValue): void {
  if (index > maxIndex) {
    throw new GoError(`index of ${index} is greater than maximum supported index of ${maxIndex}`);
  }
  while (list.length < index) list.push(null);
  list[index] = value;
}

function mapOf(value: GoValue | undefined): GoMap | undefined {
  if (value === undefined || value instanceof Map) return value;
  throw wrongType(value, 'map[string]interface {}');
}

function listOf(value: GoValue | undefined): GoValue[] | undefined {
  if (value === undefined || Array.isArray(value)) return value;
  throw wrongType(value, '[]interface {}');
}

function wrongType(value: GoValue, wanted: string): GoError {
  const type = value === null ? 'nil' : typeOf(value);
  return new GoError(`unable to parse key: interface conversion: interface {} is ${type}, not ${wanted}`);
}

function readTyped(source: Source, convert: (value: string) => GoValue): { value: GoValue; ended: boolean } {
  const first = source.peek();
  if (first === undefined) return { value: '', ended: true };
  if (first !== '{') return { value: convert(source.until(',', true).text), ended: false };
  source.skip();
  const list: GoValue[] = [];
  for (;;) {
    const { text, stop } = source.until(',}', true);
    if (stop === undefined) throw new GoError("list must terminate with '}'");
    list.push(convert(text));
    if (stop === '}') {
      if (source.peek() === ',') source.skip();
      return { value: list, ended: false };
    }
  }
}

function readJson(source: Source): { value: GoValue; ended: boolean } {
  if (skipBlankValue(source)) return { value: null, ended: false };
  const { value, text } = prefixOfJson(source.rest());
  source.advance(text);
  skipBlankValue(source);
  return { value, ended: false };
}

/** Skips white space and a comma after it. Returns true if there was nothing before the comma or the end. */
function skipBlankValue(source: Source): boolean {
  for (;;) {
    const rune = source.peek();
    if (rune === undefined) return true;
    if (rune !== ',' && !isSpace(rune)) return false;
    source.skip();
    if (rune === ',') return true;
  }
}

// The `iu` flags fold case like strings.EqualFold.
function typedValue(text: string): GoValue {
  if (/^true$/iu.test(text)) return true;
  if (/^false$/iu.test(text)) return false;
  if (/^null$/iu.test(text)) return null;
  if (text === '0') return int64(0);
  if (text === '' || text.startsWith('0')) return text;
  return orUndefined(() => int64(parseInt64(text, 10))) ?? text;
}
