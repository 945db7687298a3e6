// Parser and decoder of YAML in one pass: tokens to Go values.
// Mirrors: go-yaml v2 (sigs.k8s.io/yaml 1.4.0), parserc.go (the grammar, directives, tags and their errors) and decode.go (merges, keys,
// aliases, `allowedAliasRatio`).

import { maxDepth } from '../../core/arguments.ts';
import { tooDeep } from '../../core/limits.ts';
import { copyTree } from '../../go/copy-tree.ts';
import { toValidUtf8 } from '../../go/utf8.ts';
import { GoError, type GoMap, type GoValue, Int } from '../../go/value.ts';
import { failAt, located, mergeProblem, placeFromOne, type TokenPlace } from './cursor.ts';
import { invalidKeyError, keyText, rememberKey, rememberKeysOf, unsupportedKeyError } from './key.ts';
import {
  isBoolWord,
  isSurelyString,
  resolveJson,
  resolvePlain,
  resolveTagged,
  withDigits,
  yamlTagPrefix,
} from './scalar.ts';
import type { WrittenTag } from './scan-tags.ts';
import type { YamlScanner, YamlTokenKind } from './scanner.ts';

/** A parsed document. */
export interface ComposedYaml {
  readonly value: GoValue;
  /** Whether it may contain a number that is not finite, which JSON cannot represent. */
  readonly hasNonFinite: boolean;
  /** Whether a mapping may contain a duplicate key: one was set twice, perhaps after `<<` had set it. */
  readonly mayRepeatKeys: boolean;
}

interface Properties {
  /** In the long form; '' if there is none. */
  readonly tag: string;
  readonly anchor: string | undefined;
}

const noProperties: Properties = { tag: '', anchor: undefined };
const mergeTag = `${yamlTagPrefix}merge`;

/** Composes the value of a document from its tokens. */
export class YamlComposer {
  readonly scanner: YamlScanner;
  /** Whether numbers keep all their digits. */
  keepsDigits = false;
  protected exact: boolean;
  /** Whether `yes`, `off` and the like are booleans; in go-yaml v3 they are strings. */
  protected readonly hasBoolWords: boolean;
  protected readonly anchors = new YamlAnchors();
  protected readonly tags = new YamlTags();
  // Go decodes after parsing: a decoding error is reported only if there is no syntax error.
  protected fault: GoError | undefined;
  // … and it converts keys after decoding, and only those that remain.
  protected readonly keyFaults = new Map<GoMap, GoError>();
  protected hasNonFinite = false;
  protected mayRepeatKeys = false;
  protected key: GoValue = null;
  // The place of the last key that was not a plain string.
  protected keyPlace: TokenPlace = { line: 0, column: 0 };
  // Whether any key was not a string.
  protected hasOddKeys = false;
  // Number of open collections.
  protected depth = 0;

  constructor(scanner: YamlScanner, exact: boolean, hasBoolWords = true) {
    this.scanner = scanner;
    this.exact = exact;
    this.hasBoolWords = hasBoolWords;
  }

  /** document ::= DIRECTIVE* DOCUMENT-START? block_node? DOCUMENT-END? */
  document(): ComposedYaml {
    const value = this.root();
    if (this.fault !== undefined) throw this.fault;
    if (this.keyFaults.size > 0) this.checkKeys(value);
    return { value, hasNonFinite: this.hasNonFinite, mayRepeatKeys: this.mayRepeatKeys };
  }

  // The first error in document order is reported.
  protected checkKeys(value: GoValue): void {
    const left: GoValue[] = [value];
    while (left.length > 0) {
      const item = left.pop() as GoValue;
      if (!isCollection(item)) continue;
      const fault = item instanceof Map ? this.keyFaults.get(item) : undefined;
      if (fault !== undefined) throw fault;
      const inner = [...(item as GoMap | GoValue[]).values()];
      for (let i = inner.length - 1; i >= 0; i--) left.push(inner[i] as GoValue);
    }
  }

  protected root(): GoValue {
    const { scanner } = this;
    if (scanner.peek() === 'stream-start') scanner.skip();
    const kind = scanner.peek();
    if (kind === 'stream-end') return null;
    this.tags.readDirectives(scanner);
    let value: GoValue = null;
    if (kind === 'directive' || kind === 'document-start') {
      if (scanner.peek() !== 'document-start') this.fail('did not find expected <document start>');
      scanner.skip();
      if (!endsDocument(scanner.peek())) value = this.node(true, false);
    } else value = this.node(true, false);
    scanner.peek();
    return value;
  }

