// Reads the schemas of charts as Helm does since 3.18.5 and 4.0: any draft of JSON Schema up to 2020-12, validated against its metaschema.
// Content keywords and custom vocabularies are not implemented because Helm does not enable them.
// Mirrors: github.com/santhosh-tekuri/jsonschema/v6, compiler.go, objcompiler.go, draft.go and roots.go, v6.0.2.

import { catchGoError, convertGoError } from '../../../core/catch.ts';
import { quote } from '../../../go/number.ts';
import { compileRegexp, type Regexp } from '../../../go/regexp/regexp.ts';
import { GoError, type GoMap, type GoValue } from '../../../go/value.ts';
import type { SchemaRules } from '../../../helm/helm.ts';
import { floatOf, isIntegral, isSchemaNumber, type SchemaNumber } from '../numbers.ts';
import type { SchemaSource } from '../refs.ts';
import {
  appendPointer,
  type CheckSchema,
  type Dialect,
  Documents,
  type DocumentsOptions,
  type DraftVersion,
  formatAddress,
  hasVocabulary,
  isPointer,
  joinAddress,
  lookUp,
  type Root,
  resourceOf,
  type SchemaPlace,
  type SchemaResource,
  splitFragment,
} from './documents.ts';
import { type Draft2020Schema, formatViolations, quoteName, violationsOf } from './validate.ts';

/** Where schemas come from, and options. */
interface Compilation extends DocumentsOptions {
  /** Whether `format` is asserted in every draft, as it is for metaschemas. */
  readonly assertFormat: boolean;
}

/** Compiles schemas, each place once. */
class Compiler {
  readonly documents: Documents;
  readonly #schemas = new Map<string, Draft2020Schema>();
  readonly #queue: (SchemaPlace & { readonly schema: Draft2020Schema })[] = [];
  readonly #assertFormat: boolean;

  constructor({ assertFormat, ...options }: Compilation) {
    this.documents = new Documents(options);
    this.#assertFormat = assertFormat;
  }

  /** Returns the schema of a whole document. Throws GoError with the library's message if it, or a referenced schema, is invalid. */
  compile(url: string): Draft2020Schema {
    this.documents.root(url);
    const schema = this.at({ url, pointer: '' });
    // Schemas found meanwhile are appended.
    for (const next of this.#queue) {
      this.documents.ensure(next);
      const root = this.documents.root(next.url);
      const { url, pointer, schema } = next;
      const reading = { compiler: this, root, pointer, resource: resourceOf(root, pointer), schema };
      new SchemaReader(reading).read(lookUp(root.document, url, pointer));
    }
    this.#queue.length = 0;
    return schema;
  }

  /** Returns the schema of a place; its keywords are read later. */
  at(place: SchemaPlace): Draft2020Schema {
    const location = formatAddress(place.url, place.pointer);
    const known = this.#schemas.get(location);
    if (known !== undefined) return known;
    const { draft } = resourceOf(this.documents.root(place.url), place.pointer).dialect;
    const schema = emptySchema(location, draft.version);
    this.#schemas.set(location, schema);
    this.#queue.push({ ...place, schema });
    return schema;
  }

  /** Reports whether `format` is asserted in a resource. */
  isAsserted({ dialect }: SchemaResource): boolean {
    const { version } = dialect.draft;
    if (this.#assertFormat || version < 2019) return true;
    return hasVocabulary(dialect, version === 2019 ? 'format' : 'format-assertion');
  }
}

// Its resource is set when its keywords are read.
function emptySchema(location: string, draft: DraftVersion): Draft2020Schema {
  return { location, draft, resource: undefined as unknown as Draft2020Schema, dynamicAnchors: new Map() };
}

interface Reading {
  readonly compiler: Compiler;
  readonly root: Root;
  readonly pointer: string;
  readonly resource: SchemaResource;
  readonly schema: Draft2020Schema;
}

class SchemaReader {
  readonly #reading: Reading;
  readonly #schema: Draft2020Schema;
  #object: GoMap = new Map();

  constructor(reading: Reading) {
    this.#reading = reading;
    this.#schema = reading.schema;
  }

