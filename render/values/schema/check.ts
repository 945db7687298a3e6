// Validates values against a compiled JSON Schema with gojsonschema's messages.
// Mirrors: github.com/xeipuuv/gojsonschema, validation.go, result.go and locales.go, v1.2.0.

import { orUndefined } from '../../core/catch.ts';
import { isMailAddress } from '../../go/mail.ts';
import { parseIp } from '../../go/net.ts';
import { formatFloat } from '../../go/number.ts';
import { compileRegexp } from '../../go/regexp/regexp.ts';
import { parseGoTime } from '../../go/time/time.ts';
import { parseGoUrl, type Url } from '../../go/url.ts';
import { byteLength, runeCount } from '../../go/utf8.ts';
import { GoError, type GoMap, type GoValue, sortedEntries, sortedKeys } from '../../go/value.ts';
import { canonicalJson, type SchemaModel } from './compile.ts';
import {
  compareDecimals,
  floatOf,
  isIntegral,
  isMultipleOf,
  isSchemaNumber,
  jsonTypeOf,
  type SchemaNumber,
} from './numbers.ts';

/** A violation: its place in the values and the message. */
export interface SchemaFault {
  /** The dotted path; `(root)` for the top. */
  readonly field: string;
  readonly message: string;
}

/**
 * Returns all violations. Go iterates over maps in random order; here schemas keep their order and values are sorted by name, which matches
 * Go's most frequent order. Throws GoError for a schema that refers to itself without descending into the values, on which gojsonschema
 * overflows its stack.
 */
export function checkAgainst(schema: SchemaModel, document: GoValue): SchemaFault[] {
  const result = new Result(new Map());
  check(schema, document, result, '(root)');
  return result.faults;
}

// The violations, and a score that determines the best alternative of an `anyOf`.
class Result {
  readonly faults: SchemaFault[] = [];
  score = 0;
  /** The values being validated against each schema. */
  readonly active: Map<SchemaModel, GoValue[]>;

  constructor(active: Map<SchemaModel, GoValue[]>) {
    this.active = active;
  }

  get isValid(): boolean {
    return this.faults.length === 0;
  }
  add(context: string, message: string): void {
    this.faults.push({ field: fieldOf(context), message });
    this.score -= 2;
  }
  merge(other: Result): void {
    for (const fault of other.faults) this.faults.push(fault);
    this.score += other.score;
  }
}

function fieldOf(context: string): string {
  return context.startsWith('(root).') ? context.slice('(root).'.length) : context;
}

function attempt(schema: SchemaModel, node: GoValue, context: string, { active }: Result): Result {
  const result = new Result(active);
  check(schema, node, result, context);
  return result;
}

/** Attempts with several schemas or values, of which one must be valid. */
interface Attempts<T> {
  readonly of: readonly T[];
  readonly attempt: (item: T, index: number) => Result;
  readonly message: string;
}

// Reports a violation, with those of the best attempt, unless an attempt is valid.
function needValid<T>({ of, attempt, message }: Attempts<T>, result: Result, context: string): void {
  let best: Result | undefined;
  for (const [i, item] of of.entries()) {
    const tried = attempt(item, i);
    if (tried.isValid) return;
    if (best === undefined || tried.score > best.score) best = tried;
  }
  result.add(context, message);
  if (best !== undefined) result.merge(best);
}

// Mirrors: `validateRecursive`.
function check(schema: SchemaModel, node: GoValue, result: Result, context: string): void {
  const active = result.active.get(schema) ?? [];
  if (active.includes(node)) {
    throw new GoError(`the schema refers back to itself for the value at ${fieldOf(context)}, which never ends`);
  }
  result.active.set(schema, active);
  active.push(node);
  checkNode(schema, node, result, context);
  active.pop();
}

