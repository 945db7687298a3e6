// Date functions: now, date, dateModify, ago, duration, toDate and others.
// Mirrors: sprig, date.go, v3.3.0.

import { catchGoError, orUndefined } from '../core/catch.ts';
import type { Host } from '../core/host.ts';
import { nearestInt64 } from '../go/number.ts';
import { formatDuration, parseDuration, roundDuration, saturate, second } from '../go/time/duration.ts';
import { formatGoTime, parseGoTime, Time, zeroGoTime } from '../go/time/time.ts';
import { loadZone, localZone, utc, type Zone } from '../go/time/zone.ts';
import { type FuncMap, func, type GoFunc, type GoObject, type GoValue, Int } from '../go/value.ts';

const isoDate = '2006-01-02';

/** Returns the date functions; the time and the local zone come from the host. */
export function createDateFuncs(host: Host): FuncMap {
  const local = localZone(() => host.timeZone, host.timeZoneName);
  const now = (): Time => new Time(BigInt(Math.trunc(host.now() * 1000)) * 1000n, local);
  // A date is a time or an int of seconds since 1970; anything else is the current time.
  const timeOf = (date: GoValue, types: readonly string[]): Time => {
    if (date instanceof Time) return date;
    const isSeconds = date instanceof Int && types.includes(date.type);
    return isSeconds ? new Time(date.value * second, local) : now();
  };
  const print = (layout: string, date: GoValue, zone: Zone): string =>
    formatGoTime(timeOf(date, ['int', 'int64', 'int32']).in(zone), layout);
  const printIn = (layout: string, date: GoValue, name: string): string =>
    print(layout, date, name === 'Local' ? local : (loadZone(name) ?? utc));
  const since = (time: Time): bigint => saturate(now().unixNanos - time.unixNanos);

  const dateInZone = func(['string', 'any', 'string'], printIn);
  const dateModify = func(['string', 'time.Time'], (text, date) => {
    return catchGoError(
      () => modify(text, date),
      () => date,
    );
  });
  const mustDateModify = func(['string', 'time.Time'], modify);
  return new Map<string, GoFunc>([
    ['now', func([], now)],
    ['date', func(['string', 'any'], (layout, date) => print(layout, date, local))],
    ['dateInZone', dateInZone],
    ['date_in_zone', dateInZone],
    ['htmlDate', func(['any'], (date) => print(isoDate, date, local))],
    ['htmlDateInZone', func(['any', 'string'], (date, zone) => printIn(isoDate, date, zone))],
    ['dateModify', dateModify],
    ['date_modify', dateModify],
    ['mustDateModify', mustDateModify],
    ['must_date_modify', mustDateModify],
    ['ago', func(['any'], (date) => formatDuration(roundDuration(since(timeOf(date, ['int', 'int64'])), second)))],
    ['duration', func(['any'], (seconds) => formatDuration(BigInt.asIntN(64, secondsOf(seconds) * second)))],
    ['durationRound', func(['any'], (value) => coarse(value instanceof Time ? since(value) : durationOf(value)))],
    [
      'toDate',
      func(['string', 'string'], (layout, text) =>
        catchGoError(
          () => parseGoTime(layout, text, local),
          () => zeroGoTime(local),
        ),
      ),
    ],
    ['mustToDate', func(['string', 'string'], (layout, text) => parseGoTime(layout, text, local))],
    ['unixEpoch', func(['time.Time'], (date) => (date as Time).unixSeconds.toString())],
  ]);
}

function modify(text: string, date: GoObject): Time {
  return (date as Time).add(parseDuration(text));
}

/** Converts an argument of `duration` to seconds: an int64, or decimal digits; 0 for anything else. */
function secondsOf(value: GoValue): bigint {
  if (value instanceof Int && value.type === 'int64') return value.value;
  return typeof value === 'string' ? nearestInt64(value) : 0n;
}

/** Converts an argument of `durationRound` to a duration in nanoseconds: an int64 or a text; 0 for anything else. */
function durationOf(value: GoValue): bigint {
  if (value instanceof Int && value.type === 'int64') return value.value;
  return typeof value === 'string' ? (orUndefined(() => parseDuration(value)) ?? 0n) : 0n;
}

const coarseUnits: readonly [name: string, seconds: bigint][] = [
  ['y', 365n * 86400n],
  ['mo', 30n * 86400n],
  ['d', 86400n],
  ['h', 3600n],
  ['m', 60n],
  ['s', 1n],
];

/** Formats a duration in its largest unit with a value above one; `0s` if there is none. */
function coarse(nanoseconds: bigint): string {
  const size = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  for (const [name, seconds] of coarseUnits) {
    if (size > seconds * second) return `${size / (seconds * second)}${name}`;
  }
  return '0s';
}
