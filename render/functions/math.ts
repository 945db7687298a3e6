// The number functions of sprig: integers overflow at 64 bits, the `…f` variants use decimals, and conversions never fail.
// Mirrors: Masterminds/sprig, numeric.go and functions.go, v3.3.0; shopspring/decimal, decimal.go, v1.4.0.

import { orUndefined } from '../core/catch.ts';
import { meter } from '../core/limits.ts';
import { toFloat64, toInt64 } from '../go/cast.ts';
import { formatValue } from '../go/format.ts';
import { nearestInt64, parseInt64 } from '../go/number.ts';
import { type FuncMap, func, GoError, type GoValue, Int, int, int64, typedSlice, variadic } from '../go/value.ts';

const max = variadic(['any'], 'any', (first, rest) => int64([first, ...rest].map(toInt64).reduce(larger)));

export const mathFuncs: FuncMap = new Map([
  ['int', func(['any'], (value) => int(toInt64(value)))],
  ['int64', func(['any'], (value) => int64(toInt64(value)))],
  ['float64', func(['any'], toFloat64)],
  // sprig ignores errors of Go's Atoi.
  ['atoi', func(['string'], (text) => new Int(nearestInt64(text), 'int'))],
  ['toDecimal', func(['any'], (value) => int64(orUndefined(() => parseInt64(formatValue(value), 8)) ?? 0n))],

  ['add', variadic([], 'any', (values) => int64(values.reduce((sum: bigint, value) => sum + toInt64(value), 0n)))],
  ['add1', func(['any'], (value) => int64(toInt64(value) + 1n))],
  ['sub', func(['any', 'any'], (a, b) => int64(toInt64(a) - toInt64(b)))],
  ['mul', variadic(['any'], 'any', (first, rest) => int64(rest.map(toInt64).reduce((a, b) => a * b, toInt64(first))))],
  ['div', func(['any', 'any'], (a, b) => int64(toInt64(a) / divisor(b)))],
  ['mod', func(['any', 'any'], (a, b) => int64(toInt64(a) % divisor(b)))],
  ['max', max],
  ['biggest', max],
  ['min', variadic(['any'], 'any', (first, rest) => int64([first, ...rest].map(toInt64).reduce(smaller)))],

  ['addf', variadic([], 'any', (values) => fold(add, [0, ...values]))],
  ['add1f', func(['any'], (value) => fold(add, [value, 1]))],
  ['subf', variadic(['any'], 'any', (first, rest) => fold(subtract, [first, ...rest]))],
  ['mulf', variadic(['any'], 'any', (first, rest) => fold(multiply, [first, ...rest]))],
  ['divf', variadic(['any'], 'any', (first, rest) => fold(divide, [first, ...rest]))],
  ['maxf', variadic(['any'], 'any', (first, rest) => rest.map(toFloat64).reduce(maxFloat, toFloat64(first)))],
  ['minf', variadic(['any'], 'any', (first, rest) => -rest.map(negative).reduce(maxFloat, negative(first)))],
  ['floor', func(['any'], (value) => Math.floor(toFloat64(value)))],
  ['ceil', func(['any'], (value) => Math.ceil(toFloat64(value)))],
  ['round', variadic(['any', 'int'], 'float64', round)],

  ['until', func(['int'], (count) => intSlice(countUntil(0, count, count < 0 ? -1 : 1)))],
  ['untilStep', func(['int', 'int', 'int'], (start, stop, step) => intSlice(countUntil(start, stop, step)))],
  ['seq', variadic([], 'int', seq)],
]);

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

function smaller(a: bigint, b: bigint): bigint {
  return a > b ? b : a;
}

function divisor(value: GoValue): bigint {
  const number = toInt64(value);
  if (number === 0n) throw new GoError('runtime error: integer divide by zero');
  return number;
}

function fold(operation: (a: ScaledDecimal, b: ScaledDecimal) => ScaledDecimal, values: readonly GoValue[]): number {
  // In sequence: the first error is reported.
  const [first = 0, ...rest] = values;
  const read = (value: GoValue): ScaledDecimal => fromFloat(toFloat64(value));
  return toFloat(rest.reduce((result: ScaledDecimal, value) => operation(result, read(value)), read(first)));
}

function negative(value: GoValue): number {
  return -toFloat64(value);
}