  protected fail(problem: string): never {
    failAt(this.scanner.start, problem);
  }

  // Go's decoder does not report the place of a value that it refuses: the place of its token is added.
  protected defer(decode: () => GoValue, at: TokenPlace): GoValue {
    try {
      return decode();
    } catch (error) {
      if (!(error instanceof GoError)) throw error;
      this.fault ??= located(error, at);
      return null;
    }
  }

  // ---- nodes

  /**
   * node ::= ALIAS | properties content? | content. An indentless sequence, whose dashes are not deeper than its key, is allowed only in a
   * block mapping.
   */
  protected node(inBlock: boolean, mayBeIndentless: boolean): GoValue {
    const { scanner } = this;
    const kind = scanner.peek();
    if (kind === 'plain' || kind === 'quoted') {
      const text = scanner.value;
      scanner.skip();
      return this.scalar(kind, text);
    }
    if (kind === 'alias') return this.alias();
    if (kind === 'anchor' || kind === 'tag') return this.nodeBehind(this.properties(), inBlock, mayBeIndentless);
    return this.collection(kind, inBlock, mayBeIndentless);
  }

  protected scalar(kind: 'plain' | 'quoted', text: string): GoValue {
    this.anchors.count();
    if (kind === 'quoted' || (!this.hasBoolWords && isBoolWord(text))) return text;
    const value = this.exact ? this.plain(text) : resolveJson(text);
    if (typeof value === 'number' && !Number.isFinite(value)) this.hasNonFinite = true;
    return value;
  }

  protected plain(text: string): GoValue {
    return this.keepsDigits ? withDigits(text, resolvePlain(text)) : resolvePlain(text);
  }

  protected empty(): null {
    this.anchors.count();
    return null;
  }

  protected collection(kind: YamlTokenKind, inBlock: boolean, mayBeIndentless: boolean): GoValue {
    if (++this.depth > maxDepth) throw tooDeep('YAML', placeFromOne(this.scanner.start));
    this.anchors.count();
    const value = this.openCollection(kind, inBlock, mayBeIndentless);
    this.depth--;
    return value;
  }

  protected openCollection(kind: YamlTokenKind, inBlock: boolean, mayBeIndentless: boolean): GoValue {
    if (kind === 'mapping-start' && inBlock) return this.blockMapping();
    if (kind === '-' && mayBeIndentless) return this.indentlessSequence();
    if (kind === 'sequence-start' && inBlock) return this.blockSequence();
    if (kind === '{') return this.flowMapping();
    if (kind === '[') return this.flowSequence();
    this.fail('did not find expected node content');
  }

  protected alias(): GoValue {
    const { value: name, start } = this.scanner;
    if (!this.anchors.has(name)) throw located(new GoError(`yaml: unknown anchor '${name}' referenced`), start);
    this.scanner.skip();
    return this.fault === undefined ? this.defer(() => this.anchors.resolve(name, this.exact), start) : null;
  }

  /** properties ::= TAG ANCHOR? | ANCHOR TAG? */
  protected properties(): Properties {
    const { scanner } = this;
    let anchor: string | undefined;
    let tag: WrittenTag | undefined;
    let tagPlace: TokenPlace = { line: 0, column: 0 };
    for (let kind = scanner.peek(); ; kind = scanner.peek()) {
      if (kind === 'anchor' && anchor === undefined) anchor = scanner.value;
      else if (kind === 'tag' && tag === undefined) {
        tag = scanner.detail as WrittenTag;
        tagPlace = scanner.start;
      } else break;
      scanner.skip();
    }
    return { tag: tag === undefined ? '' : this.tags.longForm(tag, tagPlace), anchor };
  }

  protected nodeBehind({ tag, anchor }: Properties, inBlock: boolean, mayBeIndentless: boolean): GoValue {
    const { scanner } = this;
    const kind = scanner.peek();
    if (startsCollection(kind, inBlock, mayBeIndentless)) {
      if (anchor === undefined) return this.collection(kind, inBlock, mayBeIndentless);
      const named = this.anchors.open(anchor, kind === '{' || kind === 'mapping-start');
      const value = this.collection(kind, inBlock, mayBeIndentless);
      this.anchors.close(named, value);
      return value;
    }
    const { start } = scanner;
    const isScalar = kind === 'plain' || kind === 'quoted';
    const text = isScalar ? scanner.value : '';
    if (isScalar) scanner.skip();
    this.anchors.count();
    const value = this.defer(() => this.resolve(isScalar ? kind : 'plain', text, tag), start);
    if (typeof value === 'number' && !Number.isFinite(value)) this.hasNonFinite = true;
    if (anchor !== undefined) this.anchors.setScalar(anchor, value);
    return copyAnchored(value, this.exact);
  }

