// Points in time: the result of `now` and `toDate`, with methods.
// Mirrors: Go, time, time.go, 1.23.

import { encodeUtf8 } from '../utf8.ts';
import { func, GoError, type GoFunc, GoObject, type GoValue, Int, int, int64, NilPointer } from '../value.ts';
import { quoteBytes, saturate, second, toDuration } from './duration.ts';
import { type Civil, monthNames, type Parsed, parseLayout, printLayout, timeError, weekdayNames } from './layout.ts';
import { fixedZone, utc, type Zone } from './zone.ts';

/** RFC 3339 with as many fractional digits as needed: the JSON form of times. */
export const rfc3339Nano = '2006-01-02T15:04:05.999999999Z07:00';

/** Nanoseconds from January 1 of year 1, Go's zero time, to 1970. */
const yearOne = -62135596800n * second;

/** A point in time with a zone: `time.Time`. */
export class Time extends GoObject {
  readonly type = 'time.Time';
  /** Nanoseconds since 1970. */
  readonly unixNanos: bigint;
  readonly zone: Zone;
  /** The local zone, for the method `Local`. */
  readonly local: Zone;
  #parts: Civil | undefined;

  constructor(unixNanos: bigint, zone: Zone, local: Zone = zone) {
    super();
    this.unixNanos = unixNanos;
    this.zone = zone;
    this.local = local;
  }

  /** Returns the whole seconds since 1970. */
  get unixSeconds(): bigint {
    return floorDivide(this.unixNanos, second);
  }

  /** Returns the same point in time in another zone. */
  in(zone: Zone): Time {
    return new Time(this.unixNanos, zone, this.local);
  }

  /** Returns the time a number of nanoseconds later. */
  add(nanoseconds: bigint): Time {
    return new Time(this.unixNanos + nanoseconds, this.zone, this.local);
  }

  civil(): Civil {
    this.#parts ??= civilOf(this);
    return this.#parts;
  }

  override string(): string {
    return formatGoTime(this, '2006-01-02 15:04:05.999999999 -0700 MST');
  }

  override goString(): string {
    const { year, month, day, hour, minute, second: seconds, nanosecond } = this.civil();
    const { zone } = this;
    const local = zone.name === 'Local' || (zone.name === 'UTC' && zone !== utc);
    const place = zone === utc ? 'time.UTC' : local ? 'time.Local' : `time.Location(${quoteBytes(zone.name)})`;
    const rest = [day, hour, minute, seconds, nanosecond].join(', ');
    return `time.Date(${year}, time.${monthNames[month - 1]}, ${rest}, ${place})`;
  }

  override json(): GoValue {
    return marshal(this, 'MarshalJSON');
  }

  override layout(): ReadonlyMap<string, GoValue> {
    const nanosecond = new Int(BigInt(this.civil().nanosecond), 'uint64');
    const seconds = int64(floorDivide(this.unixNanos - yearOne, second));
    return new Map<string, GoValue>([
      ['wall', nanosecond],
      ['ext', seconds],
      ['loc', this.zone === utc ? new NilPointer('*time.Location') : this.zone],
    ]);
  }

  override method(name: string): GoFunc | undefined {
    return timeMethods.get(name)?.(this);
  }
}

/** Returns Go's zero time, January 1 of year 1 in UTC: the result of a failed parse. `local` is the local zone. */
export function zeroGoTime(local: Zone): Time {
  return new Time(yearOne, utc, local);
}

function floorDivide(value: bigint, unit: bigint): bigint {
  const quotient = value / unit;
  return value % unit < 0n ? quotient - 1n : quotient;
}

const firstOfGo = -9223372028715321600n;

function civilOf(time: Time): Civil {
  const unixSeconds = time.unixSeconds;
  const offset = time.zone.offsetAt(Number(unixSeconds));
  const atPlace = unixSeconds + BigInt(offset);
  // Go counts unsigned seconds from the first day of year -292277022399: earlier times wrap around to the end.
  const local = atPlace < firstOfGo ? atPlace + (1n << 64n) : atPlace;
  const days = Number(floorDivide(local, 86400n));
  const secondOfDay = Number(local - BigInt(days) * 86400n);
  const date = dateOf(days);
  return {
    ...date,
    hour: Math.floor(secondOfDay / 3600),
    minute: Math.floor(secondOfDay / 60) % 60,
    second: secondOfDay % 60,
    nanosecond: Number(time.unixNanos - unixSeconds * second),
    weekday: (((days + 4) % 7) + 7) % 7,
    yearDay: days - daysBefore(date.year, 1, 1) + 1,
    offset,
    zoneName: () => time.zone.shortNameAt(Number(unixSeconds)),
  };
}

