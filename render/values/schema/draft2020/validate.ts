// Validates values against a JSON Schema of any draft up to 2020-12 like Helm 4.
// Mirrors: github.com/santhosh-tekuri/jsonschema/v6, schema.go, validator.go, util.go and kind/kind.go, v6.0.2 and v6.0.3.

import { JsonNumber, quoteJson } from '../../../codec/json.ts';
import { formatFloat, quote } from '../../../go/number.ts';
import type { Regexp } from '../../../go/regexp/regexp.ts';
import { runeCount } from '../../../go/utf8.ts';
import { type GoMap, type GoValue, Int, sortedEntries, sortedKeys } from '../../../go/value.ts';
import {
  compareDecimals,
  decimalText,
  floatOf,
  isIntegral,
  isMultipleOf,
  isSchemaNumber,
  jsonTypeOf,
  type SchemaLimits,
  type SchemaNumber,
} from '../numbers.ts';
import { type DraftVersion, pointerOf } from './documents.ts';
import { formatFault } from './formats.ts';

/** A compiled schema. Keywords that are absent, or unknown to its draft and vocabularies, are undefined. */
export interface Draft2020Schema extends SchemaLimits {
  /** The URL of the document with the pointer to the schema. */
  readonly location: string;
  readonly draft: DraftVersion;
  /** The enclosing schema with its own address. */
  resource: Draft2020Schema;
  /** Set for the schemas `true` and `false`, which have no keywords. */
  pass?: boolean;
  /** For a resource: schemas by dynamic anchor. */
  readonly dynamicAnchors: Map<string, Draft2020Schema>;
  dynamicAnchor?: string;
  isRecursiveAnchor?: boolean;
  reference?: Draft2020Schema | undefined;
  recursiveReference?: Draft2020Schema | undefined;
  dynamicReference?: { readonly schema: Draft2020Schema; readonly anchor: string };
  /** In the order in which violations are reported. */
  types?: readonly string[];
  constant?: GoValue;
  allowed?: readonly GoValue[] | undefined;
  allOf?: readonly Draft2020Schema[] | undefined;
  anyOf?: readonly Draft2020Schema[] | undefined;
  oneOf?: readonly Draft2020Schema[] | undefined;
  not?: Draft2020Schema | undefined;
  if?: Draft2020Schema | undefined;
  /** `then` and `else`. */
  consequence?: Draft2020Schema | undefined;
  alternative?: Draft2020Schema | undefined;
  required?: readonly string[] | undefined;
  properties?: ReadonlyMap<string, Draft2020Schema> | undefined;
  patternProperties?: readonly { readonly regexp: Regexp; readonly schema: Draft2020Schema }[] | undefined;
  additionalProperties?: boolean | Draft2020Schema | undefined;
  propertyNames?: Draft2020Schema | undefined;
  dependencies?: ReadonlyMap<string, readonly string[] | Draft2020Schema> | undefined;
  dependentSchemas?: ReadonlyMap<string, Draft2020Schema> | undefined;
  dependentRequired?: ReadonlyMap<string, readonly string[]> | undefined;
  unevaluatedProperties?: Draft2020Schema | undefined;
  firstItems?: readonly Draft2020Schema[] | undefined;
  /** The schema of the remaining items. */
  items?: boolean | Draft2020Schema | undefined;
  contains?: Draft2020Schema | undefined;
  minContains?: number | undefined;
  maxContains?: number | undefined;
  unevaluatedItems?: Draft2020Schema | undefined;
}

/** The metaschema of a schema, and those of nested resources with another one. */
export interface MetaContext {
  readonly metaschema: Draft2020Schema;
  /** Returns the metaschema of a place by its pointer; undefined if it is not the root of a resource. */
  readonly metaschemaAt: (pointer: string) => Draft2020Schema | undefined;
}

/** State shared by the validation of one value. */
export interface CheckContext {
  /** Whether items after `prefixItems` and property names are located from the root, as in 6.0.3. */
  readonly isLater: boolean;
  /** Undefined for values. */
  readonly meta?: MetaContext | undefined;
}

