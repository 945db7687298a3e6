// The parser and the decoder of YAML text in one pass: tokens to Go values.
// Mirrors: go-yaml v2 (sigs.k8s.io/yaml 1.4.0), parserc.go (the grammar and its errors) and decode.go (anchors, merges, keys).

import { toValidUtf8 } from '../go/utf8.ts';
import { GoError, type GoMap, type GoValue, Int } from '../go/value.ts';
import { readSource } from './yaml-reader.ts';
import { invalidKeyError, KeyedMap, keyText, unsupportedKeyError } from './yaml-key.ts';
import { isSurelyString, resolveJson, resolvePlain, resolveTagged, yamlTagPrefix } from './yaml-scalar.ts';
import type { WrittenTag } from './yaml-scan-tags.ts';
import { type TokenKind, YamlScanner } from './yaml-scanner.ts';

/** What an anchor names. */
interface Anchor {
  value: GoValue;
  /** How many values Go decodes when it comes to an alias of it. */
  size: number;
  /** Whether its value is still being read, so that an alias would put it into itself. */
  open: boolean;
}

/** A document that was read. */
export interface ComposedYaml {
  readonly value: GoValue;
  /** Whether there may be a number in it that is not finite, which JSON could not hold. */
  readonly hasNonFinite: boolean;
}

interface Properties {
  /** In the long form; '' when there is none. */
  readonly tag: string;
  readonly anchor: string | undefined;
}

const noProperties: Properties = { tag: '', anchor: undefined };
const mergeTag = `${yamlTagPrefix}merge`;

/**
 * Reads the first document of a YAML text.
 * `exact` keeps integers as `Int`; otherwise every number is a float64, as it is once JSON has been between.
 * Throws GoError with go-yaml's text, which begins with `yaml: `.
 */
export function composeYaml(text: string, exact: boolean): ComposedYaml {
  const source = readSource(text);
  const composer = new Composer(new YamlScanner(source), exact);
  if (source.fault === undefined) return composer.document();
  // The text stops short of a forbidden character. Whoever comes to that end has met it.
  try {
    const composed = composer.document();
    if (composer.scanner.pos + 4 < source.text.length) return composed;
  } catch (error) {
    if (composer.scanner.pos + 4 < source.text.length) throw error;
  }
  throw new GoError(`yaml: ${source.fault}`);
}

class Composer {
  readonly scanner: YamlScanner;
  #exact: boolean;
  readonly #anchors = new Map<string, Anchor>();
  readonly #tagPrefixes = new Map<string, string>();
  // Go decodes once all is parsed: a fault of decoding counts only when the syntax has none.
  #fault: GoError | undefined;
  // ... and it converts keys once all is decoded.
  #keyFault: GoError | undefined;
  #hasNonFinite = false;
  #decoded = 1;
  #aliased = 0;

  constructor(scanner: YamlScanner, exact: boolean) {
    this.scanner = scanner;
    this.#exact = exact;
  }

  /** document ::= DIRECTIVE* DOCUMENT-START? block_node? DOCUMENT-END? */
  document(): ComposedYaml {
    const value = this.#root();
    const fault = this.#fault ?? this.#keyFault;
    if (fault !== undefined) throw fault;
    return { value, hasNonFinite: this.#hasNonFinite };
  }

  #root(): GoValue {
    const { scanner } = this;
    scanner.peek();
    scanner.skip();
    let kind = scanner.peek();
    if (kind === 'stream-end') return null;
    let value: GoValue = null;
    if (kind === 'directive' || kind === 'document-start') {
      this.#directives();
      if (scanner.peek() !== 'document-start') this.#fail('did not find expected <document start>');
      scanner.skip();
      kind = scanner.peek();
      if (!endsDocument(kind)) value = this.#node(true, false);
    } else {
      this.#directives();
      value = this.#node(true, false);
    }
    scanner.peek();
    return value;
  }

