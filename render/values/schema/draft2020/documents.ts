// Schema documents: their drafts, ids and anchors, and addresses of schemas, which are URLs with an anchor or a JSON pointer as their fragment.
// Mirrors: github.com/santhosh-tekuri/jsonschema/v6, root.go, roots.go, loader.go, draft.go, position.go and util.go, v6.0.2, and the loaders
// that Helm configures.

import { parseJson, prefixOfJson } from '../../../codec/json.ts';
import { convertGoError } from '../../../core/catch.ts';
import { quote } from '../../../go/number.ts';
import { formatUrl, parseGoUrl, pathEscape, pathUnescape, resolveReference, type Url } from '../../../go/url.ts';
import { GoError, type GoMap, type GoValue, sortedEntries, sortedKeys } from '../../../go/value.ts';
import type { SchemaSource } from '../refs.ts';
import metaschemas from './metaschemas.json' with { type: 'json' };

/** The drafts, by number or year. */
export type DraftVersion = 4 | 6 | 7 | 2019 | 2020;

interface DraftRules {
  readonly version: DraftVersion;
  /** The address of its metaschema. */
  readonly url: string;
  /** Where schemas are nested: a keyword, and whether they are in an object (`*`) or a list (`[]`). */
  readonly subschemas: readonly (readonly [keyword: string, each?: '*' | '[]'])[];
  /** The vocabularies of its schemas. Old drafts have none. */
  readonly defaultVocabularies: readonly string[];
  /** Those that a custom metaschema can add. */
  readonly otherVocabularies: readonly string[];
}

const none = { defaultVocabularies: [], otherVocabularies: [] };

const draft4: DraftRules = {
  version: 4,
  url: 'http://json-schema.org/draft-04/schema',
  subschemas: [
    ['definitions', '*'],
    ['not'],
    ['allOf', '[]'],
    ['anyOf', '[]'],
    ['oneOf', '[]'],
    ['properties', '*'],
    ['additionalProperties'],
    ['patternProperties', '*'],
    ['items'],
    ['items', '[]'],
    ['additionalItems'],
    ['dependencies', '*'],
  ],
  ...none,
};

const draft6: DraftRules = {
  version: 6,
  url: 'http://json-schema.org/draft-06/schema',
  subschemas: [...draft4.subschemas, ['propertyNames'], ['contains']],
  ...none,
};

const draft7: DraftRules = {
  version: 7,
  url: 'http://json-schema.org/draft-07/schema',
  subschemas: [...draft6.subschemas, ['if'], ['then'], ['else']],
  ...none,
};

const draft2019: DraftRules = {
  version: 2019,
  url: 'https://json-schema.org/draft/2019-09/schema',
  subschemas: [
    ...draft7.subschemas,
    ['$defs', '*'],
    ['dependentSchemas', '*'],
    ['unevaluatedProperties'],
    ['unevaluatedItems'],
    ['contentSchema'],
  ],
  defaultVocabularies: ['core', 'applicator', 'validation'],
  otherVocabularies: ['meta-data', 'format', 'content'],
};

/** The draft of a schema without `$schema`. */
export const draft2020: DraftRules = {
  version: 2020,
  url: 'https://json-schema.org/draft/2020-12/schema',
  subschemas: [...draft2019.subschemas, ['prefixItems', '[]']],
  defaultVocabularies: ['core', 'applicator', 'unevaluated', 'validation'],
  otherVocabularies: ['meta-data', 'format-annotation', 'format-assertion', 'content'],
};

const byAddress: ReadonlyMap<string, DraftRules> = new Map([
  ...[draft4, draft6, draft7, draft2019, draft2020].map((draft) => [withoutScheme(draft.url), draft] as const),
  ['json-schema.org/schema', draft2020],
]);