/** Returns the date a number of days after January 1, 1970, in the proleptic Gregorian calendar. */
function dateOf(days: number): { year: number; month: number; day: number } {
  // Eras of 400 years, with years that start in March so that the leap day is last.
  const shifted = days + 719468;
  const era = Math.floor(shifted / 146097);
  const dayOfEra = shifted - era * 146097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36524) - Math.floor(dayOfEra / 146096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1,
  };
}

/** Returns the days from 1970 to a date. Months and days out of range are normalized. */
function daysBefore(year: number, month: number, day: number): number {
  const carried = year + Math.floor((month - 1) / 12);
  const wrapped = ((((month - 1) % 12) + 12) % 12) + 1;
  const shiftedYear = wrapped <= 2 ? carried - 1 : carried;
  const era = Math.floor(shiftedYear / 400);
  const yearOfEra = shiftedYear - era * 400;
  const dayOfYear = Math.floor((153 * (wrapped > 2 ? wrapped - 3 : wrapped + 9) + 2) / 5);
  return (
    era * 146097 +
    yearOfEra * 365 +
    Math.floor(yearOfEra / 4) -
    Math.floor(yearOfEra / 100) +
    dayOfYear +
    day -
    1 -
    719468
  );
}

type Clock = Pick<Civil, 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second' | 'nanosecond'>;

/**
 * Returns the time with the given local parts in a zone.
 * Mirrors: `Date`.
 */
function timeAt(clock: Clock, zone: Zone): Time {
  const days = daysBefore(clock.year, clock.month, clock.day);
  const local = days * 86400 + clock.hour * 3600 + clock.minute * 60 + clock.second;
  // The offset for the local time taken as UTC may be on the wrong side of a transition; a second lookup corrects it.
  const guess = zone.offsetAt(local);
  const offset = guess === 0 ? 0 : zone.offsetAt(local - guess);
  return new Time(BigInt(local - offset) * second + BigInt(clock.nanosecond), zone);
}

/**
 * Formats a time with a Go layout such as `2006-01-02T15:04:05Z07:00`.
 * Mirrors: `Time.Format`.
 */
export function formatGoTime(time: Time, layout: string): string {
  return printLayout(layout, time.civil());
}

/**
 * Parses a time with a Go layout, in UTC unless the text or `zone` specify otherwise. Throws `GoError` with Go's message.
 * Mirrors: `Parse` and `ParseInLocation`.
 */
export function parseGoTime(layout: string, text: string, zone: Zone = utc): Time {
  const parsed = parseLayout(layout, text);
  const clock = clockOf(parsed, text);
  if (parsed.utc === true) return timeAt(clock, utc);
  if (parsed.offset !== undefined) return withOffset(timeAt(clock, utc), parsed.offset, parsed.zoneName, zone);
  if (parsed.zoneName !== undefined) return withZoneName(timeAt(clock, utc), parsed.zoneName, zone);
  return timeAt(clock, zone);
}

function clockOf(parsed: Parsed, text: string): Clock {
  const { year, minute, second: seconds, nanosecond, afternoon } = parsed;
  let { hour } = parsed;
  if (afternoon === true && hour < 12) hour += 12;
  if (afternoon === false && hour === 12) hour = 0;
  let { month, day } = parsed;
  if (parsed.yearDay !== undefined) {
    const date = dateOf(daysBefore(year, 1, parsed.yearDay));
    if (date.year !== year) throw timeError(text, 'day-of-year out of range');
    if (month !== undefined && month !== date.month) throw timeError(text, 'day-of-year does not match month');
    if (day !== undefined && day !== date.day) throw timeError(text, 'day-of-year does not match day');
    ({ month, day } = date);
  }
  month ??= 1;
  day ??= 1;
  if (day < 1 || day > daysBefore(year, month + 1, 1) - daysBefore(year, month, 1)) {
    throw timeError(text, 'day out of range');
  }
  return { year, month, day, hour, minute, second: seconds, nanosecond };
}

