// The quick way to the JSON value of an Order's text: of those that are written as most are. It keeps positions where it is
// asked for them, and gives up where two readers of YAML might not agree; syntax.ts then tells faults in full.

import { maxDepth } from '../arguments.ts';
import type { TokenPlace } from '../codec/yaml/error.ts';
import { endsBlockEntry } from '../codec/yaml/grammar.ts';
import { forbidden, readSource } from '../codec/yaml/reader.ts';
import { isSurelyString, resolvePlain, yamlTagPrefix } from '../codec/yaml/scalar.ts';
import { type TokenKind, YamlScanner } from '../codec/yaml/scanner.ts';
import { withoutRoom } from '../go/short-list.ts';
import { GoError } from '../go/value.ts';
import type { JsonObject, JsonValue } from './order.ts';
import { PlainPlaces } from './plain-places.ts';
import { readOddScalar } from './scalars.ts';

/** What the quick way came to: the value, or what ended the reading. */
export type PlainOrder = { readonly value: JsonValue } | PlainFault;

/** Why an Order cannot be read: what stands where it may not, and its place, line and column from 1. */
export interface PlainFault {
  /**
   * A key that stands a second time, aliases that bring too much, an alias of nothing, a collection as a key, what is no
   * object behind `<<`, too many levels; `syntax` and `odd` of a long text alone, which is not left to the other reader.
   */
  readonly fault: 'twin' | 'unfolds' | 'no-anchor' | 'collection-key' | 'merge' | 'deep' | 'syntax' | 'odd';
  /** The key, what the alias names, or what is wrong with the syntax; else empty. */
  readonly name: string;
  readonly line: number;
  readonly column: number;
}

/** How many values aliases may bring in all: whoever reads an Order looks at each of them. */
export const mostAliased = 500_000;

/** How many characters the other reader is given: it takes ten times the time and the memory of this one. */
export const mostOdd = 1_000_000;

/** Reads the text of an Order; undefined where it takes the other reader to tell what it means or what is wrong with it. */
export function readPlainOrder(source: string): PlainOrder | undefined {
  return readWith(source, undefined);
}

/** Gives where everything of an Order's text stands; undefined where it takes the other reader to tell. */
export function placesOfPlainOrder(source: string): PlainPlaces | undefined {
  const places = new PlainPlaces();
  const read = readWith(source, places);
  return read !== undefined && 'value' in read ? places : undefined;
}

function readWith(source: string, places: PlainPlaces | undefined): PlainOrder | undefined {
  const odd = placeOfOddBreak(source);
  if (odd !== undefined) return ofLong(source, { fault: 'odd', name: '', ...odd });
  const text = readSource(source.endsWith('\n') ? source : `${source}\n`);
  if (text.fault !== undefined) {
    return ofLong(source, { fault: 'syntax', name: text.fault, ...placeAt(source, source.search(forbidden)) });
  }
  const scanner = new YamlScanner(text);
  scanner.takesJson = true;
  try {
    return { value: new PlainReader(scanner, places).document() };
  } catch (error) {
    if (error instanceof Told) return error.told;
    if (error instanceof Unusual) return ofLong(source, { fault: 'odd', name: '', ...fromOne(scanner.start) });
    if (error instanceof GoError) return ofLong(source, syntaxFault(error));
    throw error;
  }
}

// Readers disagree on line breaks beyond those of files, and on a text block that ends without one.
function placeOfOddBreak(source: string): Pick<PlainFault, 'line' | 'column'> | undefined {
  const found = /[\x85\u2028\u2029]|\r(?!\n)/.exec(source) ?? (/[|>]/.test(source) ? /\n[ \t]+$/.exec(source) : null);
  return found === null ? undefined : placeAt(source, found.index);
}

function placeAt(source: string, offset: number): Pick<PlainFault, 'line' | 'column'> {
  const before = source.slice(0, offset);
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}

function ofLong(source: string, fault: PlainFault): PlainFault | undefined {
  return source.length > mostOdd ? fault : undefined;
}

function syntaxFault({ problem, place: { line = 1, column = 1 } }: GoError): PlainFault {
  return { fault: 'syntax', name: problem, line, column };
}

function fromOne({ line, column }: TokenPlace): { line: number; column: number } {
  return { line: line + 1, column: column + 1 };
}

/** Says that a text is of another kind. */
class Unusual extends GoError {}

/** Says why an Order cannot be read. */
class Told extends GoError {
  readonly told: PlainFault;

  constructor(fault: PlainFault['fault'], name: string, place: TokenPlace) {
    super('an Order that cannot be read');
    this.told = { fault, name, ...fromOne(place) };
  }
}

/** What stands before a value or a key. */
interface Properties {
  readonly anchor: string | undefined;
  /** The name of a tag of YAML's own; empty for one of somebody else's. */
  readonly tag: string | undefined;
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
  readonly #anchors = new Map<string, Named | undefined>();
  // How many collections are open.
  #depth = 0;
  // How many values were read, those of aliases among them, and how many of aliases.
  #count = 0;
  #aliased = 0;
  // Where values stand; undefined where that is not asked for, and in what is merged, which stands elsewhere.
  #places: PlainPlaces | undefined;

