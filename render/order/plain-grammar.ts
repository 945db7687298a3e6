// The grammar of an Order's text as most are written, from tokens to JSON values. What nests deep is read by the same
// rules in steps, plain-grammar-deep.generated.ts: `npm run deepen` makes it anew after a change.

import { maxDepth } from '../arguments.ts';
import type { TokenPlace } from '../codec/yaml/error.ts';
import { endsBlockEntry } from '../codec/yaml/grammar.ts';
import { isSurelyString, resolvePlain, yamlTagPrefix } from '../codec/yaml/scalar.ts';
import type { TokenKind, YamlScanner } from '../codec/yaml/scanner.ts';
import { withoutRoom } from '../go/short-list.ts';
import { runSteps, type Steps, shallow } from '../go/steps.ts';
import { GoError } from '../go/value.ts';
import type { JsonObject, JsonValue } from './order.ts';
import type { PlainPlaces } from './plain-places.ts';
import { readOddScalar } from './scalars.ts';

/** Why an Order cannot be read: what stands where it may not, and its place, line and column from 1. */
export interface PlainFault {
  /**
   * A key that stands a second time, aliases that bring too much, an alias of nothing, a collection as a key, what is no
   * object behind `<<`, too many levels; `syntax`, `odd` and `odd-deep` of a text that is not left to the other reader, as it
   * is long or nests deep.
   */
  readonly fault:
    | 'twin'
    | 'unfolds'
    | 'no-anchor'
    | 'collection-key'
    | 'merge'
    | 'deep'
    | 'syntax'
    | 'odd'
    | 'odd-deep';
  /** The key, what the alias names, or what is wrong with the syntax; else empty. */
  readonly name: string;
  readonly line: number;
  readonly column: number;
}

/** How many values aliases may bring in all: whoever reads an Order looks at each of them. */
export const mostAliased = 500_000;

/** Gives a place that counts from 1. */
export function fromOne({ line, column }: TokenPlace): { line: number; column: number } {
  return { line: line + 1, column: column + 1 };
}

/** Says that a text is of another kind. */
export class Unusual extends GoError {}

/** Says why an Order cannot be read. */
export class Told extends GoError {
  readonly told: PlainFault;

  constructor(fault: PlainFault['fault'], name: string, place: TokenPlace) {
    super('an Order that cannot be read');
    this.told = { fault, name, ...fromOne(place) };
  }
}

/** What stands before a value or a key. */
export interface Properties {
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

/** Builds JSON values from the tokens of a document, but for what it does when they are deep. */
export abstract class PlainGrammar {
  protected readonly scanner: YamlScanner;
  // Undefined while it is being read: what holds itself unfolds without end.
  protected readonly anchors = new Map<string, Named | undefined>();
  // How many collections are open.
  protected depth = 0;
  // How many values were read, those of aliases among them, and how many of aliases.
  protected count = 0;
  protected aliased = 0;
  // Where values stand; undefined where that is not asked for, and in what is merged, which stands elsewhere.
  protected places: PlainPlaces | undefined;

  constructor(scanner: YamlScanner, places: PlainPlaces | undefined) {
    this.scanner = scanner;
    this.places = places;
  }

  document(): JsonValue {
    const scanner = this.scanner;
    scanner.peek();
    scanner.skip();
    if (scanner.peek() === 'directive') this.directive();
    if (scanner.peek() === 'document-start') scanner.skip();
    const { line, column } = scanner.peek() === 'stream-end' ? { line: 0, column: 0 } : scanner.start;
    const number = this.places?.begin('', line, column) ?? 0;
    const value = this.node(false);
    this.places?.end(number);
    if (scanner.peek() !== 'stream-end') giveUp();
    return value;
  }

  // Of versions, an Order's own says nothing.
  protected directive(): void {
    const { detail } = this.scanner;
    if (!('version' in detail) || detail.version !== '1.1') giveUp();
    this.scanner.skip();
  }

  protected node(mayBeIndentless: boolean): JsonValue {
    const scanner = this.scanner;
    const kind = scanner.peek();
    if (kind === 'alias') return this.alias();
    if (kind === 'anchor' || kind === 'tag') return this.named(mayBeIndentless);
    this.count++;
    if (kind === 'plain' || kind === 'quoted') {
      const text = scanner.value;
      scanner.skip();
      return kind === 'quoted' ? text : meaningOf(text);
    }
    return this.collection(kind, mayBeIndentless);
  }