/** Returns all violations; where Go iterates over maps in random order, names are sorted. */
export function violationsOf(
  schema: Draft2020Schema,
  value: GoValue,
  context: CheckContext,
): readonly SchemaViolation[] {
  const scope = { schema, keyword: '', value: 0, outer: undefined };
  return partsOf(new Check({ value, at: [], scope, context }).run());
}

function partsOf(fault: SchemaViolation | undefined): readonly SchemaViolation[] {
  if (fault === undefined) return [];
  return fault.kind === 'group' ? fault.causes : [fault];
}

/** A schema being validated, and those that led to it. */
interface Scope {
  readonly schema: Draft2020Schema;
  /** The keyword that led to it, if it is a reference. */
  readonly keyword: string;
  /** The same for all that validate one value. */
  readonly value: number;
  readonly outer: Scope | undefined;
}

interface Checked {
  readonly value: GoValue;
  readonly at: readonly string[];
  /** Begins with the schema. */
  readonly scope: Scope;
  readonly context: CheckContext;
  /** Whether the caller needs the unevaluated items and properties. */
  readonly tracksUnevaluated?: boolean;
}

class Check {
  readonly #faults: SchemaViolation[] = [];
  readonly #schema: Draft2020Schema;
  readonly #value: GoValue;
  readonly #at: readonly string[];
  readonly #scope: Scope;
  readonly #context: CheckContext;
  /** Unevaluated names or indexes; undefined if not needed. */
  #unevaluated: Set<string | number> | undefined;

  constructor({ value, at, scope, context, tracksUnevaluated = false }: Checked) {
    const { schema } = scope;
    const { meta } = context;
    const own = schema === meta?.metaschema && at.length > 0 ? meta.metaschemaAt(pointerOf(at)) : undefined;
    this.#unevaluated = unevaluatedOf(schema, value, tracksUnevaluated);
    this.#schema = own ?? schema;
    this.#context =
      own === undefined || meta === undefined ? context : { ...context, meta: { ...meta, metaschema: own } };
    this.#value = value;
    this.#at = at;
    this.#scope = scope;
  }

  run(): SchemaViolation | undefined {
    const schema = this.#schema;
    const value = this.#value;
    if (schema.pass === true) return undefined;
    if (schema.pass === false) return this.#fault('false schema');
    const cycle = cycleOf(this.#scope);
    if (cycle !== undefined) return this.#fault(cycle);
    const first = checkType(schema, value) ?? checkConstants(schema, value) ?? checkFormat(schema, value);
    if (first !== undefined) return this.#fault(first);
    if (schema.reference !== undefined) {
      const fault = this.#refer(schema.reference, '$ref');
      if (schema.draft < 2019) return fault;
      this.#add(fault);
    }
    if (value instanceof Map) this.#object(value);
    else if (Array.isArray(value)) this.#array(value);
    else if (typeof value === 'string') this.#text(value);
    else if (isSchemaNumber(value)) this.#number(value);
    if (schema.draft >= 2019) this.#references();
    this.#logic();
    if (schema.draft >= 2019) this.#rest();
    return this.#faults.length > 1
      ? { ...this.#fault('validation failed', this.#faults), kind: 'group' }
      : this.#faults[0];
  }

  #fault(message: string, causes: readonly SchemaViolation[] = []): SchemaViolation {
    return { at: this.#at, message, causes };
  }

  #refuse(message: string, causes: readonly SchemaViolation[] = []): void {
    this.#faults.push(this.#fault(message, causes));
  }

  #add(fault: SchemaViolation | undefined): void {
    if (fault !== undefined) this.#faults.push(fault);
  }