  protected resolve(kind: 'plain' | 'quoted', text: string, tag: string): GoValue {
    if (tag === '') return kind === 'plain' ? this.plain(text) : text;
    const value = resolveTagged(tag, text);
    return typeof value === 'string' ? toValidUtf8(value) : value;
  }

  // ---- block collections

  /** block_mapping ::= MAPPING-START (KEY node? (VALUE node?)?)* BLOCK-END */
  protected blockMapping(): GoMap {
    const { scanner } = this;
    const map: GoMap = new Map();
    scanner.skip();
    for (;;) {
      const kind = scanner.peek();
      if (kind === 'block-end') break;
      if (kind !== 'key') this.fail('did not find expected key');
      scanner.skip();
      const isMerge = this.readKey(true, endsBlockEntry(scanner.peek()));
      this.entry(map, this.key, isMerge);
    }
    scanner.skip();
    return map;
  }

  // The rest of an entry after its key. `close` ends the flow collection; undefined in a block mapping.
  protected entry(map: GoMap, key: GoValue, isMerge: boolean, close?: ']' | '}'): void {
    const { scanner } = this;
    const at = this.keyPlace;
    let kind = scanner.peek();
    let hasNode = false;
    if (kind === 'value') {
      scanner.skip();
      kind = scanner.peek();
      hasNode = close === undefined ? !endsBlockEntry(kind) : kind !== ',' && kind !== close;
    }
    const source = { fault: this.fault, alias: kind === 'alias' ? scanner.value : undefined, at: scanner.start };
    const inBlock = close === undefined;
    const value = hasNode ? this.node(inBlock, inBlock) : this.empty();
    if (isMerge) this.merge(map, value, source);
    else this.setEntry(map, key, value, at);
  }

  /** block_sequence ::= SEQUENCE-START (ENTRY node?)* BLOCK-END */
  protected blockSequence(): GoValue[] {
    const { scanner } = this;
    const items: GoValue[] = [];
    scanner.skip();
    while (this.takeEntry(items, false));
    if (scanner.peek() !== 'block-end') this.fail("did not find expected '-' indicator");
    scanner.skip();
    return items;
  }

  /** indentless_sequence ::= (ENTRY node?)+ */
  protected indentlessSequence(): GoValue[] {
    const items: GoValue[] = [];
    while (this.takeEntry(items, true));
    return items;
  }

  // Consumes a dash and its item; returns whether there was one.
  protected takeEntry(items: GoValue[], isIndentless: boolean): boolean {
    const { scanner } = this;
    if (scanner.peek() !== '-') return false;
    scanner.skip();
    const next = scanner.peek();
    const isEmpty = next === '-' || next === 'block-end' || (isIndentless && endsBlockEntry(next));
    items.push(isEmpty ? this.empty() : this.node(true, false));
    return true;
  }

  // ---- flow collections

  /** flow_sequence ::= [ (entry ,)* entry? ]; entry ::= node | KEY node? (VALUE node?)? */
  protected flowSequence(): GoValue[] {
    const { scanner } = this;
    const items: GoValue[] = [];
    scanner.skip();
    for (let kind = scanner.peek(), isFirst = true; kind !== ']'; kind = scanner.peek(), isFirst = false) {
      if (!isFirst) {
        if (kind !== ',') this.fail("did not find expected ',' or ']'");
        scanner.skip();
        kind = scanner.peek();
        if (kind === ']') break;
      }
      items.push(kind === 'key' ? this.singlePair() : this.node(false, false));
    }
    scanner.skip();
    return items;
  }

  // A pair in a flow sequence is a mapping of its own.
  protected singlePair(): GoMap {
    const { scanner } = this;
    const map: GoMap = new Map();
    if (++this.depth > maxDepth) throw tooDeep('YAML', placeFromOne(scanner.start));
    this.anchors.count();
    scanner.skip();
    const next = scanner.peek();
    const isEmpty = next === 'value' || next === ',' || next === ']';
    const isMerge = this.readKey(false, isEmpty);
    // Go consumes the token after a missing key together with the key, of any kind.
    if (isEmpty) scanner.skip();
    this.entry(map, this.key, isMerge, ']');
    this.depth--;
    return map;
  }

