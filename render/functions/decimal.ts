// Arbitrary-precision decimal arithmetic, and conversion from and to float64.
// Mirrors: shopspring/decimal, decimal.go, v1.4.0.

import { formatValue } from '../go/format.ts';
import { GoError } from '../go/value.ts';

/** A number `coefficient * 10 ** exponent`. */
export interface ScaledDecimal {
  readonly coefficient: bigint;
  readonly exponent: number;
}

// Number of decimal places that `divide` keeps.
const divisionPrecision = 16;

/** Returns the decimal with the fewest digits that is read as the float. Throws `GoError` for infinities and NaN. */
export function fromFloat(value: number): ScaledDecimal {
  if (!Number.isFinite(value)) throw new GoError(`Cannot create a Decimal from ${formatValue(value)}`);
  const [mantissa = '0', exponent = '0'] = value.toExponential().split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  return { coefficient: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}

/** Returns the float nearest to the decimal. */
export function toFloat(decimal: ScaledDecimal): number {
  return Number(`${decimal.coefficient}e${decimal.exponent}`);
}

/** Returns the sum. */
export function add(a: ScaledDecimal, b: ScaledDecimal): ScaledDecimal {
  const exponent = Math.min(a.exponent, b.exponent);
  return { coefficient: coefficientAt(a, exponent) + coefficientAt(b, exponent), exponent };
}

/** Returns the difference. */
export function subtract(a: ScaledDecimal, b: ScaledDecimal): ScaledDecimal {
  return add(a, { coefficient: -b.coefficient, exponent: b.exponent });
}

/** Returns the product. */
export function multiply(a: ScaledDecimal, b: ScaledDecimal): ScaledDecimal {
  return { coefficient: a.coefficient * b.coefficient, exponent: a.exponent + b.exponent };
}

/** Returns the quotient, rounded half away from zero to 16 decimal places. Throws `GoError` for a zero divisor. */
export function divide(a: ScaledDecimal, b: ScaledDecimal): ScaledDecimal {
  if (b.coefficient === 0n) throw new GoError('decimal division by 0');
  const shift = a.exponent - b.exponent + divisionPrecision;
  const dividend = magnitude(a.coefficient) * 10n ** BigInt(Math.max(0, shift));
  const divisor = magnitude(b.coefficient) * 10n ** BigInt(Math.max(0, -shift));
  const quotient = dividend / divisor;
  const rounded = 2n * (dividend % divisor) >= divisor ? quotient + 1n : quotient;
  const isNegative = a.coefficient < 0n !== b.coefficient < 0n;
  return { coefficient: isNegative ? -rounded : rounded, exponent: -divisionPrecision };
}

function coefficientAt(decimal: ScaledDecimal, exponent: number): bigint {
  return decimal.coefficient * 10n ** BigInt(decimal.exponent - exponent);
}

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value;
}