  // Validates the value itself against another schema.
  #same(schema: Draft2020Schema, keyword = ''): SchemaViolation | undefined {
    const unevaluated = this.#unevaluated;
    const scope = { schema, keyword, value: this.#scope.value, outer: this.#scope };
    const tracksUnevaluated = unevaluated !== undefined && unevaluated.size > 0;
    const [value, at, context] = [this.#value, this.#at, this.#context];
    const check = new Check({ value, at, scope, context, tracksUnevaluated });
    const fault: SchemaViolation | undefined = check.run();
    if (fault === undefined && unevaluated !== undefined) {
      for (const part of unevaluated) if (check.#unevaluated?.has(part) !== true) unevaluated.delete(part);
    }
    return fault;
  }

  #inner(schema: Draft2020Schema, value: GoValue, step: string | number): SchemaViolation | undefined {
    const scope = { schema, keyword: '', value: this.#scope.value + 1, outer: this.#scope };
    const at = [...this.#at, String(step)];
    return new Check({ value, at, scope, context: this.#context }).run();
  }

  #refer(schema: Draft2020Schema, keyword: string): SchemaViolation | undefined {
    const fault = this.#same(schema, keyword);
    return fault && { ...this.#fault('validation failed', partsOf(fault)), kind: 'reference' };
  }

  #references(): void {
    const { recursiveReference, dynamicReference } = this.#schema;
    if (recursiveReference !== undefined) {
      let schema = recursiveReference;
      if (schema.isRecursiveAnchor === true) {
        for (const scope of outwards(this.#scope)) {
          if (scope.schema.resource.isRecursiveAnchor === true) schema = scope.schema;
        }
      }
      this.#add(this.#refer(schema, '$recursiveRef'));
    }
    if (dynamicReference === undefined) return;
    const { anchor } = dynamicReference;
    let { schema } = dynamicReference;
    if (anchor !== '' && schema.dynamicAnchor === anchor) {
      for (const scope of outwards(this.#scope)) {
        schema = scope.schema.resource.dynamicAnchors.get(anchor) ?? schema;
      }
    }
    this.#add(this.#refer(schema, '$dynamicRef'));
  }

  #object(object: GoMap): void {
    const schema = this.#schema;
    this.#limit('minProperties', 'maxProperties', object.size);
    const missing = (schema.required ?? []).filter((name) => !object.has(name));
    if (missing.length > 0) {
      this.#refuse(`missing ${missing.length === 1 ? 'property' : 'properties'} ${quoteNames(missing)}`);
    }
    this.#dependencies(schema.dependencies, object);
    this.#properties(object);
    if (schema.draft > 4) this.#names(object);
    if (schema.draft <= 6) return;
    this.#dependencies(schema.dependentSchemas, object);
    this.#dependencies(schema.dependentRequired, object);
  }

  #dependencies(all: Draft2020Schema['dependencies'], object: GoMap): void {
    for (const [name, dependency] of all ?? []) {
      if (!object.has(name)) continue;
      if (!isTexts(dependency)) {
        this.#add(this.#same(dependency));
        continue;
      }
      const missing = dependency.filter((needed) => !object.has(needed));
      if (missing.length > 0) this.#refuse(`properties ${quoteNames(missing)} required, if ${quoteName(name)} exists`);
    }
  }

  #properties(object: GoMap): void {
    const { properties, patternProperties = [], additionalProperties: additional } = this.#schema;
    if (properties === undefined && patternProperties.length === 0 && additional === undefined) return;
    const others: string[] = [];
    for (const [name, value] of sortedEntries(object)) {
      const own = properties?.get(name);
      if (own !== undefined) this.#add(this.#inner(own, value, name));
      const matching = patternProperties.filter(({ regexp }) => regexp.matchString(name));
      for (const { schema } of matching) this.#add(this.#inner(schema, value, name));
      if (own === undefined && matching.length === 0) {
        if (additional === undefined) continue;
        if (additional === false) others.push(name);
        else if (additional !== true) this.#add(this.#inner(additional, value, name));
      }
      this.#unevaluated?.delete(name);
    }
    if (others.length > 0) this.#refuse(`additional properties ${quoteNames(others)} not allowed`);
  }

  // A property name is validated as a value of its own.
  #names(object: GoMap): void {
    const schema = this.#schema.propertyNames;
    if (schema === undefined) return;
    for (const name of sortedKeys(object)) {
      const causes: readonly SchemaViolation[] = violationsOf(schema, name, this.#context);
      if (causes.length === 0) continue;
      const at = this.#context.isLater ? this.#at : [];
      this.#faults.push({ at, message: `invalid propertyName ${quoteName(name)}`, causes });
    }
  }

  #array(items: readonly GoValue[]): void {
    const schema = this.#schema;
    this.#limit('minItems', 'maxItems', items.length);
    if (schema.uniqueItems === true) {
      const text = checkDuplicates(items);
      if (text !== undefined) this.#refuse(text);
    }
    const first = schema.firstItems ?? [];
    const end = Math.min(first.length, items.length);
    for (let i = 0; i < end; i++) {
      this.#add(this.#inner(first[i]!, items[i] as GoValue, i));
    }
    const { items: rest } = schema;
    if (rest === false) {
      if (end < items.length) this.#refuse(`last ${items.length - end} additionalItem(s) not allowed`);
    } else if (rest !== undefined && rest !== true) {
      // Before 6.0.3 the library counts from the first of these items.
      for (const [i, item] of items.slice(end).entries()) {
        this.#add(this.#inner(rest, item, this.#context.isLater ? end + i : i));
      }
    }
    this.#contains(items);
  }

  #contains(items: readonly GoValue[]): void {
    const { contains, minContains: least, maxContains: most, draft } = this.#schema;
    if (contains === undefined) return;
    const faults: SchemaViolation[] = [];
    const matched: number[] = [];
    for (const [i, item] of items.entries()) {
      const fault: SchemaViolation | undefined = this.#inner(contains, item, i);
      if (fault !== undefined) faults.push(fault);
      else {
        matched.push(i);
        if (draft >= 2020) this.#unevaluated?.delete(i);
      }
    }
    const found = `matched ${matched.length} items at ${matched.join(' ')}`;
    if (least === undefined && matched.length === 0) this.#refuse('no items match contains schema', faults);
    if (least !== undefined && matched.length < least) {
      this.#refuse(
        `min ${least} items required to match contains schema, but ${matched.length === 0 ? 'none matched' : found}`,
        faults,
      );
    }
    if (most !== undefined && matched.length > most) {
      this.#refuse(`max ${most} items required to match contains schema, but ${found}`);
    }
  }