  /** flow_mapping ::= { (entry ,)* entry? }; entry ::= node | KEY node? (VALUE node?)? */
  protected flowMapping(): GoMap {
    const { scanner } = this;
    const map: GoMap = new Map();
    scanner.skip();
    for (let kind = scanner.peek(), isFirst = true; kind !== '}'; kind = scanner.peek(), isFirst = false) {
      if (!isFirst) {
        if (kind !== ',') this.fail("did not find expected ',' or '}'");
        scanner.skip();
        kind = scanner.peek();
        if (kind === '}') break;
      }
      if (kind === 'key') {
        scanner.skip();
        const next = scanner.peek();
        const isMerge = this.readKey(false, next === 'value' || next === ',' || next === '}');
        this.entry(map, this.key, isMerge, '}');
      } else {
        const at = scanner.start;
        const isMerge = this.readKey(false, false);
        scanner.peek();
        if (isMerge) this.merge(map, null, { fault: this.fault, alias: undefined, at });
        else this.setEntry(map, this.key, this.empty(), at);
      }
    }
    scanner.skip();
    return map;
  }

  // ---- keys

  // Parses a key into `key`; returns whether it is the merge key `<<`.
  protected readKey(inBlock: boolean, isEmpty: boolean): boolean {
    const { scanner } = this;
    if (isEmpty) {
      this.keyPlace = scanner.start;
      this.key = this.empty();
      return false;
    }
    const kind = scanner.peek();
    const text = scanner.value;
    if (kind === 'quoted' || (kind === 'plain' && isSurelyString(text))) {
      scanner.skip();
      if (kind === 'plain' && text === '<<') return true;
      this.anchors.count();
      this.key = text;
      return false;
    }
    return this.readUnusualKey(inBlock);
  }

  // A key that is not a plain string: keys keep integers, even if values do not.
  protected readUnusualKey(inBlock: boolean): boolean {
    const { scanner } = this;
    const { exact } = this;
    this.exact = true;
    const kind = scanner.peek();
    const at = scanner.start;
    const properties = kind === 'anchor' || kind === 'tag' ? this.properties() : noProperties;
    const isMerge = this.isMergeKey(properties.tag);
    this.key =
      properties === noProperties ? this.node(inBlock, inBlock) : this.nodeBehind(properties, inBlock, inBlock);
    this.exact = exact;
    this.keyPlace = at;
    if (isCollection(this.key)) this.fault ??= located(invalidKeyError(this.key), at);
    return isMerge;
  }

  protected isMergeKey(tag: string): boolean {
    const kind = this.scanner.peek();
    if ((kind !== 'plain' && kind !== 'quoted') || this.scanner.value !== '<<') return false;
    return tag === mergeTag || tag === '!' || (kind === 'plain' && tag === '');
  }

  protected setEntry(map: GoMap, key: GoValue, value: GoValue, at: TokenPlace): void {
    if (isCollection(key)) return;
    const text = keyText(key);
    if (text === undefined) this.keyFaults.set(map, located(unsupportedKeyError(key, value), at));
    const { size } = map;
    if (map.set(text ?? '', value).size === size) this.mayRepeatKeys = true;
    if (typeof key === 'string' && !this.hasOddKeys) return;
    this.hasOddKeys = true;
    rememberKey(map, text ?? '', key);
  }

  // Sets the entries of merged maps at once: keys before `<<` are overridden by them, keys after it are not. A value that is not a map is
  // not decoded, so errors inside it are not reported.
  protected merge(map: GoMap, value: GoValue, { fault, alias, at }: MergeSource): void {
    const isMap = alias === undefined ? value instanceof Map : this.anchors.isMapping(alias);
    const isList = alias === undefined && Array.isArray(value);
    // The first of several maps has precedence: Go begins with the last.
    const isNoMap = isList ? value.length > 0 && !(value.at(-1) instanceof Map) : !isMap;
    if (isNoMap) this.fault = fault ?? located(new GoError(mergeProblem), at);
    for (const source of isList ? value.toReversed() : [value]) {
      if (source instanceof Map) {
        for (const [key, item] of source) map.set(key, item);
        const keyFault = this.keyFaults.get(source);
        if (keyFault !== undefined) this.keyFaults.set(map, keyFault);
      } else if (isList) this.fault ??= located(new GoError(mergeProblem), at);
    }
  }
}

/** How the value of a `<<` was obtained. */
interface MergeSource {
  /** The error that existed before it was parsed. */
  readonly fault: GoError | undefined;
  /** The name of the anchor, if it is an alias. */
  readonly alias: string | undefined;
  /** Its place. */
  readonly at: TokenPlace;
}

function isCollection(value: GoValue): boolean {
  return value instanceof Map || Array.isArray(value);
}