  #directives(): void {
    const { scanner } = this;
    let hasVersion = false;
    while (scanner.peek() === 'directive') {
      const directive = scanner.detail;
      if ('version' in directive) {
        if (hasVersion) this.#fail('found duplicate %YAML directive');
        if (directive.version !== '1.1') this.#fail('found incompatible YAML document');
        hasVersion = true;
      } else {
        if (this.#tagPrefixes.has(directive.handle)) this.#fail('found duplicate %TAG directive');
        this.#tagPrefixes.set(directive.handle, directive.suffix);
      }
      scanner.skip();
    }
    if (!this.#tagPrefixes.has('!')) this.#tagPrefixes.set('!', '!');
    if (!this.#tagPrefixes.has('!!')) this.#tagPrefixes.set('!!', yamlTagPrefix);
  }

  // The parser's error for the token that was peeked at. Its line counts from 0, and Go leaves out a 0.
  #fail(problem: string): never {
    this.#failAt(this.scanner.startLine, problem);
  }

  #failAt(line: number, problem: string): never {
    throw new GoError(line > 0 ? `yaml: line ${line}: ${problem}` : `yaml: ${problem}`);
  }

  // ---- nodes

  /**
   * node ::= ALIAS | properties content? | content.
   * An indentless sequence, whose dashes are no deeper than the key above, may only stand in a block mapping.
   */
  #node(inBlock: boolean, mayBeIndentless: boolean): GoValue {
    const kind = this.scanner.peek();
    if (kind === 'plain' || kind === 'quoted') return this.#scalar(kind, noProperties);
    if (kind === 'alias') return this.#alias();
    if (kind === 'anchor' || kind === 'tag') return this.#nodeWithProperties(inBlock, mayBeIndentless);
    return this.#collection(kind, inBlock, mayBeIndentless);
  }

  #scalar(kind: 'plain' | 'quoted', { tag, anchor }: Properties): GoValue {
    const { scanner } = this;
    const text = scanner.value;
    scanner.skip();
    this.#decoded++;
    if (tag === '' && anchor === undefined) {
      if (kind === 'quoted') return text;
      const value = this.#exact ? resolvePlain(text) : resolveJson(text);
      if (typeof value === 'number') this.#noteNumber(value);
      return value;
    }
    return this.#anchored(anchor, this.#resolve(kind, text, tag));
  }

  #resolve(kind: 'plain' | 'quoted', text: string, tag: string): GoValue {
    if (tag === '') return kind === 'plain' ? resolvePlain(text) : text;
    try {
      const value = resolveTagged(tag, text);
      return typeof value === 'string' ? toValidUtf8(value) : value;
    } catch (error) {
      this.#fault ??= error as GoError;
      return null;
    }
  }

  #noteNumber(value: number): void {
    if (!Number.isFinite(value)) this.#hasNonFinite = true;
  }

  // Keeps a scalar under its anchor in full, and gives it as the caller wants numbers.
  #anchored(anchor: string | undefined, value: GoValue): GoValue {
    if (typeof value === 'number') this.#noteNumber(value);
    if (anchor !== undefined) this.#anchors.set(anchor, { value, size: 1, open: false });
    return this.#copy(value);
  }

  #collection(kind: TokenKind, inBlock: boolean, mayBeIndentless: boolean): GoValue {
    this.#decoded++;
    if (kind === 'mapping-start' && inBlock) return this.#blockMapping();
    if (kind === '-' && mayBeIndentless) return this.#indentlessSequence();
    if (kind === 'sequence-start' && inBlock) return this.#blockSequence();
    if (kind === '{') return this.#flowMapping();
    if (kind === '[') return this.#flowSequence();
    this.#fail('did not find expected node content');
  }

  /** properties ::= TAG ANCHOR? | ANCHOR TAG? */
  #nodeWithProperties(inBlock: boolean, mayBeIndentless: boolean): GoValue {
    return this.#nodeBehind(this.#properties(), inBlock, mayBeIndentless);
  }

  #nodeBehind(properties: Properties, inBlock: boolean, mayBeIndentless: boolean): GoValue {
    const { anchor } = properties;
    const kind = this.scanner.peek();
    if (kind === 'plain' || kind === 'quoted') return this.#scalar(kind, properties);
    if (!startsCollection(kind, inBlock, mayBeIndentless)) {
      this.#decoded++;
      return this.#anchored(anchor, this.#resolve('plain', '', properties.tag));
    }
    if (anchor === undefined) return this.#collection(kind, inBlock, mayBeIndentless);
    const entry: Anchor = { value: null, size: -this.#decoded, open: true };
    this.#anchors.set(anchor, entry);
    entry.value = this.#collection(kind, inBlock, mayBeIndentless);
    entry.size += this.#decoded;
    entry.open = false;
    return entry.value;
  }

  #properties(): Properties {
    const { scanner } = this;
    let anchor: string | undefined;
    let tag: WrittenTag | undefined;
    let tagLine = 0;
    for (let kind = scanner.peek(); ; kind = scanner.peek()) {
      if (kind === 'anchor' && anchor === undefined) anchor = scanner.value;
      else if (kind === 'tag' && tag === undefined) {
        tag = scanner.detail as WrittenTag;
        tagLine = scanner.startLine;
      } else break;
      scanner.skip();
    }
    return { tag: tag === undefined ? '' : this.#longTag(tag, tagLine), anchor };
  }

  #longTag({ handle, suffix }: WrittenTag, line: number): string {
    if (handle === '') return suffix;
    const prefix = this.#tagPrefixes.get(handle);
    if (prefix === undefined) this.#failAt(line, 'found undefined tag handle');
    return prefix + suffix;
  }

  // ---- anchors

  #alias(): GoValue {
    const name = this.scanner.value;
    const anchor = this.#anchors.get(name);
    if (anchor === undefined) throw new GoError(`yaml: unknown anchor '${name}' referenced`);
    this.scanner.skip();
    this.#decoded++;
    if (anchor.open) this.#fault ??= new GoError(`yaml: anchor '${name}' value contains itself`);
    if (this.#fault !== undefined) return null;
    this.#decoded += anchor.size;
    this.#aliased += anchor.size;
    if (isExcessive(this.#aliased, this.#decoded)) {
      this.#fault = new GoError('yaml: document contains excessive aliasing');
      return null;
    }
    return this.#copy(anchor.value);
  }

  // Gives a value of its own, with numbers as the caller wants them.
  #copy(value: GoValue): GoValue {
    if (value instanceof Int) return this.#exact ? value : Number(value.value);
    if (Array.isArray(value)) return value.map((item) => this.#copy(item));
    if (!(value instanceof Map)) return value;
    const copy: GoMap = new Map();
    for (const [key, item] of value) copy.set(key, this.#copy(item));
    return copy;
  }

  // ---- block collections

  /** block_mapping ::= MAPPING-START (KEY node? (VALUE node?)?)* BLOCK-END */
  #blockMapping(): GoMap {
    const { scanner } = this;
    const map = this.#newMap();
    scanner.skip();
    for (;;) {
      let kind = scanner.peek();
      if (kind === 'block-end') break;
      if (kind !== 'key') this.#fail('did not find expected key');
      scanner.skip();
      const isMerge = this.#key(true, endsBlockEntry(scanner.peek()));
      const key = this.#lastKey;
      kind = scanner.peek();
      let hasNode = false;
      if (kind === 'value') {
        scanner.skip();
        kind = scanner.peek();
        hasNode = !endsBlockEntry(kind);
      }
      const value = hasNode ? this.#node(true, true) : this.#empty();
      if (isMerge) this.#merge(map, kind, value);
      else this.#setEntry(map, key, value);
    }
    scanner.skip();
    return map;
  }

  /** block_sequence ::= SEQUENCE-START (ENTRY node?)* BLOCK-END */
  #blockSequence(): GoValue[] {
    const { scanner } = this;
    const items: GoValue[] = [];
    scanner.skip();
    for (;;) {
      const kind = scanner.peek();
      if (kind === 'block-end') break;
      if (kind !== '-') this.#fail("did not find expected '-' indicator");
      scanner.skip();
      const next = scanner.peek();
      items.push(next === '-' || next === 'block-end' ? this.#empty() : this.#node(true, false));
    }
    scanner.skip();
    return items;
  }

  /** indentless_sequence ::= (ENTRY node?)+ */
  #indentlessSequence(): GoValue[] {
    const { scanner } = this;
    const items: GoValue[] = [];
    while (scanner.peek() === '-') {
      scanner.skip();
      const next = scanner.peek();
      items.push(next === '-' || endsBlockEntry(next) ? this.#empty() : this.#node(true, false));
    }
    return items;
  }

  #empty(): null {
    this.#decoded++;
    return null;
  }

  // ---- flow collections

  /** flow_sequence ::= [ (entry ,)* entry? ]; entry ::= node | KEY node? (VALUE node?)? */
  #flowSequence(): GoValue[] {
    const { scanner } = this;
    const items: GoValue[] = [];
    scanner.skip();
    for (let kind = scanner.peek(), isFirst = true; kind !== ']'; kind = scanner.peek(), isFirst = false) {
      if (!isFirst) {
        if (kind !== ',') this.#fail("did not find expected ',' or ']'");
        scanner.skip();
        kind = scanner.peek();
        if (kind === ']') break;
      }
      items.push(kind === 'key' ? this.#singlePair() : this.#node(false, false));
    }
    scanner.skip();
    return items;
  }

  // A pair in a flow sequence makes a mapping of its own.
  #singlePair(): GoMap {
    const { scanner } = this;
    const map = this.#newMap();
    this.#decoded++;
    scanner.skip();
    const next = scanner.peek();
    const isEmpty = next === 'value' || next === ',' || next === ']';
    const isMerge = this.#key(false, isEmpty);
    const key = this.#lastKey;
    // Go takes the token behind a missing key, whatever it is, along with the key.
    if (isEmpty) scanner.skip();
    this.#flowValue(map, key, isMerge, ']');
    return map;
  }

  /** flow_mapping ::= { (entry ,)* entry? }; entry ::= node | KEY node? (VALUE node?)? */
  #flowMapping(): GoMap {
    const { scanner } = this;
    const map = this.#newMap();
    scanner.skip();
    for (let kind = scanner.peek(), isFirst = true; kind !== '}'; kind = scanner.peek(), isFirst = false) {
      if (!isFirst) {
        if (kind !== ',') this.#fail("did not find expected ',' or '}'");
        scanner.skip();
        kind = scanner.peek();
        if (kind === '}') break;
      }
      if (kind === 'key') {
        scanner.skip();
        const next = scanner.peek();
        const isMerge = this.#key(false, next === 'value' || next === ',' || next === '}');
        this.#flowValue(map, this.#lastKey, isMerge, '}');
      } else {
        const isMerge = this.#key(false, false);
        const key = this.#lastKey;
        scanner.peek();
        if (isMerge) this.#merge(map, 'plain', null);
        else this.#setEntry(map, key, this.#empty());
      }
    }
    scanner.skip();
    return map;
  }

  // The rest of a flow entry, behind its key.
  #flowValue(map: GoMap, key: GoValue, isMerge: boolean, close: ']' | '}'): void {
    const { scanner } = this;
    let kind = scanner.peek();
    let hasNode = false;
    if (kind === 'value') {
      scanner.skip();
      kind = scanner.peek();
      hasNode = kind !== ',' && kind !== close;
    }
    const value = hasNode ? this.#node(false, false) : this.#empty();
    if (isMerge) this.#merge(map, kind, value);
    else this.#setEntry(map, key, value);
  }

  // ---- keys

  #lastKey: GoValue = null;
  #inKey = false;

  // Reads a key into `#lastKey`; tells whether it is the merge key `<<`.
  #key(inBlock: boolean, isEmpty: boolean): boolean {
    const { scanner } = this;
    if (isEmpty) {
      this.#lastKey = this.#empty();
      return false;
    }
    const kind = scanner.peek();
    if (kind === 'quoted' || (kind === 'plain' && isSurelyString(scanner.value))) {
      const text = scanner.value;
      scanner.skip();
      if (kind === 'plain' && text === '<<') return true;
      this.#decoded++;
      this.#lastKey = text;
      return false;
    }
    return this.#unusualKey(inBlock);
  }

  // A key that is not simply a string: keys keep integers, whatever the values do.
  #unusualKey(inBlock: boolean): boolean {
    const { scanner } = this;
    const [exact, inKey] = [this.#exact, this.#inKey];
    this.#exact = this.#inKey = true;
    let isMerge = false;
    const kind = scanner.peek();
    if (kind === 'anchor' || kind === 'tag') {
      const properties = this.#properties();
      const next = scanner.peek();
      isMerge = next === 'plain' && scanner.value === '<<' && (properties.tag === '' || properties.tag === '!');
      isMerge ||= (next === 'plain' || next === 'quoted') && scanner.value === '<<' && properties.tag === mergeTag;
      this.#lastKey = this.#nodeBehind(properties, inBlock, inBlock);
    } else this.#lastKey = this.#node(inBlock, inBlock);
    this.#exact = exact;
    this.#inKey = inKey;
    return isMerge;
  }

  #newMap(): GoMap {
    return this.#inKey ? new KeyedMap() : new Map();
  }

  #setEntry(map: GoMap, key: GoValue, value: GoValue): void {
    if (typeof key === 'string') {
      map.set(key, value);
      if (map instanceof KeyedMap) map.keep(key, key);
      return;
    }
    if (key instanceof Map || Array.isArray(key)) {
      this.#fault ??= invalidKeyError(key);
      return;
    }
    const text = keyText(key);
    if (text === undefined) this.#keyFault ??= unsupportedKeyError(key, value);
    map.set(text ?? '', value);
    if (map instanceof KeyedMap) map.keep(text ?? '', key);
  }

  // Sets the entries of the merged maps at once: keys before `<<` yield to them, keys behind it do not.
  #merge(map: GoMap, kind: TokenKind, value: GoValue): void {
    const sources =
      value instanceof Map ? [value] : Array.isArray(value) && kind !== 'alias' ? value.toReversed() : [null];
    for (const source of sources) {
      if (!(source instanceof Map)) {
        this.#fault ??= new GoError('yaml: map merge requires map or sequence of maps as the value');
        return;
      }
      for (const [key, item] of source) map.set(key, item);
    }
  }
}

function endsDocument(kind: TokenKind): boolean {
  return kind === 'directive' || kind === 'document-start' || kind === 'document-end' || kind === 'stream-end';
}

function endsBlockEntry(kind: TokenKind): boolean {
  return kind === 'key' || kind === 'value' || kind === 'block-end';
}

function startsCollection(kind: TokenKind, inBlock: boolean, mayBeIndentless: boolean): boolean {
  if (kind === '[' || kind === '{') return true;
  if (kind === '-') return mayBeIndentless;
  return inBlock && (kind === 'sequence-start' || kind === 'mapping-start');
}

// Mirrors: go-yaml v2, decode.go, `allowedAliasRatio`.
function isExcessive(aliased: number, decoded: number): boolean {
  if (aliased <= 100 || decoded <= 1000) return false;
  const share = Math.min(Math.max((decoded - 400_000) / 3_600_000, 0), 1);
  return aliased / decoded > 0.99 - 0.89 * share;
}
