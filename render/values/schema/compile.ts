// Compiles a JSON Schema and reports errors with gojsonschema's messages in its order.
// Mirrors: github.com/xeipuuv/gojsonschema, schema.go, subSchema.go, draft.go and schemaType.go, v1.2.0.

import { emitJson } from '../../codec/json.ts';
import { convertGoError } from '../../core/catch.ts';
import { withFloats } from '../../go/copy-tree.ts';
import { compileRegexp, type Regexp } from '../../go/regexp/regexp.ts';
import { parseGoUrl } from '../../go/url.ts';
import { GoError, type GoMap, type GoValue } from '../../go/value.ts';
import { compareDecimals, isSchemaNumber, type SchemaLimits } from './numbers.ts';
import { resolveReferences, type SchemaSource } from './refs.ts';

/** The drafts that the validator distinguishes. `hybrid` reads all keywords and is used without a known `$schema`. */
type Draft = 4 | 6 | 7 | 'hybrid';

export interface SchemaModel extends SchemaLimits {
  /** Set for the schemas `true` and `false`, which have no keywords. */
  readonly pass?: boolean;
  readonly draft: Draft;
  /** The target of a `$ref`; other keywords have no effect. */
  reference?: SchemaModel;
  readonly types: string[];
  readonly properties: Map<string, SchemaModel>;
  readonly patternProperties: { readonly pattern: Regexp; readonly schema: SchemaModel }[];
  additionalProperties?: boolean | SchemaModel;
  propertyNames?: SchemaModel;
  readonly dependencies: Map<string, readonly string[] | SchemaModel>;
  /** The schema of all items, or none. */
  items?: SchemaModel;
  /** The schemas of the first items. */
  tuple: readonly SchemaModel[];
  additionalItems?: boolean | SchemaModel;
  required: readonly string[];
  contains?: SchemaModel;
  /** JSON text of the only allowed value. */
  constant?: string;
  /** JSON texts of the allowed values. */
  allowed: readonly string[];
  oneOf: readonly SchemaModel[];
  anyOf: readonly SchemaModel[];
  allOf: readonly SchemaModel[];
  not?: SchemaModel;
  if?: SchemaModel;
  then?: SchemaModel;
  else?: SchemaModel;
}

/** Returns the canonical JSON text of a value for `const`, `enum` and `uniqueItems`: all numbers are float64. */
export function canonicalJson(value: GoValue): string {
  return emitJson(withFloats(value));
}

/** Compiles a schema document and makes its references absolute in place. Throws GoError with gojsonschema's message. */
export function compileValuesSchema(document: GoValue, load: SchemaSource = () => undefined): SchemaModel {
  const compiler: Compiler = { resolve: resolveReferences(document, load), references: new Map() };
  return compile(document, draftOf(document) ?? 'hybrid', compiler);
}

interface Compiler {
  readonly resolve: (reference: string) => GoValue;
  /** Schemas by absolute reference, added before they are complete so that they can refer to themselves. */
  readonly references: Map<string, SchemaModel>;
}

// Mirrors: `parseSchemaURL`.
function draftOf(document: GoValue): Draft | undefined {
  if (typeof document === 'boolean') return undefined;
  if (!(document instanceof Map)) throw new GoError('schema is invalid');
  const name = document.get('$schema');
  if (name === undefined) return undefined;
  if (typeof name !== 'string') throw new GoError('$schema must be of type string');
  parseGoUrl(name);
  const match = /^http:\/\/json-schema\.org\/draft-0([467])\/schema#?$/.exec(name);
  return match === null ? undefined : (Number(match[1]) as Draft);
}

function emptySchema(draft: Draft): SchemaModel {
  return {
    draft,
    types: [],
    properties: new Map(),
    patternProperties: [],
    dependencies: new Map(),
    tuple: [],
    required: [],
    allowed: [],
    oneOf: [],
    anyOf: [],
    allOf: [],
  };
}

function compile(node: GoValue, draft: Draft, compiler: Compiler): SchemaModel {
  if (typeof node === 'boolean' && draft !== 4) return { ...emptySchema(draft), pass: node };
  return fill(emptySchema(draft), node, compiler);
}

