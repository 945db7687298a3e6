// Keywords for single values: type, const, enum, format, and limits of texts and numbers.
// Mirrors: github.com/santhosh-tekuri/jsonschema/v6, validator.go and kind/kind.go, v6.0.2.

import { runeCount } from '../../../go/utf8.ts';
import type { GoValue } from '../../../go/value.ts';
import { isEqual } from './equality.ts';
import { display, isScalar, printNumber, quoteName } from './faults.ts';
import { formatFault } from './formats.ts';
import type { Draft2020Number, Draft2020Schema } from './model.ts';
import { compareDecimals, isDraft2020Number, isIntegral, isMultipleOf } from './numbers.ts';

/** Returns the first violation of the value itself, or undefined. */
export function checkValue(schema: Draft2020Schema, value: GoValue): string | undefined {
  return checkType(schema, value) ?? checkConstants(schema, value) ?? checkFormat(schema, value);
}

function checkType({ types = [] }: Draft2020Schema, value: GoValue): string | undefined {
  if (types.length === 0) return undefined;
  const type = typeName(value);
  if (types.includes(type) || (isDraft2020Number(value) && types.includes('integer') && isIntegral(value)))
    return undefined;
  return `got ${type}, want ${types.join(' or ')}`;
}

function typeName(value: GoValue): string {
  if (value === null) return 'null';
  if (isDraft2020Number(value)) return 'number';
  if (Array.isArray(value)) return 'array';
  return value instanceof Map ? 'object' : typeof value;
}

function checkConstants({ constant, allowed }: Draft2020Schema, value: GoValue): string | undefined {
  if (constant !== undefined && !isEqual(value, constant)) {
    return isScalar(constant) ? `value must be ${display(constant)}` : "'const' failed";
  }
  if (allowed === undefined || allowed.some((item) => isEqual(value, item))) return undefined;
  if (!allowed.every(isScalar)) return "'enum' failed";
  return `value must be ${allowed.length === 1 ? '' : 'one of '}${allowed.map(display).join(', ')}`;
}

function checkFormat({ format }: Draft2020Schema, value: GoValue): string | undefined {
  const fault = format === undefined || typeof value !== 'string' ? undefined : formatFault(format, value);
  return fault === undefined ? undefined : `${display(value)} is not valid ${format}: ${fault}`;
}

/** Returns the violations of a text. */
export function* checkString(schema: Draft2020Schema, text: string): Generator<string> {
  for (const keyword of ['minLength', 'maxLength'] as const) {
    if (schema[keyword] === undefined) continue;
    const fault = countFault(schema, keyword, runeCount(text));
    if (fault !== undefined) yield fault;
  }
  const { pattern } = schema;
  if (pattern === undefined || pattern.regexp.matchString(text)) return;
  yield `${quoteName(text)} does not match pattern ${quoteName(pattern.source)}`;
}

type CountKeyword = `${'min' | 'max'}${'Length' | 'Items' | 'Properties'}`;

/** Returns a violation if there are too few or too many of something. */
export function countFault(schema: Draft2020Schema, keyword: CountKeyword, got: number): string | undefined {
  const want = schema[keyword];
  if (want === undefined || (keyword.startsWith('min') ? got >= want : got <= want)) return undefined;
  return `${keyword}: got ${printNumber(got)}, want ${printNumber(want)}`;
}

const limits = [
  ['minimum', (order: number) => order < 0],
  ['maximum', (order: number) => order > 0],
  ['exclusiveMinimum', (order: number) => order <= 0],
  ['exclusiveMaximum', (order: number) => order >= 0],
] as const;

/** Returns the violations of a number. */
export function* checkNumber(schema: Draft2020Schema, value: Draft2020Number): Generator<string> {
  for (const [keyword, isBeyond] of limits) {
    const limit = schema[keyword];
    if (limit !== undefined && isBeyond(compareDecimals(value, limit))) yield limitFault(keyword, value, limit);
  }
  const { multipleOf } = schema;
  if (multipleOf !== undefined && !isMultipleOf(value, multipleOf)) yield limitFault('multipleOf', value, multipleOf);
}

function limitFault(keyword: string, got: Draft2020Number, want: Draft2020Number): string {
  return `${keyword}: got ${printNumber(got)}, want ${printNumber(want)}`;
}
