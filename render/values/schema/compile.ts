// Compiles a JSON Schema and reports errors with gojsonschema's messages in its order.
// Mirrors: github.com/xeipuuv/gojsonschema, schema.go, draft.go and schemaType.go, v1.2.0.

import { compileRegexp, type Regexp } from '../../go/regexp/regexp.ts';
import { parseGoUrl } from '../../go/url.ts';
import { GoError, type GoMap, type GoValue } from '../../go/value.ts';
import { canonicalJson } from './check.ts';
import { type Draft, isSchemaNumber, type SchemaModel } from './model.ts';
import { compareNumbers, isWhole } from './numbers.ts';
import { resolveReferences, type SchemaSource } from './refs.ts';

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
  for (const [keyword, read] of keywords) {
    const value = node.get(keyword);
    if (value === undefined) continue;
    read(value, schema, { keyword, compile: (inner) => compile(inner, schema.draft, compiler) });
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

interface Reading {
  readonly keyword: string;
  readonly compile: (node: GoValue) => SchemaModel;
}

/** Reads a keyword into a schema. */
type ReadKeyword = (value: GoValue, schema: SchemaModel, reading: Reading) => void;

// In gojsonschema's order, which determines the reported error.
const keywords: readonly (readonly [string, ReadKeyword])[] = [
  ['type', readTypes],
  ['properties', readProperties],
  ['additionalProperties', readAdditional('additionalProperties')],
  ['patternProperties', readPatternProperties],
  ['propertyNames', since6(readPropertyNames)],
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
  ['contains', since6(readContains)],
  ['const', since6(readConst)],
  ['enum', readEnum],
  ['oneOf', readSchemas('oneOf')],
  ['anyOf', readSchemas('anyOf')],
  ['allOf', readSchemas('allOf', 'anyOf')],
  ['not', readBranch('not')],
  ['if', since7(readBranch('if'))],
  ['then', since7(readBranch('then'))],
  ['else', since7(readBranch('else'))],
];

function since6(read: ReadKeyword): ReadKeyword {
  return (value, schema, reading) => {
    if (schema.draft !== 4) read(value, schema, reading);
  };
}

function since7(read: ReadKeyword): ReadKeyword {
  return (value, schema, reading) => {
    if (schema.draft === 7 || schema.draft === 'hybrid') read(value, schema, reading);
  };
}

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

function readProperties(value: GoValue, schema: SchemaModel, { compile }: Reading): void {
  if (!(value instanceof Map)) throw new GoError('properties must be of type object');
  for (const [name, inner] of value) schema.properties.set(name, compile(inner));
}

function readAdditional(keyword: 'additionalProperties' | 'additionalItems'): ReadKeyword {
  return (value, schema, { compile }) => {
    if (!isSchemaLike(value)) throw invalidType('boolean/valid schema', keyword);
    schema[keyword] = typeof value === 'boolean' ? value : compile(value);
  };
}

function readPatternProperties(value: GoValue, schema: SchemaModel, { compile }: Reading): void {
  if (!(value instanceof Map)) throw invalidType('valid schema', 'patternProperties');
  for (const [source, inner] of value) {
    const pattern = regexpOr(source, `Invalid regex pattern '${source}'`);
    schema.patternProperties.push({ pattern, schema: compile(inner) });
  }
}

function readPropertyNames(value: GoValue, schema: SchemaModel, { compile }: Reading): void {
  // gojsonschema names the wrong keyword here.
  if (!isSchemaLike(value)) throw invalidType('valid schema', 'patternProperties');
  schema.propertyNames = compile(value);
}

function readDependencies(value: GoValue, schema: SchemaModel, { compile }: Reading): void {
  if (!(value instanceof Map)) throw new GoError('dependencies must be of type object');
  for (const [name, dependency] of value) {
    if (isSchemaLike(dependency)) schema.dependencies.set(name, compile(dependency));
    else if (Array.isArray(dependency) && dependency.every((item) => typeof item === 'string')) {
      schema.dependencies.set(name, dependency);
    } else throw new GoError('dependency must be of type schema or array of strings');
  }
}

function readItems(value: GoValue, schema: SchemaModel, { compile }: Reading): void {
  const refuse = (): GoError => invalidType('valid schema/array of schemas', 'items');
  if (Array.isArray(value)) {
    const tuple: SchemaModel[] = [];
    for (const item of value) {
      if (!isSchemaLike(item)) throw refuse();
      tuple.push(compile(item));
    }
    schema.tuple = tuple;
  } else if (isSchemaLike(value)) schema.items = compile(value);
  else throw refuse();
}

function readMultipleOf(value: GoValue, schema: SchemaModel): void {
  if (!isSchemaNumber(value)) throw invalidType('number', 'multipleOf');
  if (compareNumbers(value, 0) <= 0) throw new GoError('multipleOf must be strictly greater than 0');
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
    if (typeof value !== 'number' || !isWhole(value)) throw new GoError(`${keyword} must be of an integer`);
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
  try {
    return compileRegexp(source);
  } catch {
    throw new GoError(refusal);
  }
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

function readContains(value: GoValue, schema: SchemaModel, { compile }: Reading): void {
  schema.contains = compile(value);
}

function readConst(value: GoValue, schema: SchemaModel): void {
  schema.constant = canonicalJson(value);
}

function readEnum(value: GoValue, schema: SchemaModel): void {
  if (!Array.isArray(value)) throw new GoError('enum must be of an array');
  const texts = value.map(canonicalJson);
  if (new Set(texts).size < texts.length) throw new GoError('enum items must be unique');
  schema.allowed = texts;
}

// gojsonschema names `anyOf` if `allOf` is not an array.
function readSchemas(keyword: 'oneOf' | 'anyOf' | 'allOf', named: string = keyword): ReadKeyword {
  return (value, schema, { compile }) => {
    if (!Array.isArray(value)) throw new GoError(`${named} must be of an array`);
    const schemas: SchemaModel[] = [];
    for (const item of value) schemas.push(compile(item));
    schema[keyword] = schemas;
  };
}

function readBranch(keyword: 'not' | 'if' | 'then' | 'else'): ReadKeyword {
  return (value, schema, { compile }) => {
    if (!isSchemaLike(value)) throw new GoError(`${keyword} must be of an object`);
    schema[keyword] = compile(value);
  };
}
