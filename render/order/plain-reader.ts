// The quick way to the JSON value of an Order's text: of those that are written as most are. It keeps no positions, and gives up
// where two readers of YAML might not agree; syntax.ts then tells faults in full.

import { maxDepth } from '../arguments.ts';
import { endsBlockEntry } from '../codec/yaml/grammar.ts';
import { readSource } from '../codec/yaml/reader.ts';
import { isSurelyString, resolvePlain } from '../codec/yaml/scalar.ts';
import { type TokenKind, YamlScanner } from '../codec/yaml/scanner.ts';
import { GoError } from '../go/value.ts';
import type { JsonObject, JsonValue } from './order.ts';

/** What the quick way came to: the value, or the place of a key that stands a second time, both from 1. */
export type PlainOrder =
  | { readonly value: JsonValue }
  | { readonly twin: string; readonly line: number; readonly column: number };

/** Reads the text of an Order; undefined where it takes the other reader to tell what it means or what is wrong with it. */
export function readPlainOrder(source: string): PlainOrder | undefined {
  // Readers disagree on line breaks beyond those of files, and on a text block that ends without one.
  if (/[\x85\u2028\u2029]|\r(?!\n)|\n[ \t]+$/.test(source)) return undefined;
  const read = readSource(source.endsWith('\n') ? source : `${source}\n`);
  if (read.fault !== undefined) return undefined;
  const scanner = new YamlScanner(read);
  try {
    return { value: new PlainReader(scanner).document() };
  } catch (error) {
    if (error instanceof Twin) return error.told;
    if (error instanceof GoError) return undefined;
    throw error;
  }
}

/** Says that a text is of another kind. */
class Unusual extends GoError {}

/** Says that a key stands a second time. */
class Twin extends GoError {
  readonly told: Extract<PlainOrder, { readonly twin: string }>;

  constructor(told: Twin['told']) {
    super('a key stands twice');
    this.told = told;
  }
}

/** Builds JSON values from the tokens of a document. */
class PlainReader {
  readonly #scanner: YamlScanner;
  // Scalars by the names of their anchors.
  readonly #named = new Map<string, JsonValue>();
  // How many collections are open.
  #depth = 0;

  constructor(scanner: YamlScanner) {
    this.#scanner = scanner;
  }

  document(): JsonValue {
    const scanner = this.#scanner;
    scanner.peek();
    scanner.skip();
    if (scanner.peek() === 'document-start') scanner.skip();
    const value = this.#node(false);
    if (scanner.peek() !== 'stream-end') giveUp();
    return value;
  }

  #node(mayBeIndentless: boolean): JsonValue {
    const scanner = this.#scanner;
    const kind = scanner.peek();
    if (kind === 'plain' || kind === 'quoted') {
      const text = scanner.value;
      scanner.skip();
      return kind === 'quoted' ? text : meaningOf(text);
    }
    if (kind === 'anchor') return this.#anchored();
    if (kind === 'alias') return this.#alias();
    if (++this.#depth > maxDepth) giveUp();
    const value = this.#collection(kind, mayBeIndentless);
    this.#depth--;
    return value;
  }

