// Schema documents: their ids and anchors, and resolution of addresses.
// Mirrors: github.com/santhosh-tekuri/jsonschema/v6, root.go, roots.go and loader.go, v6.0.2, and the loaders that Helm configures.

import { prefixOfJson } from '../../../codec/json.ts';
import { quote } from '../../../go/number.ts';
import { parseGoUrl } from '../../../go/url.ts';
import { GoError, type GoMap, type GoValue, sortedKeys } from '../../../go/value.ts';
import type { SchemaSource } from '../refs.ts';
import { type Address, formatAddress, isPointer, joinAddress, lookUp, split, splitFragment } from './address.ts';
import { type Dialect, type DraftRules, draft2020, findDraft, idOf, subschemasOf } from './drafts.ts';
import metaschemas from './metaschemas.json' with { type: 'json' };

/** A schema with its own address, and everything in it without one. */
export interface SchemaResource {
  readonly pointer: string;
  /** Its address. */
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

/** Documents by their URL. */
export class Documents {
  readonly #roots = new Map<string, Root>();
  readonly #loaded: Map<string, GoValue>;
  readonly #check: CheckSchema;
  readonly #resolvesUrns: boolean;
  readonly #source: SchemaSource;
  /** Unresolved URNs: Helm warns about each and accepts any value for them. */
  readonly unresolved: string[] = [];

  constructor({ documents, check, resolvesUrns = false, load = () => undefined }: DocumentsOptions) {
    this.#loaded = new Map(documents);
    this.#check = check;
    this.#resolvesUrns = resolvesUrns;
    this.#source = load;
  }

  /** Returns a document. Throws GoError if it is not available. */
  root(url: string): Root {
    const known = this.#roots.get(url);
    if (known !== undefined) return known;
    const root: Root = { url, document: this.#load(url), resources: new Map(), named: new Map(), searched: new Set() };
    this.#search(root, '', { base: url, dialect: { draft: draft2020, vocabularies: undefined } });
    if (!/^https?:\/\/json-schema\.org\//.test(url)) this.#check(root, root.document, '');
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
    this.#check(root, schema, pointer);
  }

  #load(url: string): GoValue {
    const loaded = this.#loaded.has(url) ? this.#loaded.get(url) : metaschema(url);
    if (loaded !== undefined) return loaded;
    const { scheme, path } = parseGoUrl(url);
    const text = /^https?$/.test(scheme) ? this.#source(url) : undefined;
    if (text !== undefined) {
      const document = prefixOfJson(text, { keepNumbers: true }).value;
      this.#loaded.set(url, document);
      return document;
    }
    if (scheme === 'urn' && this.#resolvesUrns) {
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
    const base = id === '' ? outer.base : joinId(root, pointer, { base: outer.base, id });
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
      checkAddress(url, at);
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
    const names = wanted.map((vocabulary) => {
      const known = draft.allVocabularies.find((one) => draft.vocabularies + one === vocabulary);
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

function joinId(root: Root, pointer: string, { base, id }: { readonly base: string; readonly id: string }): string {
  try {
    return joinAddress(base, id).url;
  } catch (error) {
    if (!(error instanceof GoError)) throw error;
    throw new GoError(`error in parsing id at ${quote(formatAddress(root.url, pointer))}`);
  }
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
  for (const [anchor, isDynamic] of anchorsOf(root, schema, { resource, pointer })) {
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

interface Within {
  readonly resource: SchemaResource;
  readonly pointer: string;
}

function* anchorsOf(root: Root, schema: GoMap, { resource, pointer }: Within): Generator<[string, boolean]> {
  const { draft } = resource.dialect;
  if (draft.version < 2019) {
    const id = schema.has('$ref') ? undefined : schema.get(draft.id);
    if (typeof id !== 'string') return;
    const anchor = fragmentOf(id, formatAddress(root.url, pointer));
    if (!isPointer(anchor)) yield [anchor, false];
    return;
  }
  const [anchor, dynamic] = [schema.get('$anchor'), schema.get('$dynamicAnchor')];
  if (typeof anchor === 'string') yield [anchor, false];
  if (draft.version >= 2020 && typeof dynamic === 'string') yield [dynamic, true];
}

function fragmentOf(id: string, place: string): string {
  try {
    return splitFragment(id).fragment;
  } catch (error) {
    if (!(error instanceof GoError)) throw error;
    throw new GoError(`error in parsing anchor at ${quote(place)}`);
  }
}

function checkAddress(url: string, { url: at, pointer }: SchemaPlace): void {
  try {
    parseGoUrl(url);
  } catch (error) {
    if (!(error instanceof GoError)) throw error;
    throw new GoError(`invalid $schema in ${quote(formatAddress(at, pointer))}: ${error.message}`);
  }
}

function metaschema(url: string): GoValue | undefined {
  const path = /^https?:\/\/json-schema\.org\/(.*)$/s.exec(url)?.[1];
  if (path === undefined) return undefined;
  const documents: Readonly<Record<string, unknown>> = metaschemas;
  const name = path === 'schema' ? 'draft/2020-12/schema' : path;
  return Object.hasOwn(documents, name) ? goValueOf(documents[name]) : undefined;
}

function goValueOf(value: unknown): GoValue {
  if (Array.isArray(value)) return value.map(goValueOf);
  if (typeof value !== 'object' || value === null) return value as GoValue;
  return new Map(Object.entries(value).map(([key, held]) => [key, goValueOf(held)]));
}
