// Formats and parses times with Go's layouts, in which `2006-01-02 15:04:05` is the reference time.
// Mirrors: Go, time, format.go, 1.23.

import { GoError } from '../value.ts';
import { quoteBytes } from './duration.ts';

/** The local parts of a time. `month` is from 1, `weekday` from Sunday = 0, `yearDay` from 1. */
export interface Civil {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly nanosecond: number;
  readonly weekday: number;
  readonly yearDay: number;
  /** Seconds east of UTC. */
  readonly offset: number;
  /** The zone's abbreviation; may be empty. */
  readonly zoneName: () => string;
}

/** The English names of the months, January first. */
export const monthNames = 'January February March April May June July August September October November December'.split(
  ' ',
);
/** The English names of the weekdays, Sunday first. */
export const weekdayNames = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');

// The elements of a layout. `_2006` is an underscore and a year; fractional seconds must end with their digits.
const elements = new RegExp(
  [
    'January|Jan(?![a-z])|Monday|Mon(?![a-z])|MST|0[1-6]|002|15|1|2006|2|__2|_2(?!006)|3|4|5|PM|pm',
    '-070000|-07:00:00|-0700|-07:00|-07|Z070000|Z07:00:00|Z0700|Z07:00|Z07|[.,](?:0+|9+)(?![0-9])',
  ].join('|'),
  'g',
);

export function printLayout(layout: string, civil: Civil): string {
  return layout.replace(elements, (element) => printElement(element, civil));
}

function printElement(element: string, civil: Civil): string {
  const printer = printers[element];
  if (printer !== undefined) return printer(civil);
  if (/^[.,]/.test(element)) return printFraction(element, civil.nanosecond);
  return printOffset(element, civil.offset);
}

const two = (value: number): string => String(value).padStart(2, '0');
const hour12 = (civil: Civil): number => civil.hour % 12 || 12;

const printers: Readonly<Record<string, (civil: Civil) => string>> = {
  '2006': ({ year }) => (year < 0 ? '-' : '') + String(Math.abs(year)).padStart(4, '0'),
  '06': ({ year }) => two(Math.max(year, 0) % 100),
  January: ({ month }) => monthNames[month - 1]!,
  Jan: ({ month }) => monthNames[month - 1]!.slice(0, 3),
  '1': ({ month }) => String(month),
  '01': ({ month }) => two(month),
  Monday: ({ weekday }) => weekdayNames[weekday]!,
  Mon: ({ weekday }) => weekdayNames[weekday]!.slice(0, 3),
  '2': ({ day }) => String(day),
  _2: ({ day }) => String(day).padStart(2),
  '02': ({ day }) => two(day),
  __2: ({ yearDay }) => String(yearDay).padStart(3),
  '002': ({ yearDay }) => String(yearDay).padStart(3, '0'),
  '15': ({ hour }) => two(hour),
  '3': (civil) => String(hour12(civil)),
  '03': (civil) => two(hour12(civil)),
  '4': ({ minute }) => String(minute),
  '04': ({ minute }) => two(minute),
  '5': ({ second }) => String(second),
  '05': ({ second }) => two(second),
  PM: ({ hour }) => (hour >= 12 ? 'PM' : 'AM'),
  pm: ({ hour }) => (hour >= 12 ? 'pm' : 'am'),
  MST: ({ zoneName, offset }) => zoneName() || printOffset('-0700', offset),
};

function printFraction(element: string, nanosecond: number): string {
  // There are at most nine digits, even if the layout has more.
  const digits = String(nanosecond)
    .padStart(9, '0')
    .slice(0, element.length - 1);
  if (element[1] === '0') return element[0] + digits;
  const trimmed = digits.replace(/(?<!0)0+$/, '');
  return trimmed === '' ? '' : element[0] + trimmed;
}

// The element shows its own form: `-07:00:00` has two colons and seconds. `Z` prints a Z for UTC.
function printOffset(element: string, offset: number): string {
  if (element.startsWith('Z') && offset === 0) return 'Z';
  const minutes = Math.trunc(offset / 60);
  const colon = element.includes(':') ? ':' : '';
  let text = `${minutes < 0 ? '-' : '+'}${two(Math.trunc(Math.abs(minutes) / 60))}`;
  if (element.length > 3) text += colon + two(Math.abs(minutes) % 60);
  if (element.length > 6) text += colon + two(Math.abs(offset) % 60);
  return text;
}

/** The parts of a parsed time. Parts that the layout does not contain are absent. */
export interface Parsed {
  year: number;
  month?: number;
  day?: number;
  yearDay?: number;
  hour: number;
  minute: number;
  second: number;
  nanosecond: number;
  afternoon?: boolean;
  /** Whether the text specifies UTC. */
  utc?: boolean;
  offset?: number;
  zoneName?: string;
}