function withoutScheme(url: string): string {
  return url.replace(/^https?:\/\//, '');
}

/** Returns the draft of `$schema`, or undefined for another schema. */
function findDraft(address: string): DraftRules | undefined {
  const [url, fragment] = split(address);
  return fragment === '' ? byAddress.get(withoutScheme(url)) : undefined;
}

/** Returns the id of a schema without its fragment; empty for none. In old drafts, keywords beside `$ref` have no effect. */
export function idOf(draft: DraftRules, schema: GoMap): string {
  if (draft.version < 2019 && schema.has('$ref')) return '';
  const id = schema.get(idKeyword(draft));
  return typeof id === 'string' ? split(id)[0] : '';
}

function idKeyword({ version }: DraftRules): 'id' | '$id' {
  return version === 4 ? 'id' : '$id';
}

/** Returns the schemas nested directly in a schema, with their pointers. */
function* subschemasOf(draft: DraftRules, schema: GoMap, pointer: string): Generator<[pointer: string, GoValue]> {
  for (const [keyword, each] of draft.subschemas) {
    const held = schema.get(keyword);
    if (held === undefined) continue;
    if (each === undefined) yield [appendPointer(pointer, keyword), held];
    else if (each === '*' && held instanceof Map) {
      for (const [name, inner] of sortedEntries(held)) yield [appendPointer(pointer, keyword, name), inner];
    } else if (each === '[]' && Array.isArray(held)) {
      for (const [i, item] of held.entries()) yield [appendPointer(pointer, keyword, i), item];
    }
  }
}

/** A draft, and the vocabularies of a custom metaschema, if any. */
export interface Dialect {
  readonly draft: DraftRules;
  readonly vocabularies: readonly string[] | undefined;
}

/** Reports whether a dialect has a vocabulary. Old drafts have all. */
export function hasVocabulary({ draft, vocabularies }: Dialect, name: string): boolean {
  if (name === 'core' || draft.version < 2019) return true;
  return (vocabularies ?? draft.defaultVocabularies).includes(name);
}

/** A schema with its own address, and everything in it without one. */
export interface SchemaResource {
  readonly pointer: string;
  readonly id: string;
  readonly dialect: Dialect;
  /** Pointers by anchor. */
  readonly anchors: Map<string, string>;
  readonly dynamicAnchors: Set<string>;
}

/** A document with the resources found so far. */
export interface Root {
  readonly url: string;
  readonly document: GoValue;
  /** Resources by pointer. */
  readonly resources: Map<string, SchemaResource>;
  /** Resources by address. */
  readonly named: Map<string, SchemaResource>;
  /** Pointers that were searched for resources. */
  readonly searched: Set<string>;
}

/** The place of a schema: the URL of a document, and a pointer. */
export interface SchemaPlace {
  readonly url: string;
  readonly pointer: string;
}

/** Validates a schema against the metaschema of its dialect. Throws GoError. */
export type CheckSchema = (root: Root, schema: GoValue, pointer: string) => void;

/** Where documents come from, and how their schemas are validated. */
export interface DocumentsOptions {
  readonly documents: readonly (readonly [url: string, document: GoValue])[];
  readonly check: CheckSchema;
  /** Whether an unresolved `urn:` accepts everything. Default false: it is an error. */
  readonly resolvesUrns?: boolean;
  /** Returns documents by URL. Default none. */
  readonly load?: SchemaSource;
}

export class Documents {
  readonly #roots = new Map<string, Root>();
  readonly #loaded: Map<string, GoValue>;
  readonly #options: DocumentsOptions;
  /** Unresolved URNs: Helm warns about each and accepts any value for them. */
  readonly unresolved: string[] = [];

  constructor(options: DocumentsOptions) {
    this.#loaded = new Map(options.documents);
    this.#options = options;
  }

  /** Returns a document. Throws GoError if it is not available. */
  root(url: string): Root {
    const known = this.#roots.get(url);
    if (known !== undefined) return known;
    const root: Root = { url, document: this.#load(url), resources: new Map(), named: new Map(), searched: new Set() };
    this.#search(root, '', { base: url, dialect: { draft: draft2020, vocabularies: undefined } });
    if (!/^https?:\/\/json-schema\.org\//.test(url)) this.#options.check(root, root.document, '');
    this.#roots.set(url, root);
    return root;
  }

  /** Finds the schema at an address, relative to a document. Throws GoError for an unknown anchor. */
  resolve(from: Root, { url, fragment }: Address): SchemaPlace {
    const isOwn = url === from.url;
    const resource = isOwn ? rootResource(from) : from.named.get(url);
    if (resource !== undefined) return placeIn(from, resource, fragment);
    const other = this.root(url);
    return placeIn(other, rootResource(other), fragment);
  }

  /** Ensures that a schema in an unexpected place was searched for resources and is valid. */
  ensure({ url, pointer }: SchemaPlace): void {
    const root = this.root(url);
    if (root.searched.has(pointer)) return;
    const schema = lookUp(root.document, url, pointer);
    const { id, dialect } = resourceOf(root, pointer);
    this.#search(root, pointer, { base: id, dialect });
    if (!root.resources.has(pointer)) collectAnchors(root, schema, resourceOf(root, pointer), pointer);
    this.#options.check(root, schema, pointer);
  }

  #load(url: string): GoValue {
    const loaded = this.#loaded.has(url) ? this.#loaded.get(url) : metaschema(url);
    if (loaded !== undefined) return loaded;
    const { scheme, path } = parseGoUrl(url);
    const text = /^https?$/.test(scheme) ? this.#options.load?.(url) : undefined;
    if (text !== undefined) {
      const document = prefixOfJson(text, { keepNumbers: true }).value;
      this.#loaded.set(url, document);
      return document;
    }
    if (scheme === 'urn' && this.#options.resolvesUrns === true) {
      if (!this.unresolved.includes(url)) this.unresolved.push(url);
      return true;
    }
    let reason = `no URLLoader registered for ${quote(url)}`;
    if (scheme === 'file') reason = `open ${path}: no such file or directory`;
    else if (scheme === 'http' || scheme === 'https') reason = 'schemas are not fetched';
    throw new GoError(`failing loading ${quote(url)}: ${reason}`);
  }

  #search(root: Root, pointer: string, outer: Outer): void {
    const left: Found[] = [{ pointer, schema: lookUp(root.document, root.url, pointer), outer }];
    for (let found = left.pop(); found !== undefined; found = left.pop()) {
      if (root.searched.has(found.pointer)) continue;
      left.push(...this.#searchOne(root, found).reverse());
      root.searched.add(found.pointer);
    }
  }

  #searchOne(root: Root, { pointer, schema, outer }: Found): Found[] {
    if (!(schema instanceof Map)) {
      if (pointer === '') addResource(root, '', outer);
      return [];
    }
    const named = this.#draftOf(schema, { url: root.url, pointer }, outer.dialect.draft);
    // `$schema` has an effect only at the root of a resource.
    const isResource = pointer === '' || idOf(named, schema) !== '';
    const draft = isResource ? named : outer.dialect.draft;
    const id = idOf(draft, schema);
    const base = convertGoError(
      () => (id === '' ? outer.base : joinAddress(outer.base, id).url),
      () => new GoError(`error in parsing id at ${quote(formatAddress(root.url, pointer))}`),
    );
    if (isResource || id !== '') {
      const hasOwn = isResource && typeof schema.get('$schema') === 'string';
      const dialect = hasOwn ? { draft, vocabularies: this.#vocabulariesOf(schema, draft) } : outer.dialect;
      addResource(root, pointer, { base, dialect });
    }
    const resource = root.named.get(base)!;
    collectAnchors(root, schema, resource, pointer);
    const inner = { base, dialect: resource.dialect };
    return Array.from(subschemasOf(draft, schema, pointer), ([at, held]) => ({
      pointer: at,
      schema: held,
      outer: inner,
    }));
  }

  #draftOf(document: GoValue, place: SchemaPlace, fallback: DraftRules): DraftRules {
    const seen = new Set<string>();
    let [schema, at] = [document, place];
    for (;;) {
      const name = schema instanceof Map ? schema.get('$schema') : undefined;
      if (typeof name !== 'string') return fallback;
      const draft = findDraft(name);
      if (draft !== undefined) return draft;
      const [url] = split(name);
      const place = quote(formatAddress(at.url, at.pointer));
      convertGoError(
        () => parseGoUrl(url),
        ({ message }) => new GoError(`invalid $schema in ${place}: ${message}`),
      );
      if (at.pointer === '' && url === at.url) throw new GoError(`draft ${quote(url)} is not supported`);
      if (seen.has(url)) throw new GoError(`cycle in resolving $schema in ${quote(url)}`);
      seen.add(url);
      schema = this.#load(url);
      at = { url, pointer: '' };
    }
  }

  // The vocabularies of a custom metaschema.
  #vocabulariesOf(schema: GoMap, draft: DraftRules): readonly string[] | undefined {
    const name = schema.get('$schema') as string;
    if (findDraft(name) !== undefined || draft.version < 2019) return undefined;
    const [url] = split(name);
    const document = this.#load(url);
    const declared = document instanceof Map ? document.get('$vocabulary') : undefined;
    if (!(declared instanceof Map)) return undefined;
    const wanted = sortedKeys(declared).filter((vocabulary) => declared.get(vocabulary) === true);
    const all = [...draft.defaultVocabularies, ...draft.otherVocabularies];
    const names = wanted.map((vocabulary) => {
      const known = all.find((one) => draft.url.replace(/schema$/, `vocab/${one}`) === vocabulary);
      if (known === undefined) throw new GoError(`unsupported vocabulary ${quote(vocabulary)} in ${quote(url)}`);
      return known;
    });
    return names.includes('core') ? names : [...names, 'core'];
  }
}

