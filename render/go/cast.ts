// Lenient conversions between Go values like sprig's (spf13/cast 1.7.0 and sprig 3.3.0).

import { orUndefined } from '../core/catch.ts';
import { formatValue } from './format.ts';
import { parseFloat64, parseInt64 } from './number.ts';
import { isBytes } from './realm.ts';
import { decodeUtf8 } from './utf8.ts';
import { GoObject, type GoValue, Int } from './value.ts';

const minInt64 = -0x8000000000000000n;

/** Converts a float to an int64, truncated towards zero; out-of-range values become the smallest int64, as on amd64. */
function floatToInt64(value: number): bigint {
  const fits = value >= -(2 ** 63) && value < 2 ** 63;
  return fits ? BigInt(Math.trunc(value)) : minInt64;
}

/**
 * Converts a value to an int64; 0 for non-numbers. A string can have a base prefix (`0x`, `0`), and may end in `.0`.
 * Mirrors: spf13/cast, `ToInt64` and `ToInt`, which are the same on 64 bits.
 */
export function toInt64(value: GoValue): bigint {
  if (typeof value === 'number') return floatToInt64(value);
  if (typeof value === 'boolean') return value ? 1n : 0n;
  if (value instanceof Int) return isCastable(value) ? BigInt.asIntN(64, value.value) : 0n;
  if (typeof value !== 'string') return 0n;
  return orUndefined(() => parseInt64(value.replace(/\.0+$/, ''), 0)) ?? 0n;
}

/**
 * Converts a value to a float64; 0 for non-numbers.
 * Mirrors: spf13/cast, `ToFloat64`.
 */
export function toFloat64(value: GoValue): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (value instanceof Int) return isCastable(value) ? Number(value.value) : 0;
  if (typeof value !== 'string') return 0;
  return orUndefined(() => parseFloat64(value)) ?? 0;
}

// Of the named integer types cast supports two, and time.Duration is not one of them.
function isCastable(value: Int): boolean {
  return value.type === value.kind || value.type === 'time.Month' || value.type === 'time.Weekday';
}

/**
 * Converts a value to text: strings and bytes unchanged, values with a `String` method by calling it, others with `%v`.
 * Mirrors: sprig, strings.go, `strval`.
 */
export function strval(value: GoValue): string {
  if (isBytes(value)) return decodeUtf8(value);
  if (value instanceof GoObject) return value.string() ?? formatValue(value);
  return formatValue(value);
}