  #limit(least: CountKeyword, most: CountKeyword, got: number): void {
    const [min, max] = [this.#schema[least], this.#schema[most]];
    if (min !== undefined && got < min) this.#refuse(limitFault(least, got, min));
    if (max !== undefined && got > max) this.#refuse(limitFault(most, got, max));
  }

  #text(text: string): void {
    const { minLength, maxLength, pattern } = this.#schema;
    if (minLength !== undefined || maxLength !== undefined) this.#limit('minLength', 'maxLength', runeCount(text));
    if (pattern === undefined || pattern.regexp.matchString(text)) return;
    this.#refuse(`${quoteName(text)} does not match pattern ${quoteName(pattern.source)}`);
  }

  #number(value: SchemaNumber): void {
    for (const [keyword, isBeyond] of limits) {
      const limit = this.#schema[keyword];
      if (limit !== undefined && isBeyond(compareDecimals(value, limit)))
        this.#refuse(limitFault(keyword, value, limit));
    }
    const { multipleOf } = this.#schema;
    if (multipleOf === undefined || isMultipleOf(value, multipleOf)) return;
    this.#refuse(limitFault('multipleOf', value, multipleOf));
  }

  #logic(): void {
    const schema = this.#schema;
    if (schema.not !== undefined && this.#same(schema.not) === undefined) this.#refuse("'not' failed");
    const all = this.#attempts(schema.allOf);
    if (all.faults.length > 0) this.#refuse("'allOf' failed", all.faults);
    const any = this.#attempts(schema.anyOf);
    if (any.faults.length > 0 && any.matched.length === 0) this.#refuse("'anyOf' failed", any.faults);
    const one = this.#attempts(schema.oneOf);
    if (one.faults.length > 0 && one.matched.length === 0) this.#refuse("'oneOf' failed, none matched", one.faults);
    if (one.matched.length > 1)
      this.#refuse(`'oneOf' failed, subschemas ${one.matched.slice(0, 2).join(', ')} matched`);
    if (schema.if === undefined) return;
    const branch = this.#same(schema.if) === undefined ? schema.consequence : schema.alternative;
    if (branch !== undefined) this.#add(this.#same(branch));
  }

  #attempts(schemas: readonly Draft2020Schema[] = []): Attempts {
    const faults: SchemaViolation[] = [];
    const matched: number[] = [];
    for (const [i, schema] of schemas.entries()) {
      const fault = this.#same(schema);
      if (fault === undefined) matched.push(i);
      else faults.push(fault);
    }
    return { faults, matched };
  }

  // What no other keyword has evaluated.
  #rest(): void {
    const value = this.#value;
    const unevaluated = this.#unevaluated;
    const { unevaluatedProperties, unevaluatedItems } = this.#schema;
    if (value instanceof Map && unevaluatedProperties !== undefined) {
      for (const name of [...(unevaluated ?? [])].sort() as string[]) {
        this.#add(this.#inner(unevaluatedProperties, value.get(name) ?? null, name));
      }
      this.#unevaluated = undefined;
    }
    if (Array.isArray(value) && unevaluatedItems !== undefined) {
      for (const i of (unevaluated ?? []) as Iterable<number>) {
        this.#add(this.#inner(unevaluatedItems, value[i] as GoValue, i));
      }
      this.#unevaluated = undefined;
    }
  }
}

