// The duration functions of Helm 4.3.
// Mirrors: helm.sh/helm/v4/pkg/engine, funcs.go, v4.3.0.

import { orUndefined } from '../core/catch.ts';
import { formatValue } from '../go/format.ts';
import { parseFloat64, quote } from '../go/number.ts';
import { parseDuration, roundDuration, second, toDuration, truncateDuration } from '../go/time/duration.ts';
import { trimSpace } from '../go/trim.ts';
import { type FuncMap, func, GoError, type GoValue, Int, int64, typeOf } from '../go/value.ts';

const limit = 2n ** 63n;
const [minute, hour] = [60n * second, 3600n * second];

/** The functions by name. All except `mustToDuration` treat an invalid duration as 0. */
export const durationFuncs: FuncMap = new Map([
  ['mustToDuration', func(['any'], (value) => toDuration(durationOf(value)))],
  ['durationSeconds', func(['any'], (value) => inUnit(orZero(value), second))],
  ['durationMinutes', func(['any'], (value) => inUnit(orZero(value), minute))],
  ['durationHours', func(['any'], (value) => inUnit(orZero(value), hour))],
  ['durationDays', func(['any'], (value) => inUnit(orZero(value), hour) / 24)],
  ['durationWeeks', func(['any'], (value) => inUnit(orZero(value), hour) / 24 / 7)],
  ['durationMilliseconds', func(['any'], (value) => int64(orZero(value) / 1_000_000n))],
  ['durationMicroseconds', func(['any'], (value) => int64(orZero(value) / 1000n))],
  ['durationNanoseconds', func(['any'], (value) => int64(orZero(value)))],
  ['durationRoundTo', func(['any', 'any'], (value, unit) => multiple(value, unit, roundDuration))],
  ['durationTruncateTo', func(['any', 'any'], (value, unit) => multiple(value, unit, truncateDuration))],
]);

// Whole and fractional parts separately, like Go.
function inUnit(value: bigint, unit: bigint): number {
  return Number(value / unit) + Number(value % unit) / Number(unit);
}

function multiple(value: GoValue, unit: GoValue, cut: (value: bigint, unit: bigint) => bigint): Int {
  const whole = orUndefined(() => durationOf(value));
  if (whole === undefined) return toDuration(0n);
  const step = orUndefined(() => durationOf(unit));
  return toDuration(step === undefined || step <= 0n ? whole : cut(whole, step));
}

function orZero(value: GoValue): bigint {
  return orUndefined(() => durationOf(value)) ?? 0n;
}

// In nanoseconds; a number is in seconds.
// Mirrors: `asDuration`.
function durationOf(value: GoValue): bigint {
  if (value instanceof Int) return value.type === 'time.Duration' ? value.value : ofSeconds(value.value);
  if (typeof value === 'number') return ofFloat(value);
  if (value === null) throw new GoError('invalid duration');
  if (typeof value !== 'string') throw new GoError(`unsupported duration type ${typeOf(value)}`);
  const text = trimSpace(value);
  if (text === '') throw new GoError('empty duration');
  const parsed = orUndefined(() => parseDuration(text));
  if (parsed !== undefined) return parsed;
  const seconds = orUndefined(() => parseFloat64(text));
  if (seconds === undefined) throw new GoError(`could not parse duration ${quote(value)}`);
  return ofFloat(seconds);
}

function ofSeconds(seconds: bigint): bigint {
  const most = (limit - 1n) / second;
  if (seconds > most || seconds < -most) throw new GoError(`duration seconds overflow: ${seconds}`);
  return seconds * second;
}

function ofFloat(seconds: number): bigint {
  if (!Number.isFinite(seconds)) throw new GoError(`invalid duration seconds: ${formatValue(seconds)}`);
  const most = Number(limit) / Number(second);
  if (Math.abs(seconds) > most) throw new GoError(`duration seconds overflow: ${formatValue(seconds)}`);
  const nanoseconds = BigInt(Math.trunc(seconds * Number(second)));
  // Out-of-range values are converted as on amd64.
  return nanoseconds >= limit ? -limit : nanoseconds;
}