// A zone with this offset at this time is used; otherwise one is made up.
function withOffset(time: Time, offset: number, name: string | undefined, zone: Zone): Time {
  const moved = time.add(BigInt(-offset) * second);
  const seconds = Number(moved.unixSeconds);
  const fits = zone.offsetAt(seconds) === offset && (name === undefined || zone.shortNameAt(seconds) === name);
  return new Time(moved.unixNanos, fits ? zone : fixedZone(name ?? '', offset), zone);
}

function withZoneName(time: Time, name: string, zone: Zone): Time {
  // The offset of the abbreviation is searched for around that time, in winter and summer.
  const seconds = Number(time.unixSeconds);
  for (const at of [seconds, seconds - 15_778_800, seconds + 15_778_800]) {
    const offset = zone.offsetAt(at);
    if (zone.shortNameAt(at - offset) === name || zone.shortNameAt(at) === name) {
      return new Time(time.unixNanos - BigInt(offset) * second, zone);
    }
  }
  const offset = /^GMT[+-]/.test(name) ? Number(name.slice(3)) * 3600 : 0;
  return new Time(time.unixNanos, fixedZone(name, offset), zone);
}

function marshal(time: Time, method: string): string {
  const { year, offset } = time.civil();
  const fail = (reason: string): never => {
    throw new GoError(`Time.${method}: ${reason}`);
  };
  if (year < 0 || year > 9999) fail('year outside of range [0,9999]');
  if (Math.abs(offset) >= 24 * 3600) fail('timezone hour outside of range [0,23]');
  return formatGoTime(time, rfc3339Nano);
}

/** Returns Go's serialized form of a time: seconds since year 1, nanoseconds, the zone's minutes, and its seconds if it has some. */
function marshalBinary(time: Time): GoValue {
  const { offset, nanosecond } = time.civil();
  const minutes = time.zone === utc ? -1 : Math.trunc(offset / 60);
  const unusual = minutes < -0x8000 || minutes > 0x7fff || (minutes === -1 && time.zone !== utc);
  if (unusual) throw new GoError('Time.MarshalBinary: unexpected zone offset');
  const bytes = new DataView(new ArrayBuffer(offset % 60 === 0 ? 15 : 16));
  bytes.setUint8(0, offset % 60 === 0 ? 1 : 2);
  bytes.setBigInt64(1, floorDivide(time.unixNanos - yearOne, second));
  bytes.setUint32(9, nanosecond);
  bytes.setInt16(13, minutes);
  if (bytes.byteLength === 16) bytes.setInt8(15, offset % 60);
  return new Uint8Array(bytes.buffer);
}

function appended(bytes: Uint8Array | null, text: string): Uint8Array {
  return new Uint8Array([...(bytes ?? []), ...encodeUtf8(text)]);
}

function part(name: 'day' | 'hour' | 'minute' | 'second' | 'nanosecond' | 'year' | 'yearDay'): (time: Time) => GoFunc {
  return (time) => func([], () => int(time.civil()[name]));
}

function getter(get: (time: Time) => GoValue): (time: Time) => GoFunc {
  return (time) => func([], () => get(time));
}

function comparer(test: (time: bigint, other: bigint) => GoValue): (time: Time) => GoFunc {
  return (time) => func(['time.Time'], (other) => test(time.unixNanos, (other as Time).unixNanos));
}

function named(value: number, type: string, names: readonly string[]): Int {
  const text = (): string => names[value - (type === 'time.Month' ? 1 : 0)]!;
  return new Int(BigInt(value), 'int', type, text, new Map([['String', func([], text)]]));
}

/** Returns the multiple of a duration at or before a time, or with `nearest` the nearest one, rounding half up. */
function multiple(time: Time, unit: bigint, nearest: boolean): Time {
  if (unit <= 0n) return time;
  // Go counts multiples from the zero time, not from 1970.
  const sinceZero = time.unixNanos - yearOne;
  const rest = sinceZero - floorDivide(sinceZero, unit) * unit;
  return time.add(nearest && rest + rest >= unit ? unit - rest : -rest);
}