/** The results of a list of schemas. */
interface Attempts {
  readonly faults: readonly SchemaViolation[];
  readonly matched: readonly number[];
}

function isTexts(value: readonly string[] | Draft2020Schema): value is readonly string[] {
  return Array.isArray(value);
}

function* outwards(scope: Scope): Generator<Scope> {
  for (let at: Scope | undefined = scope; at !== undefined; at = at.outer) yield at;
}

// A schema that refers to itself for the same value would never end.
function cycleOf(scope: Scope): string | undefined {
  for (let at = scope.outer; at !== undefined && at.value === scope.value; at = at.outer) {
    if (at.schema !== scope.schema) continue;
    const { location } = scope.schema;
    return `both ${keywordsOf(scope)} and ${keywordsOf(at)} resolve to "${location}" causing reference cycle`;
  }
  return undefined;
}

function keywordsOf(scope: Scope): string {
  let text = '';
  for (let at = scope; at.outer !== undefined; at = at.outer) {
    const step =
      at.keyword === '' ? at.schema.location.slice(at.outer.schema.location.length) : pointerOf([at.keyword]);
    text = step + text;
  }
  return text;
}

function unevaluatedOf(schema: Draft2020Schema, value: GoValue, isTracked: boolean): Set<string | number> | undefined {
  if (value instanceof Map) {
    const isWanted = isTracked || schema.unevaluatedProperties !== undefined;
    return isWanted && schema.additionalProperties === undefined ? new Set(value.keys()) : undefined;
  }
  if (!Array.isArray(value) || schema.items !== undefined) return undefined;
  const first = schema.firstItems?.length ?? 0;
  if (!(isTracked || schema.unevaluatedItems !== undefined) || first >= value.length) return undefined;
  return new Set(Array.from({ length: value.length - first }, (_, i) => first + i));
}

// Keywords for single values: type, const, enum, format, and limits of texts and numbers.

function checkType({ types = [] }: Draft2020Schema, value: GoValue): string | undefined {
  if (types.length === 0) return undefined;
  const type = jsonTypeOf(value);
  if (types.includes(type) || (isSchemaNumber(value) && types.includes('integer') && isIntegral(value)))
    return undefined;
  return `got ${type}, want ${types.join(' or ')}`;
}

function checkConstants({ constant, allowed }: Draft2020Schema, value: GoValue): string | undefined {
  if (constant !== undefined && !isEqual(value, constant)) {
    return isScalarKind(constant) ? `value must be ${display(constant)}` : "'const' failed";
  }
  if (allowed === undefined || allowed.some((item) => isEqual(value, item))) return undefined;
  if (!allowed.every(isScalarKind)) return "'enum' failed";
  return `value must be ${allowed.length === 1 ? '' : 'one of '}${allowed.map(display).join(', ')}`;
}

function checkFormat({ format }: Draft2020Schema, value: GoValue): string | undefined {
  const fault = format === undefined || typeof value !== 'string' ? undefined : formatFault(format, value);
  return fault === undefined ? undefined : `${display(value)} is not valid ${format}: ${fault}`;
}