function checkNode(schema: SchemaModel, node: GoValue, result: Result, context: string): void {
  if (schema.pass !== undefined) {
    if (!schema.pass) result.add(context, 'False always fails validation');
    return;
  }
  if (schema.reference !== undefined) {
    check(schema.reference, node, result, context);
    return;
  }
  const type = isSchemaNumber(node) && isIntegral(node) ? 'integer' : jsonTypeOf(node);
  if (!isTypeAllowed(schema.types, type)) {
    const expected = schema.types.length > 1 ? `[${schema.types.join()}]` : schema.types[0];
    result.add(context, `Invalid type. Expected: ${expected}, given: ${type}`);
    return;
  }
  if (hasLogic(schema)) checkLogic(schema, node, result, context);
  else result.score++;
  if (Array.isArray(node)) checkArray(schema, node, result, context);
  else if (node instanceof Map) checkObject(schema, node, result, context);
  else if (isSchemaNumber(node)) checkNumber(schema, node, result, context);
  checkConstants(schema, node, result, context);
  if (typeof node === 'string') checkString(schema, node, result, context);
  else if (node instanceof Map) checkProperties(schema, node, result, context);
  result.score++;
}

function isTypeAllowed(types: readonly string[], type: string): boolean {
  return types.length === 0 || types.includes(type) || (type === 'integer' && types.includes('number'));
}

function hasLogic({ anyOf, oneOf, allOf, not, dependencies, if: condition }: SchemaModel): boolean {
  return (
    anyOf.length + oneOf.length + allOf.length + dependencies.size > 0 || not !== undefined || condition !== undefined
  );
}

// Mirrors: `validateSchema`.
function checkLogic(schema: SchemaModel, node: GoValue, result: Result, context: string): void {
  const attemptWith = (option: SchemaModel): Result => attempt(option, node, context, result);
  if (schema.anyOf.length > 0) {
    const message = 'Must validate at least one schema (anyOf)';
    needValid({ of: schema.anyOf, attempt: attemptWith, message }, result, context);
  }
  if (schema.oneOf.length > 0) {
    const attempts = schema.oneOf.map(attemptWith);
    const valid = attempts.filter(({ isValid }) => isValid).length;
    const message = 'Must validate one and only one schema (oneOf)';
    if (valid === 0) needValid({ of: attempts, attempt: (tried) => tried, message }, result, context);
    else if (valid > 1) result.add(context, message);
  }
  const parts = schema.allOf.map(attemptWith);
  for (const tried of parts) result.merge(tried);
  if (parts.some(({ isValid }) => !isValid)) result.add(context, 'Must validate all the schemas (allOf)');
  if (schema.not !== undefined && attempt(schema.not, node, context, result).isValid) {
    result.add(context, 'Must not validate the schema (not)');
  }
  if (node instanceof Map) checkDependencies(schema, node, result, context);
  if (schema.if !== undefined) checkCondition(schema, node, result, context);
  result.score++;
}

function checkDependencies(schema: SchemaModel, node: GoMap, result: Result, context: string): void {
  if (schema.dependencies.size === 0) return;
  for (const key of sortedKeys(node)) {
    const dependency = schema.dependencies.get(key);
    if (dependency === undefined) continue;
    if (!Array.isArray(dependency)) {
      check(dependency as SchemaModel, node, result, context);
      continue;
    }
    for (const needed of dependency) {
      if (!node.has(needed)) result.add(context, `Has a dependency on ${needed}`);
    }
  }
}

function checkCondition(schema: SchemaModel, node: GoValue, result: Result, context: string): void {
  const { isValid: holds }: Result = attempt(schema.if!, node, context, result);
  const branch = holds ? schema.then : schema.else;
  if (branch === undefined) return;
  const tried: Result = attempt(branch, node, context, result);
  if (tried.isValid) return;
  result.add(context, holds ? 'Must validate "then" as "if" was valid' : 'Must validate "else" as "if" was not valid');
  result.merge(tried);
}

// Mirrors: `validateCommon`.
function checkConstants(schema: SchemaModel, node: GoValue, result: Result, context: string): void {
  if (schema.constant !== undefined || schema.allowed.length > 0) {
    const text = canonicalJson(node);
    if (schema.constant !== undefined && text !== schema.constant) {
      result.add(context, `${fieldOf(context)} does not match: ${schema.constant}`);
    }
    if (schema.allowed.length > 0 && !schema.allowed.includes(text)) {
      result.add(context, `${fieldOf(context)} must be one of the following: ${schema.allowed.join(', ')}`);
    }
  }
  result.score++;
}