interface Reading {
  rest: string;
  readonly parsed: Parsed;
  /** The layout after the current element. */
  layoutRest: string;
}

class OutOfRange extends Error {}
class Malformed extends Error {}

/**
 * Parses a text with a layout. Throws `GoError` with Go's message.
 * Mirrors: `parse`, its first part.
 */
export function parseLayout(layout: string, text: string): Parsed {
  const parsed: Parsed = { year: 0, hour: 0, minute: 0, second: 0, nanosecond: 0 };
  const reading: Reading = { rest: text, parsed, layoutRest: layout };
  const refuse = (element: string, value: string): GoError =>
    new GoError(
      `parsing time ${quoteBytes(text)} as ${quoteBytes(layout)}: cannot parse ${quoteBytes(value)} as ${quoteBytes(element)}`,
    );
  for (;;) {
    const { prefix, element, suffix } = nextElement(reading.layoutRest);
    if (!skip(reading, prefix)) throw refuse(prefix, reading.rest);
    if (element === '') break;
    reading.layoutRest = suffix;
    const hold = reading.rest;
    try {
      readElement(element, reading);
    } catch (error) {
      if (error instanceof OutOfRange) throw timeError(text, `${error.message} out of range`);
      if (error instanceof Malformed) throw refuse(element, hold);
      throw error;
    }
  }
  if (reading.rest !== '') throw timeError(text, `extra text: ${quoteBytes(reading.rest)}`);
  return parsed;
}

/** Returns the error for an invalid time: `parsing time "…": day out of range`. */
export function timeError(text: string, reason: string): GoError {
  return new GoError(`parsing time ${quoteBytes(text)}: ${reason}`);
}

function nextElement(layout: string): { prefix: string; element: string; suffix: string } {
  elements.lastIndex = 0;
  const match = elements.exec(layout);
  if (match === null) return { prefix: layout, element: '', suffix: '' };
  const end = match.index + match[0].length;
  return { prefix: layout.slice(0, match.index), element: match[0], suffix: layout.slice(end) };
}

/** Skips literal text; a run of spaces matches any run of spaces, or the end. Reports whether it matched. */
function skip(reading: Reading, prefix: string): boolean {
  for (let at = 0; at < prefix.length; ) {
    if (prefix[at] === ' ') {
      if (reading.rest !== '' && !reading.rest.startsWith(' ')) return false;
      while (prefix[at] === ' ') at++;
      reading.rest = reading.rest.replace(/^ +/, '');
    } else if (reading.rest === '' || reading.rest[0] !== prefix[at]) return false;
    else {
      reading.rest = reading.rest.slice(1);
      at++;
    }
  }
  return true;
}

/** Consumes the match of a sticky pattern. */
function take(reading: Reading, pattern: RegExp): string {
  const match = pattern.exec(reading.rest);
  if (match === null) throw new Malformed();
  reading.rest = reading.rest.slice(match[0].length);
  return match[0];
}

// Returns a reader of a number for a part of the time.
function number(
  part: 'year' | 'month' | 'day' | 'yearDay' | 'hour' | 'minute' | 'second',
  pattern: RegExp,
  low = 0,
  high = Number.POSITIVE_INFINITY,
): (reading: Reading) => void {
  return (reading) => {
    const value = Number(take(reading, pattern));
    if (value < low || value > high) throw new OutOfRange(part);
    reading.parsed[part] = value;
  };
}

function takeName(reading: Reading, names: readonly string[]): number {
  const rest = reading.rest.toLowerCase();
  const index = names.findIndex((name) => rest.startsWith(name.toLowerCase()));
  if (index < 0) throw new Malformed();
  reading.rest = reading.rest.slice(names[index]!.length);
  return index;
}

const shortMonths = monthNames.map((name) => name.slice(0, 3));
const shortWeekdays = weekdayNames.map((name) => name.slice(0, 3));
const oneOrTwo = /^[0-9]{1,2}/;
const exactlyTwo = /^[0-9]{2}/;