// Zones are known by their offsets only: the smaller one of the year counts as standard time.
function isDaylightSaving(time: Time): boolean {
  const { year, offset } = time.civil();
  const offsets = [1, 7].map((month) => time.zone.offsetAt(daysBefore(year, month, 1) * 86400));
  return offset > Math.min(...offsets);
}

function addDate(time: Time, years: number, months: number, days: number): Time {
  const clock = time.civil();
  return timeAt({ ...clock, year: clock.year + years, month: clock.month + months, day: clock.day + days }, time.zone);
}

/**
 * Declares a method that templates cannot call, because they accept one result, or one and an error.
 * Mirrors: `goodFunc`.
 */
function unfit(name: string, results: readonly string[]): GoFunc {
  const [, second] = results;
  const reason =
    results.length === 2
      ? `invalid function signature for ${name}: second return value should be error; is ${second}`
      : `function ${name} has ${results.length} return values; should be 1 or 2`;
  return { params: [], call: () => null, unfit: reason };
}

const timeMethods: ReadonlyMap<string, (time: Time) => GoFunc> = new Map([
  ['Format', (time) => func(['string'], (layout) => formatGoTime(time, layout))],
  ['String', getter((time) => time.string())],
  ['GoString', getter((time) => time.goString())],
  ['Year', part('year')],
  ['Month', getter((time) => named(time.civil().month, 'time.Month', monthNames))],
  ['Day', part('day')],
  ['Hour', part('hour')],
  ['Minute', part('minute')],
  ['Second', part('second')],
  ['Nanosecond', part('nanosecond')],
  ['Weekday', getter((time) => named(time.civil().weekday, 'time.Weekday', weekdayNames))],
  ['YearDay', part('yearDay')],
  ['Unix', getter((time) => int64(time.unixSeconds))],
  ['UnixMilli', getter((time) => int64(floorDivide(time.unixNanos, 1_000_000n)))],
  ['UnixMicro', getter((time) => int64(floorDivide(time.unixNanos, 1000n)))],
  ['UnixNano', getter((time) => int64(time.unixNanos))],
  ['UTC', getter((time) => time.in(utc))],
  ['Local', getter((time) => time.in(time.local))],
  ['IsDST', getter(isDaylightSaving)],
  ['In', (time) => func(['*time.Location'], (zone) => time.in(zone as Zone))],
  ['Location', getter((time) => time.zone)],
  ['IsZero', getter((time) => time.unixNanos === yearOne)],
  ['Add', (time) => func(['time.Duration'], (nanoseconds) => time.add(nanoseconds))],
  ['AddDate', (time) => func(['int', 'int', 'int'], (years, months, days) => addDate(time, years, months, days))],
  ['Sub', comparer((time, other) => toDuration(saturate(time - other)))],
  ['After', comparer((time, other) => time > other)],
  ['Before', comparer((time, other) => time < other)],
  ['Equal', comparer((time, other) => time === other)],
  ['Compare', comparer((time, other) => int(time < other ? -1 : time > other ? 1 : 0))],
  ['Truncate', (time) => func(['time.Duration'], (unit) => multiple(time, unit, false))],
  ['Round', (time) => func(['time.Duration'], (unit) => multiple(time, unit, true))],
  ['MarshalJSON', getter((time) => encodeUtf8(`"${marshal(time, 'MarshalJSON')}"`))],
  ['MarshalBinary', getter(marshalBinary)],
  ['GobEncode', getter(marshalBinary)],
  [
    'AppendFormat',
    (time) => func(['[]uint8', 'string'], (bytes, layout) => appended(bytes, formatGoTime(time, layout))),
  ],
  ['Clock', () => unfit('Clock', ['int', 'int', 'int'])],
  ['Date', () => unfit('Date', ['int', 'time.Month', 'int'])],
  ['ISOWeek', () => unfit('ISOWeek', ['int', 'int'])],
  ['Zone', () => unfit('Zone', ['string', 'int'])],
  ['ZoneBounds', () => unfit('ZoneBounds', ['time.Time', 'time.Time'])],
  ['MarshalText', getter((time) => encodeUtf8(marshal(time, 'MarshalText')))],
]);
