// Compiles a JSON Schema of any draft up to 2020-12 like Helm 4. Content keywords and custom vocabularies are not implemented because Helm
// does not enable them.
// Mirrors: github.com/santhosh-tekuri/jsonschema/v6, compiler.go and objcompiler.go, v6.0.2.

import { quote } from '../../../go/number.ts';
import { compileRegexp, type Regexp } from '../../../go/regexp/regexp.ts';
import { GoError, type GoMap, type GoValue } from '../../../go/value.ts';
import { appendPointer, formatAddress, isPointer, joinAddress, lookUp, splitFragment } from './address.ts';
import {
  Documents,
  type DocumentsOptions,
  type Root,
  resourceOf,
  type SchemaPlace,
  type SchemaResource,
} from './documents.ts';
import { hasVocabulary } from './drafts.ts';
import type { Draft2020Number, Draft2020Schema } from './model.ts';
import { isDraft2020Number, toSafeInteger } from './numbers.ts';

/** Where schemas come from, and options. */
export interface Compilation extends DocumentsOptions {
  /** Whether `format` is asserted in every draft, as it is for metaschemas. */
  readonly assertFormat: boolean;
}

/** Compiles schemas, each place once. */
export class Compiler {
  readonly #documents: Documents;
  readonly #schemas = new Map<string, Draft2020Schema>();
  readonly #queue: (SchemaPlace & { readonly schema: Draft2020Schema })[] = [];
  readonly #assertFormat: boolean;

  constructor({ assertFormat, ...options }: Compilation) {
    this.#documents = new Documents(options);
    this.#assertFormat = assertFormat;
  }

  /** Returns the schema of a whole document. Throws GoError with the library's message if it, or a referenced schema, is invalid. */
  compile(url: string): Draft2020Schema {
    this.#documents.root(url);
    const schema = this.at({ url, pointer: '' });
    // Schemas found meanwhile are appended.
    for (const next of this.#queue) {
      this.#documents.ensure(next);
      const root = this.#documents.root(next.url);
      new SchemaReader({ compiler: this, root, pointer: next.pointer, schema: next.schema }).read(
        lookUp(root.document, next.url, next.pointer),
      );
    }
    this.#queue.length = 0;
    return schema;
  }

  /** Unresolved URNs. */
  get unresolved(): readonly string[] {
    return this.#documents.unresolved;
  }