type CountKeyword = `${'min' | 'max'}${'Length' | 'Items' | 'Properties'}`;

const limits = [
  ['minimum', (order: number) => order < 0],
  ['maximum', (order: number) => order > 0],
  ['exclusiveMinimum', (order: number) => order <= 0],
  ['exclusiveMaximum', (order: number) => order >= 0],
] as const;

function limitFault(keyword: string, got: SchemaNumber, want: SchemaNumber): string {
  return `${keyword}: got ${printNumber(got)}, want ${printNumber(want)}`;
}

// Equality of values: numbers by value, not by notation.

function isEqual(a: GoValue, b: GoValue): boolean {
  if (typeof a === 'string' || typeof b === 'string') return a === b;
  return equalityText(a) === equalityText(b);
}

// Returns the violation of a list with equal items.
function checkDuplicates(items: readonly GoValue[]): string | undefined {
  const seen = new Map<string, number>();
  for (const [i, item] of items.entries()) {
    const text = equalityText(item);
    const first = seen.get(text);
    if (first !== undefined) return `items at ${first} and ${i} are equal`;
    seen.set(text, i);
  }
  return undefined;
}

// Returns the same text for equal values.
function equalityText(value: GoValue): string {
  if (typeof value === 'string') return quoteJson(value, { escapeHtml: false });
  if (isSchemaNumber(value)) return decimalText(value);
  if (Array.isArray(value)) return `[${value.map(equalityText).join()}]`;
  if (!(value instanceof Map)) return String(value);
  return `{${sortedEntries(value)
    .map(([key, member]) => `${quoteJson(key, { escapeHtml: false })}:${equalityText(member)}`)
    .join()}}`;
}

// Violations as nested lists, with the messages of the library.

/** A violation at a place, with those that it causes. */
export interface SchemaViolation {
  /** The path of the value. */
  readonly at: readonly string[];
  readonly message: string;
  readonly causes: readonly SchemaViolation[];
  /** `reference` refers to another schema, `group` contains all violations of one. */
  readonly kind?: 'reference' | 'group';
}

/** Formats violations as nested lists. */
export function formatViolations(faults: readonly SchemaViolation[]): string {
  const lines: string[] = [];
  const left = faults.map((fault) => ({ fault, indent: 0 })).reverse();
  for (let item = left.pop(); item !== undefined; item = left.pop()) {
    const { fault, indent } = item;
    const isPassed = fault.kind === 'reference' && fault.causes.length === 1;
    if (!isPassed) lines.push(`${'  '.repeat(indent)}- at ${quoteName(pointerOf(fault.at))}: ${fault.message}\n`);
    const inner = isPassed ? indent : indent + 1;
    left.push(...fault.causes.map((cause) => ({ fault: cause, indent: inner })).reverse());
  }
  return lines.join('');
}

/** Quotes a text with single quotes, escaped like Go. */
export function quoteName(text: string): string {
  return `'${quote(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

function quoteNames(texts: readonly string[]): string {
  return texts.map(quoteName).join(', ');
}

// Formats a scalar for people.
function display(value: GoValue): string {
  if (typeof value === 'string') return quoteName(value);
  if (value === null) return '<nil>';
  if (value instanceof JsonNumber) return value.text;
  return value instanceof Int ? String(value.value) : String(value);
}

function isScalarKind(value: GoValue): boolean {
  return !Array.isArray(value) && !(value instanceof Map);
}

// Formats a number like golang.org/x/text in English: with thousands separators, large and small ones with an exponent.
function printNumber(value: SchemaNumber): string {
  const number = floatOf(value);
  if (!Number.isFinite(number)) return number < 0 ? '-∞' : '∞';
  const text = formatFloat(number, 'g', -1);
  const [mantissa = '', exponent] = text.split('e');
  if (exponent !== undefined) return `${mantissa}×10${superscript(exponent)}`;
  const [whole = '', fraction] = mantissa.split('.');
  const grouped = whole.replace(/\B(?=(?:\d{3}){1,7}$)/g, ',');
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

function superscript(exponent: string): string {
  const digits = [...exponent.slice(1)].map((digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)]).join('');
  return exponent.startsWith('-') ? `⁻${digits}` : digits;
}