function fill(schema: SchemaModel, node: GoValue, compiler: Compiler): SchemaModel {
  if (!(node instanceof Map)) throw new GoError('Expected: valid schema, given: Invalid JSON');
  checkTexts(node, schema.draft, compiler);
  const reference = node.get('$ref');
  if (reference !== undefined && typeof reference !== 'string') throw invalidType('string', '$ref');
  if (reference !== undefined) {
    parseGoUrl(reference);
    const known = compiler.references.get(reference);
    schema.reference = known ?? follow(reference, schema.draft, compiler);
    // Keywords beside a reference have no effect, but Go reads them if it has seen the reference before.
    if (known === undefined) return schema;
  }
  for (const [keyword, read, since = 4] of keywords) {
    const value = node.get(keyword);
    if (value === undefined || (schema.draft !== 'hybrid' && schema.draft < since)) continue;
    read(value, schema, (inner) => compile(inner, schema.draft, compiler));
  }
  return schema;
}

function follow(reference: string, draft: Draft, compiler: Compiler): SchemaModel {
  const target: SchemaModel = emptySchema(draft);
  compiler.references.set(reference, target);
  const document = compiler.resolve(reference);
  if (typeof document === 'boolean' && draft !== 4) return Object.assign(target, { pass: document });
  if (!(document instanceof Map)) throw new GoError('valid schema must be of type object');
  return fill(target, document, compiler);
}

function checkTexts(node: GoMap, draft: Draft, compiler: Compiler): void {
  const id = draft === 4 || (draft === 'hybrid' && node.has('id')) ? 'id' : '$id';
  checkText(node, id);
  const name = node.get(id);
  if (typeof name === 'string') parseGoUrl(name);
  const definitions = node.get('definitions');
  if (definitions !== undefined) {
    if (typeof definitions === 'boolean') throw panicked('bool', 'map[string]interface {}');
    const children = definitions instanceof Map ? [...definitions.values()] : undefined;
    if (children === undefined || !children.every(isSchemaLike)) throw invalidType('array of schemas', 'definitions');
    for (const child of children) compile(child, draft, compiler);
  }
  checkText(node, 'title');
  checkText(node, 'description');
}

function checkText(node: GoMap, keyword: string): void {
  const value = node.get(keyword);
  if (value !== undefined && typeof value !== 'string') throw invalidType('string', keyword);
}

type Compile = (node: GoValue) => SchemaModel;

type ReadKeyword = (value: GoValue, schema: SchemaModel, compile: Compile) => void;

// In gojsonschema's order, which determines the reported error; with the first draft that has the keyword, if it is not 4.
const keywords: readonly (readonly [string, ReadKeyword, since?: number])[] = [
  ['type', readTypes],
  ['properties', readProperties],
  ['additionalProperties', readAdditional('additionalProperties')],
  ['patternProperties', readPatternProperties],
  // gojsonschema names the wrong keyword here.
  ['propertyNames', readSchema('propertyNames', invalidType('valid schema', 'patternProperties').message), 6],
  ['dependencies', readDependencies],
  ['items', readItems],
  ['additionalItems', readAdditional('additionalItems')],
  ['multipleOf', readMultipleOf],
  ['minimum', readLimit('minimum')],
  ['exclusiveMinimum', readExclusiveLimit('minimum', 'exclusiveMinimum')],
  ['maximum', readLimit('maximum')],
  ['exclusiveMaximum', readExclusiveLimit('maximum', 'exclusiveMaximum')],
  ['minLength', readCount('minLength')],
  ['maxLength', readCount('maxLength', 'minLength')],
  ['pattern', readPattern],
  ['format', readFormat],
  ['minProperties', readCount('minProperties')],
  ['maxProperties', readCount('maxProperties', 'minProperties')],
  ['required', readRequired],
  ['minItems', readCount('minItems')],
  ['maxItems', readCount('maxItems')],
  ['uniqueItems', readUniqueItems],
  ['contains', (value, schema, compile) => Object.assign(schema, { contains: compile(value) }), 6],
  ['const', (value, schema) => Object.assign(schema, { constant: canonicalJson(value) }), 6],
  ['enum', readEnum],
  ['oneOf', readSchemas('oneOf')],
  ['anyOf', readSchemas('anyOf')],
  ['allOf', readSchemas('allOf', 'anyOf')],
  ['not', readSchema('not', 'not must be of an object')],
  ['if', readSchema('if', 'if must be of an object'), 7],
  ['then', readSchema('then', 'then must be of an object'), 7],
  ['else', readSchema('else', 'else must be of an object'), 7],
];

