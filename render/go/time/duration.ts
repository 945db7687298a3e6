// Durations in nanoseconds: parse, format, round.
// Mirrors: Go, time, format.go and time.go, 1.23.

import { encodeUtf8 } from '../utf8.ts';
import { func, GoError, type GoFunc, Int, int64 } from '../value.ts';

/** One second in nanoseconds. */
export const second = 1_000_000_000n;
const minute = 60n * second;
const hour = 60n * minute;

const units: ReadonlyMap<string, bigint> = new Map([
  ['ns', 1n],
  ['us', 1000n],
  ['\u00b5s', 1000n], // the micro sign
  ['\u03bcs', 1000n], // the Greek letter mu
  ['ms', 1_000_000n],
  ['s', second],
  ['m', minute],
  ['h', hour],
]);

/** Exclusive upper bound of the magnitude; the largest duration is one less. */
const limit = 1n << 63n;

/**
 * Parses a duration such as `1h15m30.5s` into nanoseconds. Throws `GoError` with Go's message.
 * Mirrors: `ParseDuration`.
 */
export function parseDuration(text: string): bigint {
  const invalid = new GoError(`time: invalid duration ${quoteBytes(text)}`);
  const negative = text.startsWith('-');
  let rest = text.replace(/^[+-]/, '');
  if (rest === '0') return 0n;
  if (rest === '') throw invalid;
  let total = 0n;
  while (rest !== '') {
    const match = /^([0-9]*)(?:\.([0-9]*))?([^.0-9]*)/s.exec(rest)!;
    const [all, whole = '', fraction = '', unitName = ''] = match;
    if ((whole === '' && fraction === '') || BigInt(whole || '0') > limit) throw invalid;
    if (unitName === '') throw new GoError(`time: missing unit in duration ${quoteBytes(text)}`);
    const unit = units.get(unitName);
    if (unit === undefined) {
      throw new GoError(`time: unknown unit ${quoteBytes(unitName)} in duration ${quoteBytes(text)}`);
    }
    total += BigInt(whole || '0') * unit + fractionOf(fraction, unit);
    if (total > limit) throw invalid;
    rest = rest.slice(all.length);
  }
  if (negative) return -total;
  if (total === limit) throw invalid;
  return total;
}

// Go computes the fraction in float64 from the digits that fit into an int64.
function fractionOf(digits: string, unit: bigint): bigint {
  let used = digits;
  while (used !== '' && BigInt(used) > limit) used = used.slice(0, -1);
  if (used === '' || BigInt(used) === 0n) return 0n;
  return BigInt(Math.trunc(Number(used) * (Number(unit) / 10 ** used.length)));
}

/** Quotes like package time: non-printable and non-ASCII characters as bytes. */
export function quoteBytes(text: string): string {
  let quoted = '"';
  for (const byte of encodeUtf8(text)) {
    if (byte < 0x20 || byte >= 0x80) quoted += `\\x${byte.toString(16).padStart(2, '0')}`;
    else quoted += byte === 34 || byte === 92 ? `\\${String.fromCharCode(byte)}` : String.fromCharCode(byte);
  }
  return `${quoted}"`;
}

/**
 * Formats nanoseconds as a Go duration: `1h15m30.5s`, `1.5ms`, `0s`.
 * Mirrors: `Duration.String`.
 */
export function formatDuration(nanoseconds: bigint): string {
  if (nanoseconds === 0n) return '0s';
  const sign = nanoseconds < 0n ? '-' : '';
  const size = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  if (size < 1000n) return `${sign}${size}ns`;
  if (size < 1_000_000n) return `${sign}${withFraction(size, 1000n)}µs`;
  if (size < second) return `${sign}${withFraction(size, 1_000_000n)}ms`;
  const hours = size / hour;
  const minutes = (size % hour) / minute;
  const seconds = `${withFraction(size % minute, second)}s`;
  if (hours > 0n) return `${sign}${hours}h${minutes}m${seconds}`;
  return minutes > 0n ? `${sign}${minutes}m${seconds}` : sign + seconds;
}

function withFraction(size: bigint, unit: bigint): string {
  const fraction = (size % unit)
    .toString()
    .padStart(unit.toString().length - 1, '0')
    .replace(/(?<!0)0+$/, '');
  return `${size / unit}${fraction === '' ? '' : `.${fraction}`}`;
}

/**
 * Truncates a duration towards zero to a multiple of the unit.
 * Mirrors: `Duration.Truncate`.
 */
export function truncateDuration(nanoseconds: bigint, unit: bigint): bigint {
  return unit <= 0n ? nanoseconds : nanoseconds - (nanoseconds % unit);
}

/** Rounds a duration to the nearest multiple of the unit, half away from zero. Mirrors: `Duration.Round`. */
export function roundDuration(nanoseconds: bigint, unit: bigint): bigint {
  if (unit <= 0n) return nanoseconds;
  const size = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  const rest = size % unit;
  const rounded = size - rest + (rest + rest >= unit ? unit : 0n);
  return saturate(nanoseconds < 0n ? -rounded : rounded);
}

/** Clamps nanoseconds to the range of a duration. */
export function saturate(nanoseconds: bigint): bigint {
  if (nanoseconds >= limit) return limit - 1n;
  return nanoseconds < -limit ? -limit : nanoseconds;
}

/** Returns a `time.Duration`. */
export function toDuration(nanoseconds: bigint): Int {
  return new Int(
    nanoseconds,
    'int64',
    'time.Duration',
    () => formatDuration(nanoseconds),
    durationMethods(nanoseconds),
  );
}

function durationMethods(value: bigint): ReadonlyMap<string, GoFunc> {
  // Whole and fractional parts separately, like Go, so that large durations keep their fraction.
  const inUnit = (unit: bigint): number => Number(value / unit) + Number(value % unit) / Number(unit);
  return new Map<string, GoFunc>([
    ['String', func([], () => formatDuration(value))],
    ['Hours', func([], () => inUnit(hour))],
    ['Minutes', func([], () => inUnit(minute))],
    ['Seconds', func([], () => inUnit(second))],
    ['Milliseconds', func([], () => int64(value / 1_000_000n))],
    ['Microseconds', func([], () => int64(value / 1000n))],
    ['Nanoseconds', func([], () => int64(value))],
    ['Abs', func([], () => toDuration(saturate(value < 0n ? -value : value)))],
    ['Round', func(['time.Duration'], (unit) => toDuration(roundDuration(value, unit)))],
    ['Truncate', func(['time.Duration'], (unit) => toDuration(truncateDuration(value, unit)))],
  ]);
}
