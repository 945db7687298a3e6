// What a JSON Schema says of single values: type, const, enum, format, and the limits of texts and numbers.
// Mirrors: github.com/santhosh-tekuri/jsonschema/v6, validator.go, v6.0.2.

import { deepEqual } from '../../go/deep-equal.ts';
import { runeCount } from '../../go/utf8.ts';
import type { GoValue } from '../../go/value.ts';
import { display, isPlain, printNumber, quoteName } from './faults.ts';
import { isFormat } from './formats.ts';
import type { LaterSchema } from './later-model.ts';
import { isNumber, type SchemaNumber } from './model.ts';
import { compareNumbers, isMultiple, isWhole } from './numbers.ts';

const typeOrder = ['null', 'boolean', 'number', 'integer', 'string', 'array', 'object'];

/** Says what is wrong with the value as such, if anything is: of several faults the first. */
export function checkValue(schema: LaterSchema, value: GoValue): string | undefined {
  return checkType(schema, value) ?? checkConstants(schema, value) ?? checkFormat(schema, value);
}

function checkType(schema: LaterSchema, value: GoValue): string | undefined {
  const given = schema.get('type');
  const types = typeof given === 'string' ? [given] : schema.texts('type');
  if (types.length === 0) return undefined;
  const type = typeName(value);
  if (types.includes(type) || (type === 'number' && types.includes('integer') && isWhole(value as SchemaNumber))) {
    return undefined;
  }
  return `got ${type}, want ${typeOrder.filter((name) => types.includes(name)).join(' or ')}`;
}

function typeName(value: GoValue): string {
  if (value === null) return 'null';
  if (isNumber(value)) return 'number';
  if (Array.isArray(value)) return 'array';
  return value instanceof Map ? 'object' : typeof value;
}

function checkConstants(schema: LaterSchema, value: GoValue): string | undefined {
  const constant = schema.get('const');
  if (constant !== undefined && !isEqual(value, constant)) {
    return isPlain(constant) ? `value must be ${display(constant)}` : "'const' failed";
  }
  const allowed = schema.get('enum');
  if (!Array.isArray(allowed) || allowed.some((item) => isEqual(value, item))) return undefined;
  if (!allowed.every(isPlain)) return "'enum' failed";
  return `value must be ${allowed.length === 1 ? '' : 'one of '}${allowed.map(display).join(', ')}`;
}

// Numbers are equal by value, whatever they were written as.
function isEqual(a: GoValue, b: GoValue): boolean {
  if (isNumber(a) && isNumber(b)) return compareNumbers(a, b) === 0;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, i) => isEqual(item, b[i] ?? null));
  if (a instanceof Map && b instanceof Map) {
    return a.size === b.size && [...a].every(([key, item]) => b.has(key) && isEqual(item, b.get(key) ?? null));
  }
  return deepEqual(a, b);
}

// Later drafts take a format for a remark.
function checkFormat(schema: LaterSchema, value: GoValue): string | undefined {
  const format = schema.get('format');
  if (schema.draft >= 2019 || typeof format !== 'string' || typeof value !== 'string') return undefined;
  return isFormat(format, value)
    ? undefined
    : `${quoteName(value)} is not valid ${format}: ${formatReason(format, value)}`;
}

function formatReason(format: string, value: string): string {
  if (format === 'email' && !value.includes('@')) return 'missing @';
  if (format === 'ipv4') return 'expected four decimals';
  if (format === 'date-time' && value.length < 20) return 'less than 20 characters long';
  if (format === 'uri') return 'relative url';
  return 'it has another form';
}

/** Says what is wrong with a text. */
export function* checkString(schema: LaterSchema, text: string): Generator<string> {
  const length = runeCount(text);
  for (const keyword of ['minLength', 'maxLength']) {
    const fault = schema.countFault(keyword, length);
    if (fault !== undefined) yield fault;
  }
  const pattern = schema.get('pattern');
  if (typeof pattern !== 'string' || schema.regexp(pattern).matchString(text)) return;
  yield `${quoteName(text)} does not match pattern ${quoteName(pattern)}`;
}

const limits: readonly (readonly [string, (order: number) => boolean])[] = [
  ['minimum', (order) => order < 0],
  ['maximum', (order) => order > 0],
  ['exclusiveMinimum', (order) => order <= 0],
  ['exclusiveMaximum', (order) => order >= 0],
];

/** Says what is wrong with a number. */
export function* checkNumber(schema: LaterSchema, value: SchemaNumber): Generator<string> {
  for (const [keyword, isBeyond] of limits) {
    const limit = limitOf(schema, keyword);
    if (limit !== undefined && isBeyond(compareNumbers(value, limit))) yield limitFault(keyword, value, limit);
  }
  const factor = schema.number('multipleOf');
  if (factor !== undefined && !isMultiple(value, factor)) yield limitFault('multipleOf', value, factor);
}

function limitFault(keyword: string, got: SchemaNumber, want: SchemaNumber): string {
  return `${keyword}: got ${printNumber(got)}, want ${printNumber(want)}`;
}

// In draft 4 `exclusiveMinimum: true` makes the minimum one.
function limitOf(schema: LaterSchema, keyword: string): SchemaNumber | undefined {
  if (schema.draft > 4) return schema.number(keyword);
  const isExclusive = keyword.startsWith('exclusive');
  const plain = isExclusive ? keyword.replace(/^exclusiveM/, 'm') : keyword;
  const exclusive = schema.get(plain.replace(/^m/, 'exclusiveM')) === true;
  return exclusive === isExclusive ? schema.number(plain) : undefined;
}