const readers: Readonly<Record<string, (reading: Reading) => void>> = {
  // Go accepts a sign for these two digits.
  '06': (reading) => {
    const year = Number(take(reading, /^(?:[0-9]{2}|[+-][0-9])/));
    reading.parsed.year = year + (year >= 69 ? 1900 : 2000);
  },
  '2006': number('year', /^[0-9]{4}/),
  January: (reading) => {
    reading.parsed.month = takeName(reading, monthNames) + 1;
  },
  Jan: (reading) => {
    reading.parsed.month = takeName(reading, shortMonths) + 1;
  },
  '1': number('month', oneOrTwo, 1, 12),
  '01': number('month', exactlyTwo, 1, 12),
  Monday: (reading) => void takeName(reading, weekdayNames),
  Mon: (reading) => void takeName(reading, shortWeekdays),
  '2': number('day', oneOrTwo),
  _2: number('day', /^ ?[0-9]{1,2}/),
  '02': number('day', exactlyTwo),
  __2: number('yearDay', /^ {0,2}[0-9]{1,3}/),
  '002': number('yearDay', /^[0-9]{3}/),
  '15': number('hour', oneOrTwo, 0, 23),
  '3': number('hour', oneOrTwo, 0, 12),
  '03': number('hour', exactlyTwo, 0, 12),
  '4': number('minute', oneOrTwo, 0, 59),
  '04': number('minute', exactlyTwo, 0, 59),
  '5': (reading) => readSecond(reading, oneOrTwo),
  '05': (reading) => readSecond(reading, exactlyTwo),
  PM: (reading) => {
    reading.parsed.afternoon = take(reading, /^[AP]M/) === 'PM';
  },
  pm: (reading) => {
    reading.parsed.afternoon = take(reading, /^[ap]m/) === 'pm';
  },
  MST: readZoneName,
};

function readElement(element: string, reading: Reading): void {
  const { parsed } = reading;
  const reader = readers[element];
  if (reader !== undefined) reader(reading);
  else if (/^[.,]0/.test(element)) {
    if (reading.rest.length < element.length) throw new Malformed();
    const fraction = reading.rest.slice(0, element.length);
    reading.rest = reading.rest.slice(element.length);
    if (!/^[.,][0-9]+$/.test(fraction)) throw new Malformed();
    parsed.nanosecond = nanosecondsOf(fraction);
  } else if (/^[.,]/.test(element)) {
    if (/^[.,][0-9]/.test(reading.rest)) parsed.nanosecond = nanosecondsOf(take(reading, /^[.,][0-9]+/));
  } else readOffset(element, reading);
}

function readSecond(reading: Reading, pattern: RegExp): void {
  number('second', pattern, 0, 59)(reading);
  // A fraction can follow even if the layout has none.
  if (!/^[.,][0-9]/.test(reading.rest) || /^[.,]/.test(nextElement(reading.layoutRest).element)) return;
  reading.parsed.nanosecond = nanosecondsOf(take(reading, /^[.,][0-9]+/));
}

function nanosecondsOf(fraction: string): number {
  return Number(fraction.slice(1, 10).padEnd(9, '0'));
}

function readOffset(element: string, reading: Reading): void {
  if (element.startsWith('Z') && reading.rest.startsWith('Z')) {
    reading.rest = reading.rest.slice(1);
    reading.parsed.utc = true;
    return;
  }
  const two = '([^]{2})';
  const colon = element.includes(':') ? ':' : '';
  const more = element.length > 6 ? 2 : element.length > 3 ? 1 : 0;
  const pattern = new RegExp(`^(.)${two}${`${colon}${two}`.repeat(more)}`);
  const [, sign, hours, minutes = '00', seconds = '00'] = pattern.exec(reading.rest) ?? [];
  if (sign === undefined) throw new Malformed();
  take(reading, pattern);
  const parts = [hours!, minutes, seconds];
  // Go parses up to the first non-digit, and checks the range before it reports that character.
  const firstBad = parts.findIndex((part) => !/^[0-9]{2}$/.test(part));
  const read = parts.map((part, at) => (firstBad >= 0 && at >= firstBad ? 0 : Number(part)));
  const [hour = 0, minute = 0, second = 0] = read;
  if (second > 60) throw new OutOfRange('time zone offset second');
  if (minute > 60) throw new OutOfRange('time zone offset minute');
  if (hour > 24) throw new OutOfRange('time zone offset hour');
  if (firstBad >= 0) throw new Malformed();
  if (sign !== '+' && sign !== '-') throw new Malformed();
  const offset = (hour * 60 + minute) * 60 + second;
  reading.parsed.offset = sign === '-' ? -offset : offset;
}

// Zone abbreviations have no common form: three capitals, four or five that end in T, a few exceptions, or an offset.
function readZoneName(reading: Reading): void {
  const { parsed } = reading;
  if (reading.rest.startsWith('UTC')) {
    reading.rest = reading.rest.slice(3);
    parsed.utc = true;
    return;
  }
  const gmt = /^GMT(?:[+-]0*(?:1?[0-9]|2[0-3])(?![0-9]))?/;
  const signed = /^[+-]0*(?:1?[0-9]|2[0-3])(?![0-9])/;
  const letters = /^(?:ChST|MeST|(?:[A-Z]{4}T|[A-Z]{3}T|WITA|[A-Z]{3})(?![A-Z]))/;
  if (reading.rest.length < 3) throw new Malformed();
  parsed.zoneName = take(reading, reading.rest.startsWith('GMT') ? gmt : /^[+-]/.test(reading.rest) ? signed : letters);
}