// Mirrors: `validateArray`.
function checkArray(schema: SchemaModel, items: readonly GoValue[], result: Result, context: string): void {
  checkItems(schema, items, result, context);
  if (schema.minItems !== undefined && items.length < schema.minItems) {
    result.add(context, `Array must have at least ${schema.minItems} items`);
  }
  if (schema.maxItems !== undefined && items.length > schema.maxItems) {
    result.add(context, `Array must have at most ${schema.maxItems} items`);
  }
  if (schema.uniqueItems === true) checkUnique(items, result, context);
  const { contains } = schema;
  if (contains !== undefined) {
    const attemptItem = (item: GoValue, i: number): Result => attempt(contains, item, `${context}.${i}`, result);
    needValid({ of: items, attempt: attemptItem, message: 'At least one of the items must match' }, result, context);
  }
  result.score++;
}

function checkItems(schema: SchemaModel, items: readonly GoValue[], result: Result, context: string): void {
  const checkEach = (from: number, schemaAt: (i: number) => SchemaModel | undefined): void => {
    for (let i = from; i < items.length; i++) {
      const inner = schemaAt(i);
      if (inner !== undefined) result.merge(attempt(inner, items[i] as GoValue, `${context}.${i}`, result));
    }
  };
  const { items: single, tuple, additionalItems } = schema;
  if (single !== undefined) checkEach(0, () => single);
  if (tuple.length === 0) return;
  checkEach(0, (i) => tuple[i]);
  if (tuple.length >= items.length) return;
  if (additionalItems === false) result.add(context, 'No additional items allowed on array');
  else if (typeof additionalItems === 'object') checkEach(tuple.length, () => additionalItems);
}

function checkUnique(items: readonly GoValue[], result: Result, context: string): void {
  const seen = new Map<string, number>();
  items.forEach((item, j) => {
    const text = canonicalJson(item);
    const i = seen.get(text);
    if (i !== undefined) result.add(context, `array items[${i},${j}] must be unique`);
    seen.set(text, j);
  });
}

// Mirrors: `validateObject`.
function checkObject(schema: SchemaModel, object: GoMap, result: Result, context: string): void {
  if (schema.minProperties !== undefined && object.size < schema.minProperties) {
    result.add(context, `Must have at least ${schema.minProperties} properties`);
  }
  if (schema.maxProperties !== undefined && object.size > schema.maxProperties) {
    result.add(context, `Must have at most ${schema.maxProperties} properties`);
  }
  for (const name of schema.required) {
    if (object.has(name)) result.score++;
    else result.add(context, `${name} is required`);
  }
  const checksNames = schema.additionalProperties !== undefined || schema.patternProperties.length > 0;
  if (checksNames) for (const entry of sortedEntries(object)) checkOther(schema, entry, result, context);
  if (schema.propertyNames !== undefined) {
    for (const name of sortedKeys(object)) {
      const tried: Result = attempt(schema.propertyNames, name, context, result);
      if (tried.isValid) continue;
      result.add(context, `Property name of "${name}" does not match`);
      result.merge(tried);
    }
  }
  result.score++;
}

// A property is additional if neither `properties` nor a pattern matches it.
function checkOther(
  schema: SchemaModel,
  [name, value]: readonly [string, GoValue],
  result: Result,
  context: string,
): void {
  let isMatched = false;
  for (const { pattern, schema: inner } of schema.patternProperties) {
    if (!pattern.matchString(name)) continue;
    isMatched = true;
    result.merge(attempt(inner, value, `${context}.${name}`, result));
  }
  if (isMatched) result.score++;
  if (isMatched || schema.properties.has(name)) return;
  const additional = schema.additionalProperties;
  if (additional === false) result.add(context, `Additional property ${name} is not allowed`);
  else if (typeof additional === 'object') result.merge(attempt(additional, value, `${context}.${name}`, result));
}

function checkProperties(schema: SchemaModel, object: GoMap, result: Result, context: string): void {
  for (const [name, inner] of schema.properties) {
    const value = object.get(name);
    if (value !== undefined) check(inner, value, result, `${context}.${name}`);
  }
}

// Mirrors: `validateString`.
function checkString(schema: SchemaModel, text: string, result: Result, context: string): void {
  const { minLength, maxLength, pattern, format } = schema;
  if (minLength !== undefined && runeCount(text) < minLength) {
    result.add(context, `String length must be greater than or equal to ${minLength}`);
  }
  if (maxLength !== undefined && runeCount(text) > maxLength) {
    result.add(context, `String length must be less than or equal to ${maxLength}`);
  }
  if (pattern !== undefined && !pattern.regexp.matchString(text)) {
    result.add(context, `Does not match pattern '${pattern.source}'`);
  }
  if (format !== undefined && !isFormat(format, text)) result.add(context, `Does not match format '${format}'`);
  result.score++;
}