  /** Returns the schema of a place; its keywords are read later. */
  at(place: SchemaPlace): Draft2020Schema {
    const location = formatAddress(place.url, place.pointer);
    const known = this.#schemas.get(location);
    if (known !== undefined) return known;
    const { draft } = resourceOf(this.#documents.root(place.url), place.pointer).dialect;
    const schema: Draft2020Schema = {
      location,
      draft: draft.version,
      resource: undefined as unknown as Draft2020Schema,
      dynamicAnchors: new Map(),
    };
    this.#schemas.set(location, schema);
    this.#queue.push({ ...place, schema });
    return schema;
  }

  /** Returns the place that a reference names, relative to a resource of a document. */
  resolve(root: Root, resource: SchemaResource, reference: string): SchemaPlace {
    return this.#documents.resolve(root, joinAddress(resource.id, reference));
  }

  isAsserted(resource: SchemaResource): boolean {
    const { version } = resource.dialect.draft;
    if (this.#assertFormat || version < 2019) return true;
    return hasVocabulary(resource.dialect, version === 2019 ? 'format' : 'format-assertion');
  }
}

interface Reading {
  readonly compiler: Compiler;
  readonly root: Root;
  readonly pointer: string;
  readonly schema: Draft2020Schema;
}

/** The keywords of a schema. */
class SchemaReader {
  readonly #compiler: Compiler;
  readonly #root: Root;
  readonly #pointer: string;
  readonly #schema: Draft2020Schema;
  readonly #resource: SchemaResource;
  #object: GoMap = new Map();

  constructor({ compiler, root, pointer, schema }: Reading) {
    this.#compiler = compiler;
    this.#root = root;
    this.#pointer = pointer;
    this.#schema = schema;
    this.#resource = resourceOf(root, pointer);
  }

  read(value: GoValue): void {
    const schema = this.#schema;
    const resource = this.#resource;
    const compiler = this.#compiler;
    schema.resource = compiler.at({ url: this.#root.url, pointer: resource.pointer });
    if (schema.draft >= 2020 && schema.resource === schema) {
      for (const anchor of resource.dynamicAnchors) {
        const pointer = resource.anchors.get(anchor)!;
        schema.dynamicAnchors.set(anchor, compiler.at({ url: this.#root.url, pointer }));
      }
    }
    if (typeof value === 'boolean') schema.pass = value;
    if (!(value instanceof Map)) return;
    if (value.size === 0) {
      schema.pass = true;
      return;
    }
    this.#object = value;
    schema.reference = this.#referenceOf('$ref');
    // In old drafts, other keywords beside a reference have no effect.
    if (schema.draft < 2019 && schema.reference !== undefined) return;
    if (this.#has('applicator')) this.#readApplicators();
    if (this.#has('validation')) this.#readLimits();
    if (compiler.isAsserted(resource)) schema.format = this.#text('format');
    if (schema.draft >= 2019) this.#readLater();
  }

  #has(vocabulary: string): boolean {
    return hasVocabulary(this.#resource.dialect, vocabulary);
  }

  #readApplicators(): void {
    const schema = this.#schema;
    schema.allOf = this.#list('allOf');
    schema.anyOf = this.#list('anyOf');
    schema.oneOf = this.#list('oneOf');
    schema.not = this.#child('not');
    schema.properties = this.#members('properties');
    schema.patternProperties = this.#patterns();
    schema.additionalProperties = this.#additional('additionalProperties');
    schema.dependencies = this.#dependencies();
    this.#readItems();
    if (schema.draft >= 6) {
      schema.contains = this.#child('contains');
      schema.propertyNames = this.#child('propertyNames');
    }
    if (schema.draft >= 7) {
      schema.if = this.#child('if');
      const condition = this.#object.get('if');
      if (schema.if !== undefined && condition !== false) schema.consequence = this.#child('then');
      if (schema.if !== undefined && condition !== true) schema.alternative = this.#child('else');
    }
  }

  #readItems(): void {
    const schema = this.#schema;
    if (schema.draft >= 2020) {
      schema.firstItems = this.#list('prefixItems');
      schema.items = this.#child('items');
    } else if (Array.isArray(this.#object.get('items'))) {
      schema.firstItems = this.#list('items');
      schema.items = this.#additional('additionalItems');
      schema.isAdditional = true;
    } else schema.items = this.#child('items');
  }

  #readLimits(): void {
    const schema = this.#schema;
    const object = this.#object;
    const type = object.get('type');
    if (type !== undefined) schema.types = typesOf(type);
    const allowed = object.get('enum');
    if (Array.isArray(allowed)) schema.allowed = allowed;
    if (schema.draft >= 6 && object.has('const')) schema.constant = object.get('const') as GoValue;
    schema.multipleOf = this.#number('multipleOf');
    this.#readBounds();
    for (const keyword of [
      'minLength',
      'maxLength',
      'minItems',
      'maxItems',
      'minProperties',
      'maxProperties',
    ] as const) {
      schema[keyword] = this.#count(keyword);
    }
    const pattern = this.#text('pattern');
    if (pattern !== undefined) schema.pattern = { source: pattern, regexp: this.#regexp('pattern', pattern) };
    schema.uniqueItems = object.get('uniqueItems') === true;
    schema.required = this.#texts('required');
  }

  // `exclusiveMinimum: true` makes the minimum exclusive in every draft that allows it.
  #readBounds(): void {
    const schema = this.#schema;
    const object = this.#object;
    if (object.get('exclusiveMaximum') === true) schema.exclusiveMaximum = this.#number('maximum');
    else {
      schema.maximum = this.#number('maximum');
      schema.exclusiveMaximum = this.#number('exclusiveMaximum');
    }
    if (object.get('exclusiveMinimum') === true) schema.exclusiveMinimum = this.#number('minimum');
    else {
      schema.minimum = this.#number('minimum');
      schema.exclusiveMinimum = this.#number('exclusiveMinimum');
    }
  }

  #readLater(): void {
    const schema = this.#schema;
    const object = this.#object;
    schema.recursiveReference = this.#referenceOf('$recursiveRef');
    schema.isRecursiveAnchor = object.get('$recursiveAnchor') === true;
    if (this.#has('validation')) {
      schema.minContains = this.#count('minContains');
      schema.maxContains = this.#count('maxContains');
      schema.dependentRequired = this.#required();
    }
    if (this.#has('applicator')) schema.dependentSchemas = this.#members('dependentSchemas');
    if (this.#has(schema.draft === 2019 ? 'applicator' : 'unevaluated')) {
      schema.unevaluatedItems = this.#child('unevaluatedItems');
      schema.unevaluatedProperties = this.#child('unevaluatedProperties');
    }
    if (schema.draft < 2020) return;
    const reference = this.#referenceOf('$dynamicRef');
    if (reference !== undefined) {
      const { fragment } = splitFragment(this.#text('$dynamicRef')!);
      schema.dynamicReference = { schema: reference, anchor: isPointer(fragment) ? '' : fragment };
    }
    const anchor = this.#text('$dynamicAnchor');
    if (anchor !== undefined) schema.dynamicAnchor = anchor;
  }

  #referenceOf(keyword: string): Draft2020Schema | undefined {
    const reference = this.#text(keyword);
    if (reference === undefined) return undefined;
    return this.#compiler.at(this.#compiler.resolve(this.#root, this.#resource, reference));
  }

  #held(...steps: readonly (string | number)[]): Draft2020Schema {
    return this.#compiler.at({ url: this.#root.url, pointer: appendPointer(this.#pointer, ...steps) });
  }

  #child(keyword: string): Draft2020Schema | undefined {
    return this.#object.has(keyword) ? this.#held(keyword) : undefined;
  }

  #additional(keyword: string): boolean | Draft2020Schema | undefined {
    const value = this.#object.get(keyword);
    return typeof value === 'boolean' ? value : this.#child(keyword);
  }

  #list(keyword: string): readonly Draft2020Schema[] | undefined {
    const items = this.#object.get(keyword);
    return Array.isArray(items) ? items.map((_, i) => this.#held(keyword, i)) : undefined;
  }

  #members(keyword: string): ReadonlyMap<string, Draft2020Schema> | undefined {
    const members = this.#object.get(keyword);
    if (!(members instanceof Map)) return undefined;
    return new Map([...members.keys()].map((name) => [name, this.#held(keyword, name)]));
  }

  #patterns(): Draft2020Schema['patternProperties'] {
    const members = this.#members('patternProperties');
    if (members === undefined) return undefined;
    return Array.from(members, ([source, schema]) => ({ regexp: this.#regexp('patternProperties', source), schema }));
  }

  #dependencies(): Draft2020Schema['dependencies'] {
    const members = this.#object.get('dependencies');
    if (!(members instanceof Map)) return undefined;
    return new Map(
      [...members].map(([name, value]) => [
        name,
        Array.isArray(value) ? textsOf(value) : this.#held('dependencies', name),
      ]),
    );
  }

  #required(): Draft2020Schema['dependentRequired'] {
    const members = this.#object.get('dependentRequired');
    if (!(members instanceof Map)) return undefined;
    return new Map([...members].map(([name, value]) => [name, Array.isArray(value) ? textsOf(value) : []]));
  }

  #regexp(keyword: string, source: string): Regexp {
    try {
      return compileRegexp(source, 'loose');
    } catch (error) {
      if (!(error instanceof GoError)) throw error;
      const place = formatAddress(this.#root.url, appendPointer(this.#pointer, keyword));
      throw new GoError(`invalid regex ${quote(source)} at ${quote(place)}: ${error.message}`);
    }
  }

  #text(keyword: string): string | undefined {
    const value = this.#object.get(keyword);
    return typeof value === 'string' ? value : undefined;
  }

  #texts(keyword: string): readonly string[] | undefined {
    const value = this.#object.get(keyword);
    return Array.isArray(value) ? textsOf(value) : undefined;
  }

  #number(keyword: string): Draft2020Number | undefined {
    const value = this.#object.get(keyword);
    return isDraft2020Number(value) ? value : undefined;
  }

  #count(keyword: string): number | undefined {
    const value = this.#number(keyword);
    return value === undefined ? undefined : toSafeInteger(value);
  }
}

const typeOrder = ['null', 'boolean', 'number', 'integer', 'string', 'array', 'object'];

function typesOf(value: GoValue): readonly string[] {
  const given = typeof value === 'string' ? [value] : Array.isArray(value) ? textsOf(value) : [];
  return typeOrder.filter((name) => given.includes(name));
}

function textsOf(items: readonly GoValue[]): readonly string[] {
  return items.filter((item) => typeof item === 'string');
}