function endsDocument(kind: YamlTokenKind): boolean {
  return kind === 'directive' || kind === 'document-start' || kind === 'document-end' || kind === 'stream-end';
}

function endsBlockEntry(kind: YamlTokenKind): boolean {
  return kind === 'key' || kind === 'value' || kind === 'block-end';
}

function startsCollection(kind: YamlTokenKind, inBlock: boolean, mayBeIndentless: boolean): boolean {
  if (kind === '[' || kind === '{') return true;
  if (kind === '-') return mayBeIndentless;
  return inBlock && (kind === 'sequence-start' || kind === 'mapping-start');
}

/** The prefix of each tag handle. */
class YamlTags {
  readonly #prefixes = new Map<string, string>();

  /** Reads the directives at the scanner's position, if any. */
  readDirectives(scanner: YamlScanner): void {
    let hasVersion = false;
    while (scanner.peek() === 'directive') {
      const directive = scanner.detail;
      const { start } = scanner;
      if ('version' in directive) {
        if (hasVersion) failAt(start, 'found duplicate %YAML directive');
        if (directive.version !== '1.1') failAt(start, 'found incompatible YAML document');
        hasVersion = true;
      } else {
        if (this.#prefixes.has(directive.handle)) failAt(start, 'found duplicate %TAG directive');
        this.#prefixes.set(directive.handle, directive.suffix);
      }
      scanner.skip();
    }
    if (!this.#prefixes.has('!')) this.#prefixes.set('!', '!');
    if (!this.#prefixes.has('!!')) this.#prefixes.set('!!', yamlTagPrefix);
  }

  /** Returns a tag in its long form. The place is for errors. */
  longForm({ handle, suffix }: WrittenTag, start: TokenPlace): string {
    if (handle === '') return suffix;
    const prefix = this.#prefixes.get(handle);
    if (prefix === undefined) failAt(start, 'found undefined tag handle');
    return prefix + suffix;
  }
}

interface Anchor {
  value: GoValue;
  /** Number of values that Go decodes for an alias of it. */
  size: number;
  /** Whether its value is still being parsed, so that an alias would be a cycle. */
  isOpen: boolean;
  readonly isMapping: boolean;
}

class YamlAnchors {
  readonly #anchors = new Map<string, Anchor>();
  // Number of values that Go has decoded, and how many of them through aliases.
  #decoded = 1;
  #aliased = 0;

  count(): void {
    this.#decoded++;
  }

  /** Sets the anchor of a scalar, with its exact number. */
  setScalar(name: string, value: GoValue): void {
    this.#anchors.set(name, { value, size: 1, isOpen: false, isMapping: false });
  }

  /** Sets the anchor of a collection that starts. */
  open(name: string, isMapping: boolean): Anchor {
    const anchor: Anchor = { value: null, size: -this.#decoded, isOpen: true, isMapping };
    this.#anchors.set(name, anchor);
    return anchor;
  }

  /** Sets the value of an anchor whose collection has ended. */
  close(anchor: Anchor, value: GoValue): void {
    anchor.value = value;
    anchor.size += this.#decoded;
    anchor.isOpen = false;
  }

  has(name: string): boolean {
    return this.#anchors.has(name);
  }

  isMapping(name: string): boolean {
    return this.#anchors.get(name)?.isMapping === true;
  }

  /** Returns the value of an alias, as a copy. Throws GoError for an invalid alias. */
  resolve(name: string, exact: boolean): GoValue {
    const anchor = this.#anchors.get(name)!;
    this.#decoded++;
    if (anchor.isOpen) throw new GoError(`yaml: anchor '${name}' value contains itself`);
    this.#decoded += anchor.size;
    this.#aliased += anchor.size;
    if (this.#isExcessive()) throw new GoError('yaml: document contains excessive aliasing');
    return copyAnchored(anchor.value, exact);
  }

  // In a small document 99% of the values can come from aliases, in a large one 10%.
  #isExcessive(): boolean {
    if (this.#aliased <= 100 || this.#decoded <= 1000) return false;
    const share = Math.min(Math.max((this.#decoded - 400_000) / 3_600_000, 0), 1);
    return this.#aliased / this.#decoded > 0.99 - 0.89 * share;
  }
}

/** Returns a copy of a value; unless `exact`, integers become floats. */
function copyAnchored(value: GoValue, exact: boolean): GoValue {
  const convert = (item: GoValue): GoValue => (item instanceof Int && !exact ? Number(item.value) : item);
  return copyTree(value, convert, rememberKeysOf);
}
