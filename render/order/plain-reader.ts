// The quick way to the JSON value of an Order's text: of those that are written as most are. It keeps positions where it is
// asked for them, and gives up where two readers of YAML might not agree; syntax.ts then tells faults in full.

import { maxDepth } from '../arguments.ts';
import type { TokenPlace } from '../codec/yaml/error.ts';
import { endsBlockEntry } from '../codec/yaml/grammar.ts';
import { readSource } from '../codec/yaml/reader.ts';
import { isSurelyString, resolvePlain } from '../codec/yaml/scalar.ts';
import { type TokenKind, YamlScanner } from '../codec/yaml/scanner.ts';
import { GoError } from '../go/value.ts';
import type { JsonObject, JsonValue } from './order.ts';
import { readOddScalar } from './scalars.ts';

/** What the quick way came to: the value, or what ended the reading. */
export type PlainOrder = { readonly value: JsonValue } | PlainFault;

/** Why an Order cannot be read: what stands where it may not, and its place, line and column from 1. */
export interface PlainFault {
  /** A key that stands a second time, aliases that bring too much, an alias of nothing, a collection as a key. */
  readonly fault: 'twin' | 'unfolds' | 'no-anchor' | 'collection-key';
  /** The key, or what the alias names; else empty. */
  readonly name: string;
  readonly line: number;
  readonly column: number;
}

/** Where a value stands, from 0: its key, where it has one, or its beginning; and where the values inside it stand. */
export interface PlainPlace {
  readonly line: number;
  readonly column: number;
  /** By name or by number; undefined for a scalar, and for what stands elsewhere and is named by an alias. */
  inner?: ReadonlyMap<string | number, PlainPlace>;
}

/** How many values aliases may bring in all: whoever reads an Order looks at each of them. */
export const mostAliased = 500_000;

/** Reads the text of an Order; undefined where it takes the other reader to tell what it means or what is wrong with it. */
export function readPlainOrder(source: string): PlainOrder | undefined {
  return readWith(source, (reader) => ({ value: reader.document() }));
}

/** Gives where everything of an Order's text stands; undefined where it takes the other reader to tell. */
export function placesOfPlainOrder(source: string): PlainPlace | undefined {
  const root: PlainPlace = { line: 0, column: 0 };
  const read = readWith(source, (reader) => ({ value: reader.document(root) }));
  return read !== undefined && 'value' in read ? root : undefined;
}

function readWith(source: string, read: (reader: PlainReader) => PlainOrder): PlainOrder | undefined {
  // Readers disagree on line breaks beyond those of files, and on a text block that ends without one.
  if (/[\x85\u2028\u2029]|\r(?!\n)/.test(source)) return undefined;
  if (/\n[ \t]+$/.test(source) && /[|>]/.test(source)) return undefined;
  const text = readSource(source.endsWith('\n') ? source : `${source}\n`);
  if (text.fault !== undefined) return undefined;
  try {
    return read(new PlainReader(new YamlScanner(text)));
  } catch (error) {
    if (error instanceof Told) return error.told;
    if (error instanceof GoError) return undefined;
    throw error;
  }
}

/** Says that a text is of another kind. */
class Unusual extends GoError {}

/** Says why an Order cannot be read. */
class Told extends GoError {
  readonly told: PlainFault;

  constructor(fault: PlainFault['fault'], name: string, { line, column }: TokenPlace) {
    super('an Order that cannot be read');
    this.told = { fault, name, line: line + 1, column: column + 1 };
  }
}

/** What an anchor names. */
interface Named {
  readonly value: JsonValue;
  /** How many values it holds, itself among them. */
  readonly size: number;
}

/** Builds JSON values from the tokens of a document. */
class PlainReader {
  readonly #scanner: YamlScanner;
  // Undefined while it is being read: what holds itself unfolds without end.
  readonly #named = new Map<string, Named | undefined>();
  // How many collections are open.
  #depth = 0;
  // How many values were read, those of aliases among them, and how many of aliases.
  #count = 0;
  #aliased = 0;
  // The place of what is being read; undefined where places are not asked for.
  #place: PlainPlace | undefined;