  #anchored(): JsonValue {
    const scanner = this.#scanner;
    const name = scanner.value;
    scanner.skip();
    const kind = scanner.peek();
    // Where the anchor of something empty ends is not for the quick.
    if (kind !== 'plain' && kind !== 'quoted') giveUp();
    const value = this.#node(false);
    this.#named.set(name, value);
    return value;
  }

  #alias(): JsonValue {
    const value = this.#named.get(this.#scanner.value);
    if (value === undefined) giveUp();
    this.#scanner.skip();
    return value;
  }

  #collection(kind: TokenKind, mayBeIndentless: boolean): JsonValue {
    if (kind === 'mapping-start') return this.#blockMapping();
    if (kind === 'sequence-start') return this.#blockSequence(false);
    if (kind === '-' && mayBeIndentless) return this.#blockSequence(true);
    if (kind === '{') return this.#flowMapping();
    if (kind === '[') return this.#flowSequence();
    giveUp();
  }

  #blockMapping(): JsonObject {
    const scanner = this.#scanner;
    const members = new Members();
    scanner.skip();
    for (;;) {
      const name = scanner.takeKey();
      if (name !== undefined) {
        const { line, pos, lineStart } = scanner;
        // The scanner stands behind the colon.
        members.open(name, line, pos - lineStart - name.length - 1);
        members.set(this.#takenValue());
        continue;
      }
      if (scanner.peek() === 'block-end') break;
      this.#key(members);
      members.set(endsBlockEntry(scanner.peek()) ? null : this.#node(true));
    }
    scanner.skip();
    return members.object;
  }

  // The value behind a key that was taken with its colon.
  #takenValue(): JsonValue {
    const scanner = this.#scanner;
    const kind = scanner.takeScalar();
    if (kind !== undefined) return kind === 'quoted' ? scanner.taken : meaningOf(scanner.taken);
    return endsBlockEntry(scanner.peek()) ? null : this.#node(true);
  }

  // Goes behind a key and its colon.
  #key(members: Members): void {
    const scanner = this.#scanner;
    if (scanner.peek() !== 'key') giveUp();
    scanner.skip();
    const kind = scanner.peek();
    if (kind !== 'plain' && kind !== 'quoted') giveUp();
    const key = kind === 'quoted' ? scanner.value : meaningOf(scanner.value);
    if (typeof key !== 'string') giveUp();
    members.open(key, scanner.start.line, scanner.start.column);
    scanner.skip();
    if (scanner.peek() !== 'value') giveUp();
    scanner.skip();
  }

  #blockSequence(isIndentless: boolean): JsonValue[] {
    const scanner = this.#scanner;
    const items: JsonValue[] = [];
    if (!isIndentless) scanner.skip();
    for (;;) {
      const isTaken = scanner.takeDash();
      if (!isTaken && scanner.peek() !== '-') break;
      if (!isTaken) scanner.skip();
      const kind = isTaken ? scanner.takeScalar() : undefined;
      if (kind !== undefined) items.push(kind === 'quoted' ? scanner.taken : meaningOf(scanner.taken));
      else if (scanner.peek() === '-' || endsBlockEntry(scanner.peek())) items.push(null);
      else items.push(this.#node(false));
    }
    if (isIndentless) return items;
    if (scanner.peek() !== 'block-end') giveUp();
    scanner.skip();
    return items;
  }

  #flowMapping(): JsonObject {
    const scanner = this.#scanner;
    const members = new Members();
    scanner.skip();
    while (scanner.peek() !== '}') {
      this.#key(members);
      const kind = scanner.peek();
      members.set(kind === ',' || kind === '}' ? null : this.#node(false));
      this.#comma('}');
    }
    scanner.skip();
    return members.object;
  }

  #flowSequence(): JsonValue[] {
    const scanner = this.#scanner;
    const items: JsonValue[] = [];
    scanner.skip();
    while (scanner.peek() !== ']') {
      items.push(this.#node(false));
      this.#comma(']');
    }
    scanner.skip();
    return items;
  }

  #comma(close: '}' | ']'): void {
    const kind = this.#scanner.peek();
    if (kind === ',') this.#scanner.skip();
    else if (kind !== close) giveUp();
  }
}

/** The members of an object that is being read. */
class Members {
  readonly object: Record<string, JsonValue> = {};
  #name = '';

  /** Begins a member whose key stands at a place, from 0. Throws where the object has one of that name. */
  open(name: string, line: number, column: number): void {
    if (Object.hasOwn(this.object, name)) throw new Twin({ twin: name, line: line + 1, column: column + 1 });
    this.#name = name;
  }

  /** Gives the member that was begun its value. */
  set(value: JsonValue): void {
    if (this.#name !== '__proto__') this.object[this.#name] = value;
    else
      Object.defineProperty(this.object, '__proto__', { value, enumerable: true, configurable: true, writable: true });
  }
}

function giveUp(): never {
  throw new Unusual('not written as most are');
}

const number = /^(?:0|-?[1-9]\d{0,14}|-?(?:0|[1-9]\d{0,14})\.\d{1,15})$/;
// What has one of these is no number: but for what begins as a number of another base, or is one to YAML 1.1 alone.
const noNumber = /^(?![-+]?0[xXbBoO])[\s\S]*[^\d_:.eE+-]|^\d+(?:\.\d+){2,}$|^\d{4}-\d\d-\d\d$/;

// Gives what a plain scalar means to every reader.
function meaningOf(text: string): JsonValue {
  if (text === '<<') giveUp();
  if (isSurelyString(text)) return text;
  if (number.test(text)) return Number(text);
  const value = resolvePlain(text);
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value !== 'string' || !noNumber.test(text)) giveUp();
  return value;
}