/** The context of a schema: the base URL of its references, and the dialect. */
interface Outer {
  readonly base: string;
  readonly dialect: Dialect;
}

interface Found {
  readonly pointer: string;
  readonly schema: GoValue;
  readonly outer: Outer;
}

/** Returns the resource that contains a place of a document. */
export function resourceOf(root: Root, pointer: string): SchemaResource {
  for (let at = pointer; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
    const resource = root.resources.get(at);
    if (resource !== undefined) return resource;
  }
  return rootResource(root);
}

function rootResource(root: Root): SchemaResource {
  return root.resources.get('')!;
}

function placeIn(root: Root, resource: SchemaResource, fragment: string): SchemaPlace {
  if (isPointer(fragment)) return { url: root.url, pointer: resource.pointer + fragment };
  const pointer = resource.anchors.get(fragment);
  if (pointer !== undefined) return { url: root.url, pointer };
  throw new GoError(`anchor in ${quote(formatAddress(resource.id, fragment))} not found in schema ${quote(root.url)}`);
}

function addResource(root: Root, pointer: string, { base, dialect }: Outer): void {
  const other = root.named.get(base);
  if (other?.pointer === pointer) return;
  if (other !== undefined) {
    throw new GoError(
      `duplicate id ${quote(base)} in ${quote(root.url)} at ${quote(pointer)} and ${quote(other.pointer)}`,
    );
  }
  const resource = { pointer, id: base, dialect, anchors: new Map(), dynamicAnchors: new Set<string>() };
  root.resources.set(pointer, resource);
  root.named.set(base, resource);
}