function invalidType(expected: string, given: string): GoError {
  return new GoError(`Invalid type. Expected: ${expected}, given: ${given}`);
}

// gojsonschema assumes the type and panics; Helm reports the panic.
function panicked(type: string, wanted: string): GoError {
  return new GoError(`unable to validate schema: interface conversion: interface {} is ${type}, not ${wanted}`);
}

function isSchemaLike(value: GoValue): boolean {
  return value instanceof Map || typeof value === 'boolean';
}

const typeNames = ['array', 'boolean', 'integer', 'number', 'null', 'object', 'string'];

function readTypes(value: GoValue, schema: SchemaModel): void {
  if (typeof value !== 'string' && !Array.isArray(value)) throw invalidType('string/array of strings', 'type');
  for (const name of typeof value === 'string' ? [value] : value) {
    if (isSchemaNumber(name)) throw panicked('json.Number', 'string');
    if (typeof name !== 'string') throw invalidType('string/array of strings', 'type');
    if (!typeNames.includes(name)) {
      const valid = 'array boolean integer number null object string';
      throw new GoError(
        `has a primitive type that is NOT VALID -- given: /${name}/ Expected valid values are:[${valid}]`,
      );
    }
    if (schema.types.includes(name)) throw new GoError(`${name} type is duplicated`);
    schema.types.push(name);
  }
}

function readProperties(value: GoValue, schema: SchemaModel, compile: Compile): void {
  if (!(value instanceof Map)) throw new GoError('properties must be of type object');
  for (const [name, inner] of value) schema.properties.set(name, compile(inner));
}

function readAdditional(keyword: 'additionalProperties' | 'additionalItems'): ReadKeyword {
  return (value, schema, compile) => {
    if (!isSchemaLike(value)) throw invalidType('boolean/valid schema', keyword);
    schema[keyword] = typeof value === 'boolean' ? value : compile(value);
  };
}

function readPatternProperties(value: GoValue, schema: SchemaModel, compile: Compile): void {
  if (!(value instanceof Map)) throw invalidType('valid schema', 'patternProperties');
  for (const [source, inner] of value) {
    const pattern = regexpOr(source, `Invalid regex pattern '${source}'`);
    schema.patternProperties.push({ pattern, schema: compile(inner) });
  }
}

function readDependencies(value: GoValue, schema: SchemaModel, compile: Compile): void {
  if (!(value instanceof Map)) throw new GoError('dependencies must be of type object');
  for (const [name, dependency] of value) {
    if (isSchemaLike(dependency)) schema.dependencies.set(name, compile(dependency));
    else if (Array.isArray(dependency) && dependency.every((item) => typeof item === 'string')) {
      schema.dependencies.set(name, dependency);
    } else throw new GoError('dependency must be of type schema or array of strings');
  }
}

function readItems(value: GoValue, schema: SchemaModel, compile: Compile): void {
  const refuse = (): GoError => invalidType('valid schema/array of schemas', 'items');
  if (Array.isArray(value)) {
    schema.tuple = value.map((item) => {
      if (!isSchemaLike(item)) throw refuse();
      return compile(item);
    });
  } else if (isSchemaLike(value)) schema.items = compile(value);
  else throw refuse();
}

function readMultipleOf(value: GoValue, schema: SchemaModel): void {
  if (!isSchemaNumber(value)) throw invalidType('number', 'multipleOf');
  if (compareDecimals(value, 0) <= 0) throw new GoError('multipleOf must be strictly greater than 0');
  schema.multipleOf = value;
}