  constructor(scanner: YamlScanner) {
    this.#scanner = scanner;
  }

  document(root?: PlainPlace): JsonValue {
    const scanner = this.#scanner;
    scanner.peek();
    scanner.skip();
    if (scanner.peek() === 'directive') this.#directive();
    if (scanner.peek() === 'document-start') scanner.skip();
    this.#place = root;
    if (root !== undefined && scanner.peek() !== 'stream-end') Object.assign(root, scanner.start);
    const value = this.#node(false);
    if (scanner.peek() !== 'stream-end') giveUp();
    return value;
  }

  // Of versions, an Order's own says nothing.
  #directive(): void {
    const { detail } = this.#scanner;
    if (!('version' in detail) || detail.version !== '1.1') giveUp();
    this.#scanner.skip();
  }

  #node(mayBeIndentless: boolean): JsonValue {
    const scanner = this.#scanner;
    const kind = scanner.peek();
    if (kind === 'anchor') return this.#anchored(mayBeIndentless);
    if (kind === 'alias') return this.#alias();
    if (kind === 'tag') return this.#tagged();
    this.#count++;
    if (kind === 'plain' || kind === 'quoted') {
      const text = scanner.value;
      scanner.skip();
      return kind === 'quoted' ? text : meaningOf(text);
    }
    if (++this.#depth > maxDepth) giveUp();
    const value = this.#collection(kind, mayBeIndentless);
    this.#depth--;
    return value;
  }

  #anchored(mayBeIndentless: boolean): JsonValue {
    const scanner = this.#scanner;
    const name = scanner.value;
    scanner.skip();
    const kind = scanner.peek();
    // What has two is not for the quick.
    if (kind === 'anchor' || kind === 'alias') giveUp();
    const before = this.#count;
    this.#named.set(name, undefined);
    const isEmpty = kind === 'key' || kind === 'block-end' || (kind === '-' && !mayBeIndentless);
    const value = isEmpty ? null : this.#node(mayBeIndentless);
    this.#named.set(name, { value, size: this.#count - before });
    return value;
  }

  // A tag of somebody's own says nothing to an Order; of YAML's own, one that says what a scalar is.
  #tagged(): JsonValue {
    const scanner = this.#scanner;
    const { detail } = scanner;
    scanner.skip();
    const kind = scanner.peek();
    if (kind !== 'plain' && kind !== 'quoted') giveUp();
    if (!('handle' in detail) || detail.handle.length > 2 || (detail.handle === '' && detail.suffix !== '!')) giveUp();
    const text = scanner.value;
    scanner.skip();
    this.#count++;
    // Without a word behind it, a `!` makes a text of what follows, as any tag does that nobody knows.
    return detail.handle !== '!!' ? text : known(readOddScalar(text, detail.suffix));
  }

  #alias(): JsonValue {
    const { value: name, start } = this.#scanner;
    const named = this.#named.get(name);
    if (named === undefined) throw new Told(this.#named.has(name) ? 'unfolds' : 'no-anchor', name, start);
    this.#count += named.size;
    this.#aliased += named.size;
    if (this.#aliased > mostAliased) throw new Told('unfolds', name, start);
    this.#scanner.skip();
    return named.value;
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
    const place = this.#place;
    const members = new Members(place);
    scanner.skip();
    for (;;) {
      const name = scanner.takeKey();
      if (name !== undefined) {
        const { line, pos, lineStart } = scanner;
        // The scanner stands behind the colon.
        this.#place = members.open(name, line, pos - lineStart - name.length - 1);
        members.set(this.#takenValue());
        continue;
      }
      if (scanner.peek() === 'block-end') break;
      const isMerge = this.#key(members);
      if (isMerge) this.#merge(members);
      else members.set(endsBlockEntry(scanner.peek()) ? null : this.#node(true));
    }
    this.#place = place;
    scanner.skip();
    return members.object;
  }

  // The value behind a key that was taken with its colon.
  #takenValue(): JsonValue {
    const scanner = this.#scanner;
    const kind = scanner.takeScalar();
    if (kind === undefined) return endsBlockEntry(scanner.peek()) ? null : this.#node(true);
    this.#count++;
    return kind === 'quoted' ? scanner.taken : meaningOf(scanner.taken);
  }

  // Goes behind a key and its colon; tells whether what follows is merged into the object.
  #key(members: Members): boolean {
    const scanner = this.#scanner;
    const isKey = scanner.peek() === 'key';
    if (isKey) scanner.skip();
    const kind = scanner.peek();
    // Mostly a template's braces without quotes.
    if (startsCollection(kind)) throw new Told('collection-key', '', scanner.start);
    if (!isKey) giveUp();
    const { start } = scanner;
    const isMerge = kind === 'plain' && scanner.value === '<<';
    if (!isMerge) this.#place = members.open(this.#name(kind), start.line, start.column);
    scanner.skip();
    if (scanner.peek() !== 'value') giveUp();
    scanner.skip();
    return isMerge;
  }

  // Gives the name that the key at hand means, and stays at it.
  #name(kind: TokenKind): string {
    const { value: text, start } = this.#scanner;
    if (kind === 'alias') {
      if (!this.#named.has(text)) throw new Told('no-anchor', text, start);
      return nameOf(this.#named.get(text)?.value);
    }
    if (kind !== 'plain' && kind !== 'quoted') giveUp();
    // A number is a name of its own digits.
    const isName = kind === 'quoted' || /^(?:0|[1-9]\d{0,14})$/.test(text);
    return isName ? text : nameOf(meaningOf(text));
  }

  // Reads what stands behind `<<:`, an object or a list of objects, each there or named by an alias.
  #merge(members: Members): void {
    const kind = this.#scanner.peek();
    const isList = kind === 'sequence-start' || kind === '[';
    if (!isList && kind !== 'alias' && kind !== 'mapping-start' && kind !== '{') giveUp();
    this.#place = undefined;
    const value = this.#node(false);
    for (const source of isList ? (value as JsonValue[]) : [value]) {
      if (typeof source !== 'object' || source === null || Array.isArray(source)) giveUp();
      members.merge(source as JsonObject);
    }
  }

  #blockSequence(isIndentless: boolean): JsonValue[] {
    const scanner = this.#scanner;
    const place = this.#place;
    const items: JsonValue[] = [];
    if (!isIndentless) scanner.skip();
    for (;;) {
      // Whole lines have no tokens, which know their places.
      const isTaken = place === undefined && scanner.takeDash();
      if (!isTaken && scanner.peek() !== '-') break;
      if (!isTaken) scanner.skip();
      const kind = isTaken ? scanner.takeScalar() : undefined;
      if (kind !== undefined) {
        this.#count++;
        items.push(kind === 'quoted' ? scanner.taken : meaningOf(scanner.taken));
      } else if (scanner.peek() === '-' || endsBlockEntry(scanner.peek())) items.push(null);
      else items.push(this.#item(place, items.length));
    }
    this.#place = place;
    if (isIndentless) return items;
    if (scanner.peek() !== 'block-end') giveUp();
    scanner.skip();
    return items;
  }

  #item(list: PlainPlace | undefined, index: number): JsonValue {
    const { line, column } = this.#scanner.start;
    this.#place = placeWithin(list, index, line, column);
    return this.#node(false);
  }

  #flowMapping(): JsonObject {
    const scanner = this.#scanner;
    const place = this.#place;
    const members = new Members(place);
    scanner.skip();
    while (scanner.peek() !== '}') {
      const isMerge = this.#key(members);
      const kind = scanner.peek();
      if (isMerge) this.#merge(members);
      else members.set(kind === ',' || kind === '}' ? null : this.#node(false));
      this.#comma('}');
    }
    this.#place = place;
    scanner.skip();
    return members.object;
  }

  #flowSequence(): JsonValue[] {
    const scanner = this.#scanner;
    const place = this.#place;
    const items: JsonValue[] = [];
    scanner.skip();
    while (scanner.peek() !== ']') {
      items.push(this.#item(place, items.length));
      this.#comma(']');
    }
    this.#place = place;
    scanner.skip();
    return items;
  }

  #comma(close: '}' | ']'): void {
    const kind = this.#scanner.peek();
    if (kind === ',') this.#scanner.skip();
    else if (kind !== close) giveUp();
  }
}