function collectAnchors(root: Root, schema: GoValue, resource: SchemaResource, pointer: string): void {
  if (!(schema instanceof Map)) return;
  for (const [anchor, isDynamic] of anchorsOf(root.url, schema, resource.dialect, pointer)) {
    const known = resource.anchors.get(anchor);
    if (known !== undefined && known !== pointer) {
      throw new GoError(
        `duplicate anchor ${quote(anchor)} in ${quote(root.url)} at ${quote(known)} and ${quote(pointer)}`,
      );
    }
    resource.anchors.set(anchor, pointer);
    if (isDynamic) resource.dynamicAnchors.add(anchor);
  }
}

function* anchorsOf(url: string, schema: GoMap, { draft }: Dialect, pointer: string): Generator<[string, boolean]> {
  if (draft.version < 2019) {
    const id = schema.has('$ref') ? undefined : schema.get(idKeyword(draft));
    if (typeof id !== 'string') return;
    const { fragment } = convertGoError(
      () => splitFragment(id),
      () => new GoError(`error in parsing anchor at ${quote(formatAddress(url, pointer))}`),
    );
    if (!isPointer(fragment)) yield [fragment, false];
    return;
  }
  const [anchor, dynamic] = [schema.get('$anchor'), schema.get('$dynamicAnchor')];
  if (typeof anchor === 'string') yield [anchor, false];
  if (draft.version >= 2020 && typeof dynamic === 'string') yield [dynamic, true];
}