// Like Math.max, except that infinity takes precedence over NaN.
function maxFloat(a: number, b: number): number {
  return a === Number.POSITIVE_INFINITY || b === Number.POSITIVE_INFINITY ? Number.POSITIVE_INFINITY : Math.max(a, b);
}

// Considers the sign of the fraction, so that every negative number with a fraction is rounded down.
function round(value: GoValue, places: number, [roundOn = 0.5]: readonly number[]): number {
  const power = powerOfTen(places);
  const digits = power * toFloat64(value);
  const fraction = digits - Math.trunc(digits);
  return (fraction >= roundOn ? Math.ceil(digits) : Math.floor(digits)) / power;
}

// Go's Pow squares mantissa and exponent separately; the last bit of large powers depends on it.
// Mirrors: Go, math, `Pow` for the base 10.
function powerOfTen(places: number): number {
  let result = 1;
  let resultExponent = 0;
  let factor = 0.625;
  let exponent = 4;
  for (let n = Math.abs(places); n > 0; n = Math.floor(n / 2)) {
    if (exponent > 4096) {
      resultExponent += exponent;
      break;
    }
    if (n % 2 === 1) {
      result *= factor;
      resultExponent += exponent;
    }
    factor *= factor;
    exponent *= 2;
    if (factor < 0.5) {
      factor += factor;
      exponent--;
    }
  }
  return places < 0 ? scale(1 / result, -resultExponent) : scale(result, resultExponent);
}

// `value * 2 ** exponent`, in two steps because the power alone can overflow.
function scale(value: number, exponent: number): number {
  const half = Math.trunc(exponent / 2);
  return value * 2 ** half * 2 ** (exponent - half);
}

// Go would continue until it runs out of memory, and so would this function, which callers cannot catch.
const maxCount = 2 ** 26;

function countUntil(start: number, stop: number, step: number): number[] {
  if (step !== 0 && (stop - start) / step > maxCount) throw new GoError('growslice: len out of range');
  meter.expect(16 * ((stop - start) / step));
  const numbers: number[] = [];
  if (stop < start) for (let i = start; step < 0 && i > stop; i += step) numbers.push(i);
  else for (let i = start; step > 0 && i < stop; i += step) numbers.push(i);
  return numbers;
}

function intSlice(numbers: readonly number[]): GoValue {
  return typedSlice('[]int', numbers.map(int));
}

// One argument counts from 1 to it, two from the first to the second, three in steps; the end is included and never exceeded.
function seq(bounds: readonly number[]): string {
  if (bounds.length < 1 || bounds.length > 3) return '';
  const start = bounds.length === 1 ? 1 : bounds[0]!;
  const end = bounds.at(-1)!;
  const direction = end < start ? -1 : 1;
  const step = bounds.length === 3 ? bounds[1]! : direction;
  if (direction < 0 && step > 0) return '';
  return countUntil(start, end + direction, step).join(' ');
}

/** A number `coefficient * 10 ** exponent`. */
interface ScaledDecimal {
  readonly coefficient: bigint;
  readonly exponent: number;
}

// Number of decimal places that `divide` keeps.
const divisionPrecision = 16;

/** Returns the decimal with the fewest digits that is read as the float. Throws `GoError` for infinities and NaN. */
function fromFloat(value: number): ScaledDecimal {
  if (!Number.isFinite(value)) throw new GoError(`Cannot create a Decimal from ${formatValue(value)}`);
  const [mantissa = '0', exponent = '0'] = value.toExponential().split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  return { coefficient: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}

/** Returns the float nearest to the decimal. */
function toFloat(decimal: ScaledDecimal): number {
  return Number(`${decimal.coefficient}e${decimal.exponent}`);
}

function add(a: ScaledDecimal, b: ScaledDecimal): ScaledDecimal {
  const exponent = Math.min(a.exponent, b.exponent);
  return { coefficient: coefficientAt(a, exponent) + coefficientAt(b, exponent), exponent };
}

function subtract(a: ScaledDecimal, b: ScaledDecimal): ScaledDecimal {
  return add(a, { coefficient: -b.coefficient, exponent: b.exponent });
}

function multiply(a: ScaledDecimal, b: ScaledDecimal): ScaledDecimal {
  return { coefficient: a.coefficient * b.coefficient, exponent: a.exponent + b.exponent };
}

/** Returns the quotient, rounded half away from zero to 16 decimal places. Throws `GoError` for a zero divisor. */
function divide(a: ScaledDecimal, b: ScaledDecimal): ScaledDecimal {
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
