// Numbers of schemas and values as exact decimals. Go uses big.Rat.

import { JsonNumber } from '../../../codec/json.ts';
import { type GoValue, Int } from '../../../go/value.ts';
import { isSchemaNumber } from '../model.ts';
import type { Draft2020Number } from './model.ts';

/** Reports whether a value is a number. */
export function isDraft2020Number(value: GoValue | undefined): value is Draft2020Number {
  return isSchemaNumber(value) || value instanceof JsonNumber;
}

/** A number `digits` times ten to the power of `exponent`, without trailing zeros in the digits. */
interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

// Numbers with a larger difference of exponents are not added; float64 values never reach it.
const farApart = 5000;

function decimalOf(value: Draft2020Number): Decimal {
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
export function isIntegral(value: Draft2020Number): boolean {
  return decimalOf(value).exponent >= 0;
}

/** Returns a number without a fraction as an int; undefined for other numbers. */
export function toSafeInteger(value: Draft2020Number): number | undefined {
  return isIntegral(value) ? floatOf(value) : undefined;
}

/** Returns a number as a float64. */
export function floatOf(value: Draft2020Number): number {
  if (value instanceof Int) return Number(value.value);
  return value instanceof JsonNumber ? Number(value.text) : value;
}

/** Compares two numbers by value: negative, zero or positive. */
export function compareDecimals(a: Draft2020Number, b: Draft2020Number): number {
  const [x, y] = [decimalOf(a), decimalOf(b)];
  const least = Math.min(x.exponent, y.exponent);
  if (Math.max(x.exponent, y.exponent) - least > farApart) return floatOf(a) - floatOf(b);
  const difference = scale(x, least) - scale(y, least);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** Reports whether a number is a multiple of another, non-zero one: 0.3 is a multiple of 0.1. */
export function isMultipleOf(value: Draft2020Number, of: Draft2020Number): boolean {
  const [a, b] = [decimalOf(value), decimalOf(of)];
  if (a.digits === 0n) return true;
  const least = Math.min(a.exponent, b.exponent);
  if (Math.max(a.exponent, b.exponent) - least > farApart) return false;
  return b.digits !== 0n && scale(a, least) % scale(b, least) === 0n;
}

/** Returns the same text for equal numbers. */
export function decimalText(value: Draft2020Number): string {
  const { digits, exponent } = decimalOf(value);
  return `${digits}e${exponent}`;
}

function scale({ digits, exponent }: Decimal, to: number): bigint {
  return digits * 10n ** BigInt(exponent - to);
}