  read(value: GoValue): void {
    const { schema, compiler, root, resource } = this.#reading;
    const { url } = root;
    schema.resource = compiler.at({ url, pointer: resource.pointer });
    if (schema.draft >= 2020 && schema.resource === schema) {
      for (const anchor of resource.dynamicAnchors) {
        schema.dynamicAnchors.set(anchor, compiler.at({ url, pointer: resource.anchors.get(anchor)! }));
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
    return hasVocabulary(this.#reading.resource.dialect, vocabulary);
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
    for (const keyword of counts) schema[keyword] = this.#count(keyword);
    const pattern = this.#text('pattern');
    if (pattern !== undefined) schema.pattern = { source: pattern, regexp: this.#regexp('pattern', pattern) };
    schema.uniqueItems = object.get('uniqueItems') === true;
    schema.required = this.#texts('required');
  }

  // `exclusiveMinimum: true` makes the minimum exclusive in every draft that allows it.
  #readBounds(): void {
    for (const [limit, exclusive] of bounds) {
      const isExclusive = this.#object.get(exclusive) === true;
      this.#schema[limit] = isExclusive ? undefined : this.#number(limit);
      this.#schema[exclusive] = this.#number(isExclusive ? limit : exclusive);
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
    const { compiler, root, resource } = this.#reading;
    return compiler.at(compiler.documents.resolve(root, joinAddress(resource.id, reference)));
  }

  #held(...steps: readonly (string | number)[]): Draft2020Schema {
    const { compiler, root, pointer } = this.#reading;
    return compiler.at({ url: root.url, pointer: appendPointer(pointer, ...steps) });
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
    const read = (name: string, value: GoValue): readonly string[] | Draft2020Schema =>
      Array.isArray(value) ? textsOf(value) : this.#held('dependencies', name);
    return new Map([...members].map(([name, value]) => [name, read(name, value)]));
  }

  #required(): Draft2020Schema['dependentRequired'] {
    const members = this.#object.get('dependentRequired');
    if (!(members instanceof Map)) return undefined;
    return new Map([...members].map(([name, value]) => [name, Array.isArray(value) ? textsOf(value) : []]));
  }

  #regexp(keyword: string, source: string): Regexp {
    const { root, pointer } = this.#reading;
    const place = (): string => quote(formatAddress(root.url, appendPointer(pointer, keyword)));
    return convertGoError(
      () => compileRegexp(source, 'loose'),
      ({ message }) => new GoError(`invalid regex ${quote(source)} at ${place()}: ${message}`),
    );
  }

  #text(keyword: string): string | undefined {
    const value = this.#object.get(keyword);
    return typeof value === 'string' ? value : undefined;
  }

  #texts(keyword: string): readonly string[] | undefined {
    const value = this.#object.get(keyword);
    return Array.isArray(value) ? textsOf(value) : undefined;
  }

  #number(keyword: string): SchemaNumber | undefined {
    const value = this.#object.get(keyword);
    return isSchemaNumber(value) ? value : undefined;
  }

  #count(keyword: string): number | undefined {
    const value = this.#number(keyword);
    return value !== undefined && isIntegral(value) ? floatOf(value) : undefined;
  }
}

const bounds = [
  ['minimum', 'exclusiveMinimum'],
  ['maximum', 'exclusiveMaximum'],
] as const;
const counts = ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'] as const;
const typeOrder = ['null', 'boolean', 'number', 'integer', 'string', 'array', 'object'];

function typesOf(value: GoValue): readonly string[] {
  const given = typeof value === 'string' ? [value] : Array.isArray(value) ? textsOf(value) : [];
  return typeOrder.filter((name) => given.includes(name));
}

function textsOf(items: readonly GoValue[]): readonly string[] {
  return items.filter((item) => typeof item === 'string');
}

const address = 'file:///values.schema.json';

/** A schema of values, or why it is invalid. */
export interface ReadSchema {
  readonly schema: Draft2020Schema | GoError;
  /** Unresolved URNs: Helm warns about each and accepts any value for them. */
  readonly unresolved: readonly string[];
}

/** Reads a schema document; errors have the library's message. */
export function readDraft2020Schema(
  document: GoValue,
  { isLater, resolvesUrns }: SchemaRules,
  load: SchemaSource,
): ReadSchema {
  const check: CheckSchema = (...place) => checkSchema(isLater, ...place);
  const documents = [[address, document]] as const;
  const compiler = new Compiler({ documents, check, assertFormat: false, resolvesUrns, load });
  const schema = catchGoError(
    () => compiler.compile(address),
    (error) => error,
  );
  return { schema, unresolved: compiler.documents.unresolved };
}

function checkSchema(isLater: boolean, root: Root, schema: GoValue, pointer: string): void {
  const metaschema = metaschemaOf(resourceOf(root, pointer).dialect);
  const metaschemaAt = (at: string): Draft2020Schema | undefined => {
    const resource = root.resources.get(at);
    return resource === undefined ? undefined : metaschemaOf(resource.dialect);
  };
  const faults = violationsOf(metaschema, schema, { isLater, meta: { metaschema, metaschemaAt } });
  if (faults.length === 0) return;
  const place = quote(formatAddress(root.url, pointer));
  const failed = `jsonschema validation failed with ${quoteName(metaschema.location)}`;
  throw new GoError(
    `${place} is not valid against metaschema: ${failed}\n${formatViolations(faults).replace(/\n$/, '')}`,
  );
}

const metaschemas = new Compiler({ documents: [], check: () => undefined, assertFormat: true });

// A schema with vocabularies other than its draft's is validated against theirs.
function metaschemaOf({ draft, vocabularies }: Dialect): Draft2020Schema {
  if (vocabularies === undefined) return metaschemas.compile(draft.url);
  const base = draft.url.replace(/schema$/, 'meta/');
  const schema = emptySchema('urn:mem:metaschema', draft.version);
  schema.allOf = vocabularies.map((name) => metaschemas.compile(base + name));
  schema.resource = schema;
  if (draft.version >= 2020) {
    schema.dynamicAnchor = 'meta';
    schema.dynamicAnchors.set('meta', schema);
  }
  return schema;
}
