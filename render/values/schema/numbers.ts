// Exact arithmetic for numeric keywords of JSON Schema. Go uses big.Rat.

import { Int } from '../../go/value.ts';
import type { SchemaNumber } from './model.ts';

/** Reports whether a number has no fraction. */
export function isWhole(value: SchemaNumber): boolean {
  return value instanceof Int || Number.isInteger(value);
}

/** Compares two numbers by value: negative, zero or positive. */
export function compareNumbers(a: SchemaNumber, b: SchemaNumber): number {
  if (a instanceof Int && b instanceof Int) return a.value < b.value ? -1 : a.value > b.value ? 1 : 0;
  return Number(a instanceof Int ? a.value : a) - Number(b instanceof Int ? b.value : b);
}

/** Reports whether a decimal number is a multiple of another: 0.3 is a multiple of 0.1. */
export function isMultiple(value: SchemaNumber, of: SchemaNumber): boolean {
  const a = decimal(value);
  const b = decimal(of);
  const exponent = Math.min(a.exponent, b.exponent);
  return scale(a, exponent) % scale(b, exponent) === 0n;
}

interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

function decimal(value: SchemaNumber): Decimal {
  if (value instanceof Int) return { digits: value.value, exponent: 0 };
  const [, whole, fraction = '', exponent = '0'] = /^(-?\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value)) ?? [];
  return { digits: BigInt(`${whole ?? 0}${fraction}`), exponent: Number(exponent) - fraction.length };
}

function scale({ digits, exponent }: Decimal, to: number): bigint {
  return digits * 10n ** BigInt(exponent - to);
}