function readLimit(keyword: 'minimum' | 'maximum'): ReadKeyword {
  return (value, schema) => {
    if (!isSchemaNumber(value)) throw new GoError(`${keyword} must be of a number`);
    schema[keyword] = value;
  };
}

// Draft 4 has a boolean that makes the limit exclusive, later drafts have a separate limit; hybrid accepts both.
function readExclusiveLimit(
  limit: 'minimum' | 'maximum',
  exclusive: 'exclusiveMinimum' | 'exclusiveMaximum',
): ReadKeyword {
  return (value, schema) => {
    const { draft } = schema;
    if (typeof value === 'boolean' && (draft === 4 || draft === 'hybrid')) {
      const inclusive = schema[limit];
      if (inclusive === undefined) throw new GoError(`${exclusive} cannot be used without ${limit}`);
      if (!value) return;
      schema[exclusive] = inclusive;
      delete schema[limit];
    } else if (isSchemaNumber(value) && draft !== 4) schema[exclusive] = value;
    else throw invalidType(draft === 4 ? 'boolean' : draft === 'hybrid' ? 'boolean/number' : 'number', exclusive);
  };
}

type Count = 'minLength' | 'maxLength' | 'minProperties' | 'maxProperties' | 'minItems' | 'maxItems';

function readCount(keyword: Count, least?: Count): ReadKeyword {
  return (value, schema) => {
    if (typeof value !== 'number' || !Number.isInteger(value)) throw new GoError(`${keyword} must be of an integer`);
    if (value < 0) throw new GoError(`${keyword} must be greater than or equal to 0`);
    schema[keyword] = value;
    const minimum = least === undefined ? undefined : schema[least];
    if (minimum !== undefined && minimum > value) {
      throw new GoError(`${least} cannot be greater than ${keyword}`);
    }
  };
}

function readPattern(value: GoValue, schema: SchemaModel): void {
  if (typeof value !== 'string') throw new GoError('pattern must be of a string');
  schema.pattern = { source: value, regexp: regexpOr(value, 'pattern must be a valid regex') };
}

function regexpOr(source: string, refusal: string): Regexp {
  return convertGoError(
    () => compileRegexp(source),
    () => new GoError(refusal),
  );
}

function readFormat(value: GoValue, schema: SchemaModel): void {
  if (typeof value !== 'string') throw new GoError('format must be of type string');
  if (value !== '') schema.format = value;
}

function readRequired(value: GoValue, schema: SchemaModel): void {
  if (!Array.isArray(value)) throw new GoError('required must be of an array');
  const names: string[] = [];
  for (const name of value) {
    if (typeof name !== 'string') throw new GoError('required items must be string');
    if (names.includes(name)) throw new GoError('required items must be unique');
    names.push(name);
  }
  schema.required = names;
}

function readUniqueItems(value: GoValue, schema: SchemaModel): void {
  if (typeof value !== 'boolean') throw new GoError('uniqueItems must be of a boolean');
  schema.uniqueItems = value;
}

function readEnum(value: GoValue, schema: SchemaModel): void {
  if (!Array.isArray(value)) throw new GoError('enum must be of an array');
  const texts = value.map(canonicalJson);
  if (new Set(texts).size < texts.length) throw new GoError('enum items must be unique');
  schema.allowed = texts;
}

// gojsonschema names `anyOf` if `allOf` is not an array.
function readSchemas(keyword: 'oneOf' | 'anyOf' | 'allOf', named: string = keyword): ReadKeyword {
  return (value, schema, compile) => {
    if (!Array.isArray(value)) throw new GoError(`${named} must be of an array`);
    schema[keyword] = value.map((item) => compile(item));
  };
}

function readSchema(keyword: 'not' | 'if' | 'then' | 'else' | 'propertyNames', refusal: string): ReadKeyword {
  return (value, schema, compile) => {
    if (!isSchemaLike(value)) throw new GoError(refusal);
    schema[keyword] = compile(value);
  };
}