function metaschema(url: string): GoValue | undefined {
  const path = /^https?:\/\/json-schema\.org\/(.*)$/s.exec(url)?.[1];
  if (path === undefined) return undefined;
  const documents: Readonly<Record<string, unknown>> = metaschemas;
  const name = path === 'schema' ? 'draft/2020-12/schema' : path;
  return Object.hasOwn(documents, name) ? parseJson(JSON.stringify(documents[name])) : undefined;
}

/** A URL without its fragment, and the decoded fragment: a JSON pointer, empty or with a slash before each step, or an anchor. */
export interface Address {
  readonly url: string;
  readonly fragment: string;
}

/** Splits off the fragment. Throws GoError if it is not properly escaped. */
export function splitFragment(text: string): Address {
  const [url, fragment] = split(text);
  return { url, fragment: orParsingError(text, () => pathUnescape(fragment)) };
}

/** Splits a text at its first `#`. */
export function split(text: string): [before: string, after: string] {
  const at = text.indexOf('#');
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

/** Resolves a reference against `base`. Throws GoError for an invalid one. */
export function joinAddress(base: string, reference: string): Address {
  const from = orParsingError(base, () => parseGoUrl(base));
  const { url, fragment } = splitFragment(reference);
  const to = orParsingError(url, () => parseGoUrl(url));
  const joined = resolveReference(from, to);
  const isWithin = to.scheme === '' && from.opaque !== '';
  return { url: textOf(isWithin ? { ...joined, opaque: from.opaque } : joined), fragment };
}

// Go keeps valid unescaped characters of a path as written.
function textOf(url: Url): string {
  return formatUrl({ ...url, fragment: '' }).replace(/%(5B|5D|21|27|28|29|2A)/g, (escaped) => pathUnescape(escaped));
}

function orParsingError<T>(text: string, parse: () => T): T {
  return convertGoError(parse, ({ message }) => new GoError(`error in parsing ${quote(text)}: ${message}`));
}

/** Reports whether a fragment is a JSON pointer, not an anchor. */
export function isPointer(fragment: string): boolean {
  return fragment === '' || fragment.startsWith('/');
}

export function appendPointer(pointer: string, ...steps: readonly (string | number)[]): string {
  return pointer + pointerOf(steps.map(String));
}

export function pointerOf(steps: readonly string[]): string {
  return steps.map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** Formats an address like the library. */
export function formatAddress(url: string, pointer: string): string {
  return `${url}#${pointer.split('/').map(pathEscape).join('/')}`;
}

/** Returns the value at a pointer. Throws GoError if there is none. */
export function lookUp(document: GoValue, url: string, pointer: string): GoValue {
  let node: GoValue | undefined = document;
  for (const token of pointer.split('/').slice(1)) {
    if (/~(?![01])/.test(token)) throw new GoError(`invalid json-pointer ${quote(formatAddress(url, pointer))}`);
    const step = token.replaceAll('~1', '/').replaceAll('~0', '~');
    if (node instanceof Map) node = node.get(step);
    else node = Array.isArray(node) && /^[+-]?\d+$/.test(step) ? node[Number(step)] : undefined;
    if (node === undefined) throw new GoError(`json-pointer in ${quote(formatAddress(url, pointer))} not found`);
  }
  return node;
}