  constructor(scanner: YamlScanner, places: PlainPlaces | undefined) {
    this.#scanner = scanner;
    this.#places = places;
  }

  document(): JsonValue {
    const scanner = this.#scanner;
    scanner.peek();
    scanner.skip();
    if (scanner.peek() === 'directive') this.#directive();
    if (scanner.peek() === 'document-start') scanner.skip();
    const { line, column } = scanner.peek() === 'stream-end' ? { line: 0, column: 0 } : scanner.start;
    const number = this.#places?.begin('', line, column) ?? 0;
    const value = this.#node(false);
    this.#places?.end(number);
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
    if (kind === 'alias') return this.#alias();
    if (kind === 'anchor' || kind === 'tag') return this.#named(mayBeIndentless);
    this.#count++;
    if (kind === 'plain' || kind === 'quoted') {
      const text = scanner.value;
      scanner.skip();
      return kind === 'quoted' ? text : meaningOf(text);
    }
    if (++this.#depth > maxDepth) throw new Told('deep', '', scanner.start);
    const value = this.#collection(kind, mayBeIndentless);
    this.#depth--;
    return value;
  }

  #properties(): Properties {
    const scanner = this.#scanner;
    let anchor: string | undefined;
    let tag: string | undefined;
    for (let kind = scanner.peek(); ; kind = scanner.peek()) {
      if (kind === 'anchor' && anchor === undefined) anchor = scanner.value;
      else if (kind === 'tag' && tag === undefined) tag = tagNamed(scanner.detail);
      else if (kind === 'anchor' || kind === 'tag') giveUp();
      else if (kind === 'alias' && (anchor ?? tag) !== undefined) giveUp();
      else return { anchor, tag };
      scanner.skip();
    }
  }