  protected properties(): Properties {
    const scanner = this.scanner;
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

  protected named(mayBeIndentless: boolean): JsonValue {
    const { anchor, tag } = this.properties();
    const before = this.count;
    if (anchor !== undefined) this.anchors.set(anchor, undefined);
    const value = this.tagged(tag, mayBeIndentless);
    if (anchor !== undefined) this.anchors.set(anchor, { value, size: this.count - before });
    return value;
  }

  // Of collections a tag says nothing that an Order could hold.
  protected tagged(tag: string | undefined, mayBeIndentless: boolean): JsonValue {
    const scanner = this.scanner;
    const kind = scanner.peek();
    const isScalar = kind === 'plain' || kind === 'quoted';
    const isEmpty = endsValue(kind) || (kind === '-' && !mayBeIndentless);
    if (!isEmpty && !(isScalar && tag !== undefined)) return this.node(mayBeIndentless);
    const text = isScalar ? scanner.value : '';
    if (isScalar) scanner.skip();
    this.count++;
    return tag === undefined ? null : meaningOfTagged(tag, text);
  }

  protected alias(): JsonValue {
    const { value: name, start } = this.scanner;
    const named = this.anchors.get(name);
    if (named === undefined) throw new Told(this.anchors.has(name) ? 'unfolds' : 'no-anchor', name, start);
    this.count += named.size;
    this.aliased += named.size;
    if (this.aliased > mostAliased) throw new Told('unfolds', name, start);
    this.scanner.skip();
    return named.value;
  }

  protected abstract openCollectionSteps(kind: TokenKind, mayBeIndentless: boolean): Steps<JsonValue>;

  protected collection(kind: TokenKind, mayBeIndentless: boolean): JsonValue {
    if (shallow.isFull()) return runSteps(this.openCollectionSteps(kind, mayBeIndentless));
    shallow.enter();
    const value = this.openCollection(kind, mayBeIndentless);
    shallow.leave();
    return value;
  }

  protected openCollection(kind: TokenKind, mayBeIndentless: boolean): JsonValue {
    if (++this.depth > maxDepth) throw new Told('deep', '', this.scanner.start);
    const value = this.content(kind, mayBeIndentless);
    this.depth--;
    return value;
  }

  protected content(kind: TokenKind, mayBeIndentless: boolean): JsonValue {
    if (kind === 'mapping-start') return this.blockMapping();
    if (kind === 'sequence-start') return this.blockSequence(false);
    if (kind === '-' && mayBeIndentless) return this.blockSequence(true);
    if (kind === '{') return this.flowMapping();
    if (kind === '[') return this.flowSequence();
    // A bracket was not closed.
    if (kind === 'stream-end') notClosed(this.scanner.start, 'did not find expected node content');
    giveUp();
  }

  protected blockMapping(): JsonObject {
    const scanner = this.scanner;
    const members = new Members(this.places === undefined);
    scanner.skip();
    for (;;) {
      const name = scanner.takeKey();
      if (name !== undefined) {
        const { line, pos, lineStart } = scanner;
        // The scanner stands behind the colon.
        const number = this.open(members, name, line, pos - lineStart - name.length - 1);
        members.set(this.takenValue());
        this.places?.end(number);
        continue;
      }
      if (scanner.peek() === 'block-end') break;
      this.entry(members, false);
    }
    scanner.skip();
    return members.object;
  }

  // Begins a member whose key stands at a place, from 0; gives the number of the place.
  protected open(members: Members, name: string, line: number, column: number): number {
    if (!members.open(name)) throw new Told('twin', name, { line, column });
    return this.places?.begin(name, line, column) ?? 0;
  }

  // The value behind a key that was taken with its colon.
  protected takenValue(): JsonValue {
    const scanner = this.scanner;
    const kind = scanner.takeScalar();
    if (kind === undefined) return endsBlockEntry(scanner.peek()) ? null : this.node(true);
    this.count++;
    return kind === 'quoted' ? scanner.taken : meaningOf(scanner.taken);
  }

  protected entry(members: Members, mayStandAlone: boolean): void {
    const scanner = this.scanner;
    const isKey = scanner.peek() === 'key';
    if (isKey) scanner.skip();
    const { anchor, tag } = this.properties();
    const kind = scanner.peek();
    // Mostly a template's braces without quotes.
    if (startsCollection(kind)) throw new Told('collection-key', '', scanner.start);
    // Within braces a name may stand alone.
    if (!isKey && !mayStandAlone) giveUp();
    const { line, column } = scanner.start;
    if (kind === 'plain' && scanner.value === '<<') {
      if (anchor !== undefined || tag !== undefined) giveUp();
      this.behindKey();
      this.merge(members);
      return;
    }
    const key = this.keyOf(kind, tag);
    if (anchor !== undefined) this.anchors.set(anchor, { value: key, size: 1 });
    const number = this.open(members, nameOf(key), line, column);
    this.behindKey();
    members.set(endsValue(scanner.peek()) ? null : this.node(true));
    this.places?.end(number);
  }

  protected behindKey(): void {
    const scanner = this.scanner;
    scanner.skip();
    if (scanner.peek() === 'value') scanner.skip();
    else if (!endsValue(scanner.peek())) giveUp();
  }

  // Gives what the key at hand means, and stays at it.
  protected keyOf(kind: TokenKind, tag: string | undefined): JsonValue {
    const { value: text, start } = this.scanner;
    if (kind === 'alias') {
      const named = this.anchors.get(text);
      if (named === undefined) throw new Told(this.anchors.has(text) ? 'unfolds' : 'no-anchor', text, start);
      return named.value;
    }
    if (kind !== 'plain' && kind !== 'quoted') giveUp();
    if (tag !== undefined) return meaningOfTagged(tag, text);
    // A number is a name of its own digits.
    const isName = kind === 'quoted' || /^(?:0|[1-9]\d{0,14})$/.test(text);
    return isName ? text : meaningOf(text);
  }

  // Reads what stands behind `<<:`, an object or a list of objects, each there or named by an alias.
  protected merge(members: Members): void {
    const scanner = this.scanner;
    const places = this.places;
    const kind = scanner.peek();
    const { start } = scanner;
    if (endsValue(kind)) throw new Told('merge', '', start);
    this.places = undefined;
    const value = this.node(false);
    for (const source of Array.isArray(value) ? value : [value]) {
      if (!isObject(source)) throw new Told('merge', '', start);
      members.merge(source);
    }
    this.places = places;
  }

  protected blockSequence(isIndentless: boolean): JsonValue[] {
    const scanner = this.scanner;
    const items: JsonValue[] = [];
    if (!isIndentless) scanner.skip();
    for (;;) {
      // Whole lines have no tokens, which know their places.
      const isTaken = this.places === undefined && scanner.takeDash();
      if (!isTaken && scanner.peek() !== '-') break;
      const dash = isTaken ? undefined : scanner.start;
      if (!isTaken) scanner.skip();
      const kind = isTaken ? scanner.takeScalar() : undefined;
      if (kind !== undefined) {
        this.count++;
        items.push(kind === 'quoted' ? scanner.taken : meaningOf(scanner.taken));
      } else if (scanner.peek() === '-' || endsBlockEntry(scanner.peek())) {
        if (dash !== undefined) this.places?.end(this.places.begin(items.length, dash.line, dash.column + 1));
        items.push(null);
      } else items.push(this.item(items.length));
    }
    if (isIndentless) return withoutRoom(items);
    if (scanner.peek() !== 'block-end') giveUp();
    scanner.skip();
    return withoutRoom(items);
  }

  protected item(index: number): JsonValue {
    const { line, column } = this.scanner.start;
    const number = this.places?.begin(index, line, column) ?? 0;
    const value = this.node(false);
    this.places?.end(number);
    return value;
  }

  protected flowMapping(): JsonObject {
    const scanner = this.scanner;
    const members = new Members(this.places === undefined);
    scanner.skip();
    while (scanner.peek() !== '}') {
      this.entry(members, true);
      this.comma('}');
    }
    scanner.skip();
    return members.object;
  }

  protected flowSequence(): JsonValue[] {
    const scanner = this.scanner;
    const items: JsonValue[] = [];
    scanner.skip();
    while (scanner.peek() !== ']') {
      items.push(this.item(items.length));
      this.comma(']');
    }
    scanner.skip();
    return withoutRoom(items);
  }

  protected comma(close: '}' | ']'): void {
    const kind = this.scanner.peek();
    if (kind === ',') this.scanner.skip();
    else if (kind === 'stream-end') notClosed(this.scanner.start, `did not find expected ',' or '${close}'`);
    else if (kind !== close) giveUp();
  }
}

/** The members of an object that is being read. */
export class Members {
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

/** Tells whether a token begins a list or an object. */
export function startsCollection(kind: TokenKind): boolean {
  return kind === '{' || kind === '[' || kind === 'mapping-start' || kind === 'sequence-start';
}

/** Tells whether a token ends what may hold a value. */
export function endsValue(kind: TokenKind): boolean {
  return endsBlockEntry(kind) || kind === ',' || kind === '}' || kind === ']' || kind === 'stream-end';
}

/** Tells whether a value is an object. */
export function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Gives the name of a member. Kubernetes takes `n` and `yes` for booleans as keys too, and names it by what they are. */
export function nameOf(key: JsonValue): string {
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

/** Gives what a scalar with a tag means: a tag of somebody's own makes a text of it, as a `!` does that has no word behind it. */
export function meaningOfTagged(tag: string, text: string): JsonValue {
  return tag === '' ? text : known(readOddScalar(text, tag));
}

function known<T>(value: T | undefined): T {
  return value === undefined ? giveUp() : value;
}

/** Says that a text ends before its brackets do. */
export function notClosed(place: TokenPlace, problem: string): never {
  throw new GoError(problem, { place: fromOne(place) });
}

/** Leaves the text to the other reader. */
export function giveUp(): never {
  throw new Unusual('not written as most are');
}

const number = /^(?:0|-?[1-9]\d{0,14}|-?(?:0|[1-9]\d{0,14})\.\d{1,15})$/;
// What has one of these is no number: but for what begins as a number of another base, or is one to YAML 1.1 alone.
const noNumber = /^(?![-+]?0[xXbBoO])[\s\S]*[^\d_:.eE+-]|^\d+(?:\.\d+){2,}$|^\d{4}-\d\d-\d\d$/;

/** Gives what a plain scalar means to every reader. */
export function meaningOf(text: string): JsonValue {
  if (isSurelyString(text)) return text;
  if (number.test(text)) return Number(text);
  const value = resolvePlain(text);
  if (value === null || typeof value === 'boolean') return value;
  return typeof value === 'string' && noNumber.test(text) ? value : known(readOddScalar(text));
}