// Mirrors: `validateNumber`.
function checkNumber(schema: SchemaModel, value: SchemaNumber, result: Result, context: string): void {
  const { multipleOf, maximum, exclusiveMaximum, minimum, exclusiveMinimum, format } = schema;
  const refuse = (words: string, limit: SchemaNumber): void => {
    result.add(context, `Must be ${words} ${formatFloat(floatOf(limit), 'g', -1)}`);
  };
  if (multipleOf !== undefined && !isMultipleOf(value, multipleOf)) refuse('a multiple of', multipleOf);
  if (maximum !== undefined && compareDecimals(value, maximum) > 0) refuse('less than or equal to', maximum);
  if (exclusiveMaximum !== undefined && compareDecimals(value, exclusiveMaximum) >= 0) {
    refuse('less than', exclusiveMaximum);
  }
  if (minimum !== undefined && compareDecimals(value, minimum) < 0) refuse('greater than or equal to', minimum);
  if (exclusiveMinimum !== undefined && compareDecimals(value, exclusiveMinimum) <= 0) {
    refuse('greater than', exclusiveMinimum);
  }
  // Formats apply to strings; the validator has none for numbers.
  if (format !== undefined && !isFormat(format, value)) result.add(context, `Does not match format '${format}'`);
  result.score++;
}

// The `format` keyword of JSON Schema. Mirrors: github.com/xeipuuv/gojsonschema, format_checkers.go, v1.2.0.

/** Reports whether a value has a format. True for an unknown format; false for a number with a known one. */
function isFormat(format: string, value: string | SchemaNumber): boolean {
  const test = formats.get(format);
  return test === undefined || (typeof value === 'string' && test(value));
}

const date = '2006-01-02';
const time = '15:04:05';
const zonedTime = '15:04:05Z07:00';
const dateTime = '2006-01-02T15:04:05Z07:00';

const formats: ReadonlyMap<string, (text: string) => boolean> = new Map([
  ['date', (text) => isTime(text, date)],
  ['time', (text) => isTime(text, zonedTime, time)],
  ['date-time', (text) => isTime(text, time, zonedTime, date, dateTime)],
  ['hostname', (text) => hostname.test(text) && byteLength(text) < 256],
  ['email', isMailAddress],
  ['idn-email', isMailAddress],
  ['ipv4', (text) => parseIp(text) !== undefined && text.includes('.')],
  ['ipv6', (text) => parseIp(text) !== undefined && text.includes(':')],
  ['uri', (text) => (urlOf(text)?.scheme ?? '') !== ''],
  ['uri-reference', (text) => urlOf(text) !== undefined],
  ['iri', (text) => (urlOf(text)?.scheme ?? '') !== ''],
  ['iri-reference', (text) => urlOf(text) !== undefined],
  ['uri-template', isUriTemplate],
  ['uuid', (text) => /^[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}$/.test(text)],
  ['regex', (text) => orUndefined(() => compileRegexp(text)) !== undefined],
  ['json-pointer', (text) => /^(?:\/(?:[^~/]|~0|~1)*)*$/.test(text)],
  ['relative-json-pointer', (text) => /^(?:0|[1-9][0-9]*)(?:#|(?:\/(?:[^~/]|~0|~1)*)*)$/.test(text)],
]);

const label = '[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?';
const hostname = new RegExp(`^${label}(?:\\.${label})*$`);

function isTime(text: string, ...layouts: readonly string[]): boolean {
  return layouts.some((layout) => orUndefined(() => parseGoTime(layout, text)) !== undefined);
}

function urlOf(text: string): Url | undefined {
  return text.includes('\\') ? undefined : orUndefined(() => parseGoUrl(text));
}

// Braces must be balanced in the path of a URI.
function isUriTemplate(text: string): boolean {
  const url = urlOf(text);
  return url !== undefined && /^[^{]*(?:\{[^}]*\}[^{]*)*$/.test(url.path);
}