  #named(mayBeIndentless: boolean): JsonValue {
    const { anchor, tag } = this.#properties();
    const before = this.#count;
    if (anchor !== undefined) this.#anchors.set(anchor, undefined);
    const value = this.#tagged(tag, mayBeIndentless);
    if (anchor !== undefined) this.#anchors.set(anchor, { value, size: this.#count - before });
    return value;
  }

  // Of collections a tag says nothing that an Order could hold.
  #tagged(tag: string | undefined, mayBeIndentless: boolean): JsonValue {
    const scanner = this.#scanner;
    const kind = scanner.peek();
    const isScalar = kind === 'plain' || kind === 'quoted';
    const isEmpty = endsValue(kind) || (kind === '-' && !mayBeIndentless);
    if (!isEmpty && !(isScalar && tag !== undefined)) return this.#node(mayBeIndentless);
    const text = isScalar ? scanner.value : '';
    if (isScalar) scanner.skip();
    this.#count++;
    return tag === undefined ? null : meaningOfTagged(tag, text);
  }

  #alias(): JsonValue {
    const { value: name, start } = this.#scanner;
    const named = this.#anchors.get(name);
    if (named === undefined) throw new Told(this.#anchors.has(name) ? 'unfolds' : 'no-anchor', name, start);
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
    const members = new Members(this.#places === undefined);
    scanner.skip();
    for (;;) {
      const name = scanner.takeKey();
      if (name !== undefined) {
        const { line, pos, lineStart } = scanner;
        // The scanner stands behind the colon.
        const number = this.#open(members, name, line, pos - lineStart - name.length - 1);
        members.set(this.#takenValue());
        this.#places?.end(number);
        continue;
      }
      if (scanner.peek() === 'block-end') break;
      this.#entry(members, false);
    }
    scanner.skip();
    return members.object;
  }

  // Begins a member whose key stands at a place, from 0; gives the number of the place.
  #open(members: Members, name: string, line: number, column: number): number {
    if (!members.open(name)) throw new Told('twin', name, { line, column });
    return this.#places?.begin(name, line, column) ?? 0;
  }

  // The value behind a key that was taken with its colon.
  #takenValue(): JsonValue {
    const scanner = this.#scanner;
    const kind = scanner.takeScalar();
    if (kind === undefined) return endsBlockEntry(scanner.peek()) ? null : this.#node(true);
    this.#count++;
    return kind === 'quoted' ? scanner.taken : meaningOf(scanner.taken);
  }

  #entry(members: Members, mayStandAlone: boolean): void {
    const scanner = this.#scanner;
    const isKey = scanner.peek() === 'key';
    if (isKey) scanner.skip();
    const { anchor, tag } = this.#properties();
    const kind = scanner.peek();
    // Mostly a template's braces without quotes.
    if (startsCollection(kind)) throw new Told('collection-key', '', scanner.start);
    // Within braces a name may stand alone.
    if (!isKey && !mayStandAlone) giveUp();
    const { line, column } = scanner.start;
    if (kind === 'plain' && scanner.value === '<<') {
      if (anchor !== undefined || tag !== undefined) giveUp();
      this.#behindKey();
      this.#merge(members);
      return;
    }
    const key = this.#keyOf(kind, tag);
    if (anchor !== undefined) this.#anchors.set(anchor, { value: key, size: 1 });
    const number = this.#open(members, nameOf(key), line, column);
    this.#behindKey();
    members.set(endsValue(scanner.peek()) ? null : this.#node(true));
    this.#places?.end(number);
  }

  #behindKey(): void {
    const scanner = this.#scanner;
    scanner.skip();
    if (scanner.peek() === 'value') scanner.skip();
    else if (!endsValue(scanner.peek())) giveUp();
  }

  // Gives what the key at hand means, and stays at it.
  #keyOf(kind: TokenKind, tag: string | undefined): JsonValue {
    const { value: text, start } = this.#scanner;
    if (kind === 'alias') {
      const named = this.#anchors.get(text);
      if (named === undefined) throw new Told(this.#anchors.has(text) ? 'unfolds' : 'no-anchor', text, start);
      return named.value;
    }
    if (kind !== 'plain' && kind !== 'quoted') giveUp();
    if (tag !== undefined) return meaningOfTagged(tag, text);
    // A number is a name of its own digits.
    const isName = kind === 'quoted' || /^(?:0|[1-9]\d{0,14})$/.test(text);
    return isName ? text : meaningOf(text);
  }

  // Reads what stands behind `<<:`, an object or a list of objects, each there or named by an alias.
  #merge(members: Members): void {
    const scanner = this.#scanner;
    const places = this.#places;
    const kind = scanner.peek();
    const { start } = scanner;
    if (endsValue(kind)) throw new Told('merge', '', start);
    this.#places = undefined;
    const value = this.#node(false);
    for (const source of Array.isArray(value) ? value : [value]) {
      if (!isObject(source)) throw new Told('merge', '', start);
      members.merge(source);
    }
    this.#places = places;
  }

  #blockSequence(isIndentless: boolean): JsonValue[] {
    const scanner = this.#scanner;
    const items: JsonValue[] = [];
    if (!isIndentless) scanner.skip();
    for (;;) {
      // Whole lines have no tokens, which know their places.
      const isTaken = this.#places === undefined && scanner.takeDash();
      if (!isTaken && scanner.peek() !== '-') break;
      const dash = isTaken ? undefined : scanner.start;
      if (!isTaken) scanner.skip();
      const kind = isTaken ? scanner.takeScalar() : undefined;
      if (kind !== undefined) {
        this.#count++;
        items.push(kind === 'quoted' ? scanner.taken : meaningOf(scanner.taken));
      } else if (scanner.peek() === '-' || endsBlockEntry(scanner.peek())) {
        if (dash !== undefined) this.#places?.end(this.#places.begin(items.length, dash.line, dash.column + 1));
        items.push(null);
      } else items.push(this.#item(items.length));
    }
    if (isIndentless) return withoutRoom(items);
    if (scanner.peek() !== 'block-end') giveUp();
    scanner.skip();
    return withoutRoom(items);
  }

  #item(index: number): JsonValue {
    const { line, column } = this.#scanner.start;
    const number = this.#places?.begin(index, line, column) ?? 0;
    const value = this.#node(false);
    this.#places?.end(number);
    return value;
  }

  #flowMapping(): JsonObject {
    const scanner = this.#scanner;
    const members = new Members(this.#places === undefined);
    scanner.skip();
    while (scanner.peek() !== '}') {
      this.#entry(members, true);
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
      items.push(this.#item(items.length));
      this.#comma(']');
    }
    scanner.skip();
    return withoutRoom(items);
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
  // Places are asked for of an Order that was read before: then its members are not needed again.
  readonly #isKept: boolean;
  #name = '';
  // The names that merging brought: a member of its own may follow.
  #merged: Set<string> | undefined;

  constructor(isKept: boolean) {
    this.#isKept = isKept;
  }

  /** Begins a member; tells whether the object has none of that name. */
  open(name: string): boolean {
    this.#name = name;
    return !Object.hasOwn(this.object, name) || this.#merged?.delete(name) === true;
  }

  /** Gives the member that was begun its value. */
  set(value: JsonValue): void {
    if (!this.#isKept) return;
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

function endsValue(kind: TokenKind): boolean {
  return endsBlockEntry(kind) || kind === ',' || kind === '}' || kind === ']' || kind === 'stream-end';
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

// Kubernetes takes `n` and `yes` for booleans as keys too, and names the member by what they are.
function nameOf(key: JsonValue): string {
  if (key === null) return '';
  return typeof key === 'object' ? giveUp() : String(key);
}

// Gives the name of a tag of YAML's own; an empty one for a tag that says nothing to an Order.
function tagNamed(detail: YamlScanner['detail']): string {
  if (!('handle' in detail) || detail.handle.length > 2) giveUp();
  if (detail.handle === '!!') return detail.suffix;
  const isOwn = detail.handle === '' && detail.suffix.startsWith(yamlTagPrefix);
  return isOwn ? detail.suffix.slice(yamlTagPrefix.length) : '';
}

// A tag of somebody's own makes a text of what follows, as a `!` does that has no word behind it.
function meaningOfTagged(tag: string, text: string): JsonValue {
  return tag === '' ? text : known(readOddScalar(text, tag));
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