function placeWithin(
  holder: PlainPlace | undefined,
  key: string | number,
  line: number,
  column: number,
): PlainPlace | undefined {
  if (holder === undefined) return undefined;
  const place: PlainPlace = { line, column };
  const inner = (holder.inner ?? new Map()) as Map<string | number, PlainPlace>;
  inner.set(key, place);
  holder.inner = inner;
  return place;
}

/** The members of an object that is being read. */
class Members {
  readonly object: Record<string, JsonValue> = {};
  readonly #place: PlainPlace | undefined;
  #name = '';
  // The names that merging brought: a member of its own may follow.
  #merged: Set<string> | undefined;

  constructor(place: PlainPlace | undefined) {
    this.#place = place;
  }

  /**
   * Begins a member whose key stands at a place, from 0; gives the place where places are asked for.
   * Throws where the object has one of that name.
   */
  open(name: string, line: number, column: number): PlainPlace | undefined {
    if (Object.hasOwn(this.object, name) && this.#merged?.delete(name) !== true)
      throw new Told('twin', name, { line, column });
    this.#name = name;
    return placeWithin(this.#place, name, line, column);
  }

  /** Gives the member that was begun its value. */
  set(value: JsonValue): void {
    if (this.#name !== '__proto__') this.object[this.#name] = value;
    else
      Object.defineProperty(this.object, '__proto__', { value, enumerable: true, configurable: true, writable: true });
  }

  /** Adds the members of another object that this one lacks. */
  merge(source: JsonObject): void {
    this.#merged ??= new Set();
    for (const name of Object.keys(source)) {
      if (Object.hasOwn(this.object, name)) continue;
      this.#name = name;
      this.set(source[name] as JsonValue);
      this.#merged.add(name);
    }
  }
}

function startsCollection(kind: TokenKind): boolean {
  return kind === '{' || kind === '[' || kind === 'mapping-start' || kind === 'sequence-start';
}

// Kubernetes takes `n` and `yes` for booleans as keys too, and names the member by what they are.
function nameOf(key: JsonValue | undefined): string {
  return typeof key === 'string' || typeof key === 'boolean' ? String(key) : giveUp();
}

function known<T>(value: T | undefined): T {
  return value === undefined ? giveUp() : value;
}

function giveUp(): never {
  throw new Unusual('not written as most are');
}

const number = /^(?:0|-?[1-9]\d{0,14}|-?(?:0|[1-9]\d{0,14})\.\d{1,15})$/;
// What has one of these is no number: but for what begins as a number of another base, or is one to YAML 1.1 alone.
const noNumber = /^(?![-+]?0[xXbBoO])[\s\S]*[^\d_:.eE+-]|^\d+(?:\.\d+){2,}$|^\d{4}-\d\d-\d\d$/;

// Gives what a plain scalar means to every reader.
function meaningOf(text: string): JsonValue {
  if (isSurelyString(text)) return text;
  if (number.test(text)) return Number(text);
  const value = resolvePlain(text);
  if (value === null || typeof value === 'boolean') return value;
  return typeof value === 'string' && noNumber.test(text) ? value : known(readOddScalar(text));
}
