// Numbers of JSON Schemas and values as exact decimals. Go uses big.Rat.

import { JsonNumber } from '../../codec/json.ts';
import type { Regexp } from '../../go/regexp/regexp.ts';
import { type GoValue, Int } from '../../go/value.ts';

/** A number: an integer, a float64, or the text of a number in a schema. */
export type SchemaNumber = number | Int | JsonNumber;

/** The limits of a compiled schema for scalars and for counts. */
export interface SchemaLimits {
  minimum?: SchemaNumber | undefined;
  maximum?: SchemaNumber | undefined;
  exclusiveMinimum?: SchemaNumber | undefined;
  exclusiveMaximum?: SchemaNumber | undefined;
  multipleOf?: SchemaNumber | undefined;
  minLength?: number | undefined;
  maxLength?: number | undefined;
  minItems?: number | undefined;
  maxItems?: number | undefined;
  minProperties?: number | undefined;
  maxProperties?: number | undefined;
  uniqueItems?: boolean;
  pattern?: { readonly source: string; readonly regexp: Regexp };
  format?: string | undefined;
}

export function isSchemaNumber(value: GoValue | undefined): value is SchemaNumber {
  return typeof value === 'number' || value instanceof Int || value instanceof JsonNumber;
}

/** Returns the type of a value in JSON; `number` for every number. */
export function jsonTypeOf(value: GoValue): string {
  if (value === null) return 'null';
  if (isSchemaNumber(value)) return 'number';
  if (Array.isArray(value)) return 'array';
  return value instanceof Map ? 'object' : typeof value;
}

/** A number `digits` times ten to the power of `exponent`, without trailing zeros in the digits. */
interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

// Numbers with a larger difference of exponents are not added; float64 values never reach it.
const farApart = 5000;

function decimalOf(value: SchemaNumber): Decimal {
  if (value instanceof Int) return normal(value.value, 0);
  const text = value instanceof JsonNumber ? value.text : String(value);
  const [, sign = '', whole = '0', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  return normal(BigInt(`${sign}${whole}${fraction}`), Number(exponent) - fraction.length);
}

function normal(digits: bigint, exponent: number): Decimal {
  if (digits === 0n) return { digits, exponent: 0 };
  const text = String(digits);
  let zeros = 0;
  while (text[text.length - 1 - zeros] === '0') zeros++;
  return { digits: digits / 10n ** BigInt(zeros), exponent: exponent + zeros };
}

/** Reports whether a number has no fraction. */
export function isIntegral(value: SchemaNumber): boolean {
  return decimalOf(value).exponent >= 0;
}

export function floatOf(value: SchemaNumber): number {
  if (value instanceof Int) return Number(value.value);
  return value instanceof JsonNumber ? Number(value.text) : value;
}

/** Compares two numbers by value: negative, zero or positive. */
export function compareDecimals(a: SchemaNumber, b: SchemaNumber): number {
  const [x, y] = [decimalOf(a), decimalOf(b)];
  const least = Math.min(x.exponent, y.exponent);
  if (Math.max(x.exponent, y.exponent) - least > farApart) return floatOf(a) - floatOf(b);
  const difference = scale(x, least) - scale(y, least);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** Reports whether a number is a multiple of another: 0.3 is a multiple of 0.1. */
export function isMultipleOf(value: SchemaNumber, of: SchemaNumber): boolean {
  const [a, b] = [decimalOf(value), decimalOf(of)];
  if (a.digits === 0n) return true;
  const least = Math.min(a.exponent, b.exponent);
  if (Math.max(a.exponent, b.exponent) - least > farApart) return false;
  return b.digits !== 0n && scale(a, least) % scale(b, least) === 0n;
}

/** Returns the same text for equal numbers. */
export function decimalText(value: SchemaNumber): string {
  const { digits, exponent } = decimalOf(value);
  return `${digits}e${exponent}`;
}

function scale({ digits, exponent }: Decimal, to: number): bigint {
  return digits * 10n ** BigInt(exponent - to);
}
