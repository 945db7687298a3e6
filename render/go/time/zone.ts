// Time zones: the offset from UTC and the abbreviation at an instant. The platform's `Intl` knows the offsets of IANA zones, but their
// abbreviations (`CET`) only in some languages.
// Mirrors: Go, time, zoneinfo.go, 1.23.

import { getOrCreate, lazy, memo } from '../../core/lazy.ts';
import { func, type GoFunc, GoObject, type GoValue, int64, NilPointer, nilSlice } from '../value.ts';

/** The offset and the abbreviation of a zone at an instant, in seconds since 1970. */
interface Clock {
  /** Returns the seconds east of UTC. */
  readonly offsetAt: (unixSeconds: number) => number;
  /** Returns the abbreviation, such as `CEST`. */
  readonly shortNameAt: (unixSeconds: number) => string;
}

/** A time zone: `*time.Location`. */
export class Zone extends GoObject implements Clock {
  readonly type = '*time.Location';
  override readonly kind = 'ptr';
  readonly offsetAt: Clock['offsetAt'];
  readonly shortNameAt: Clock['shortNameAt'];
  readonly #name: () => string;

  constructor(name: () => string, clock: Clock) {
    super();
    this.#name = name;
    this.offsetAt = clock.offsetAt;
    this.shortNameAt = clock.shortNameAt;
  }

  /** The zone's own name: `UTC`, `Local`, `Europe/Berlin`. */
  get name(): string {
    return this.#name();
  }

  override string(): string {
    return this.name;
  }
  /** The fields of UTC; the tables of other zones are omitted with the pointers into them. */
  override layout(): ReadonlyMap<string, GoValue> {
    return new Map<string, GoValue>([
      ['name', this.name],
      ['zone', nilSlice('[]time.zone')],
      ['tx', nilSlice('[]time.zoneTrans')],
      ['extend', ''],
      ['cacheStart', int64(0n)],
      ['cacheEnd', int64(0n)],
      ['cacheZone', new NilPointer('*time.zone')],
    ]);
  }
  override method(name: string): GoFunc | undefined {
    return name === 'String' ? func([], () => this.name) : undefined;
  }
}

/** Returns a zone with a fixed `offset` in seconds east of UTC. The name may be empty; `shortName` is the abbreviation. */
export function fixedZone(name: string, offset: number, shortName = name): Zone {
  return new Zone(() => name, { offsetAt: () => offset, shortNameAt: () => shortName });
}

/** Coordinated universal time. */
export const utc: Zone = fixedZone('UTC', 0);

/** The first day that `Intl` supports: 100,000,000 days before 1970. */
const firstSecond = -8.64e12;

/** 400 years: after this many seconds weekdays repeat, and so do clock changes. */
const calendarCycle = 12622780800;

/** The year 2400: later dates are mapped to the 400 years before, where `Intl` has the names of summer times too. */
const lastSecond = 13569465600;

function clampedDate(unixSeconds: number): Date {
  const cycles = Math.max(0, Math.ceil((unixSeconds - lastSecond) / calendarCycle));
  return new Date(Math.max(firstSecond, unixSeconds - cycles * calendarCycle) * 1000);
}

// A zone of a place, as `Intl` knows it.
function placeClock(identifier: string): Clock {
  const offsets = new Intl.DateTimeFormat('en-US', { timeZone: identifier, timeZoneName: 'longOffset' });
  const offsetAt = (unixSeconds: number): number => {
    const match = /^GMT([+-])(\d+):(\d+)(?::(\d+))?$/.exec(zoneName(offsets, unixSeconds));
    if (match === null) return 0;
    const [, sign, hours, minutes, seconds = '0'] = match;
    const offset = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
    return sign === '-' ? -offset : offset;
  };
  const shortNameAt = (unixSeconds: number): string => {
    const offset = offsetAt(unixSeconds);
    // Nobody lives there.
    if (offset === 0 && /^Antarctica\//.test(identifier) && unixSeconds < trollSettled) return '-00';
    const other = isLocalMeanTime(offset, unixSeconds) ? 'LMT' : numericName(offset);
    if (numericZones.has(identifier)) return other;
    if (/^(Etc\/)?(GMT|Greenwich)/.test(identifier) && offset === 0) return 'GMT';
    if (identifier === 'Africa/Monrovia' && unixSeconds >= monroviaAgreed) return offset === 0 ? 'GMT' : 'MMT';
    // Until 1981 it had the time of Sydney.
    if (/^Australia\/(?:LHI|Lord_Howe)$/.test(identifier) && offset === 36000) return 'AEST';
    const names = new Intl.DateTimeFormat('en-US', { timeZone: identifier, timeZoneName: 'long' });
    // Abbreviations before 1970 are not recorded; the zone's current ones are used where the offset is the same.
    const instants = unixSeconds < 0 ? present.filter((instant) => offsetAt(instant) === offset) : [unixSeconds];
    const long = instants.length > 0 ? zoneName(names, instants[0]!) : '';
    if (long === 'GMT+01:00' && britishZone.test(identifier)) return 'BST';
    if (long === 'GMT+01:00' && /^(Europe\/Dublin|Eire)$/.test(identifier)) return 'IST';
    return shortNames.get(long) ?? other;
  };
  return { offsetAt, shortNameAt };
}

/** A zone that is only a rule without a place; times are in seconds since 1970. */
interface Rule {
  readonly offset: number;
  /** Its abbreviations in winter and in summer. */
  readonly names: readonly [string, string];
  /** The summers before its current rule, or a predecessor, came into force. */
  readonly summers: readonly Summer[];
  readonly since: number;
  /** A place with the same rule since then. */
  readonly like: string;
  /** The hours that the zone is ahead of that place. */
  readonly ahead: number;
}

type Summer = readonly [start: number, end: number];

// Such a zone has war time and legal summer time, and never had local mean time.
function ruleClock({ offset, names, summers, since, like, ahead }: Rule): Clock {
  const isAmerican = like.startsWith('America/');
  const shift = ahead * 3600;
  const offsetAt = (unixSeconds: number): number => {
    const isListed = summers.some(([start, end]) => unixSeconds >= start && unixSeconds < end);
    if (unixSeconds < since) return isListed ? offset + 3600 : offset;
    // Europe's clocks change at the same moment, America's at the same local hour.
    const place = loadZone(like)?.offsetAt(isAmerican ? unixSeconds + shift : unixSeconds);
    return place === undefined ? offset : place + shift;
  };
  const shortNameAt = (unixSeconds: number): string => {
    if (offsetAt(unixSeconds) === offset) return names[0];
    // American summer time had these names during the war, and in its last weeks after the peace.
    if (!isAmerican || unixSeconds < warTime || unixSeconds >= since) return names[1];
    return `${names[0][0]}${unixSeconds >= peaceTime ? 'P' : 'W'}T`;
  };
  return { offsetAt, shortNameAt };
}

const since1977 = 228877200;
const since1967 = -94694400;
const warTime = -880250400;
const peaceTime = -769395600;
const centralEurope: readonly Summer[] = [
  [-1693706400, -1680483600],
  [-1663455600, -1650150000],
  [-1632006000, -1618700400],
  [-938905200, -857257200],
  [-844556400, -828226800],
  [-812502000, -796777200],
  [-781052400, -766623600],
];
// In New York's time.
const america: readonly Summer[] = [
  [-1633280400, -1615140000],
  [-1601830800, -1583690400],
  [-880218000, -765396000],
];

function european(names: Rule['names'], hours: number, summers: Rule['summers']): Clock {
  return ruleClock({
    offset: hours * 3600,
    names,
    summers,
    since: since1977,
    like: 'Europe/Brussels',
    ahead: hours - 1,
  });
}

function american(letter: string, hours: number): Clock {
  const ahead = 5 - hours;
  return ruleClock({
    offset: -hours * 3600,
    names: [`${letter}ST`, `${letter}DT`],
    summers: america.map(([start, end]) => [start - ahead * 3600, end - ahead * 3600]),
    since: since1967,
    like: 'America/New_York',
    ahead,
  });
}

/** The rule-based zones. Newer zone databases make them aliases of places, which had local mean time before. */
const rules: ReadonlyMap<string, Clock> = new Map([
  ['CET', european(['CET', 'CEST'], 1, centralEurope)],
  ['MET', european(['MET', 'MEST'], 1, centralEurope)],
  ['EET', european(['EET', 'EEST'], 2, [])],
  ['WET', european(['WET', 'WEST'], 0, [])],
  ['EST5EDT', american('E', 5)],
  ['CST6CDT', american('C', 6)],
  ['MST7MDT', american('M', 7)],
  ['PST8PDT', american('P', 8)],
  ['EST', fixedZone('EST', -5 * 3600)],
  ['MST', fixedZone('MST', -7 * 3600)],
  ['HST', fixedZone('HST', -10 * 3600)],
]);

// January and July 2024.
const present: readonly number[] = [1704067200, 1719792000];
const britishZone = /^Europe\/(London|Belfast|Guernsey|Isle_of_Man|Jersey)$/;

// Before standard time, clocks showed local mean time, which is hardly ever a multiple of 15 minutes.
function isLocalMeanTime(offset: number, unixSeconds: number): boolean {
  return unixSeconds < 0 && offset % 900 !== 0;
}

function zoneName(format: Intl.DateTimeFormat, unixSeconds: number): string {
  const parts = format.formatToParts(clampedDate(unixSeconds));
  return parts.find((part) => part.type === 'timeZoneName')?.value ?? '';
}

// Where the zone database has no letters it uses the offset: `+03`, `+0545`.
function numericName(offset: number): string {
  const minutes = Math.abs(offset) / 60;
  const two = (value: number): string => String(Math.trunc(value)).padStart(2, '0');
  return `${offset < 0 ? '-' : '+'}${two(minutes / 60)}${minutes % 60 === 0 ? '' : two(minutes % 60)}`;
}

// February 12, 2005; all other stations in Antarctica have had another offset since they were occupied.
const trollSettled = 1108166400;

// 1882: from then until 1972 Monrovia had an offset with minutes that was not local mean time.
const monroviaAgreed = -2776979812;

// Zones without letters that `Intl` assigns to a region with some.
const numericZones = new Set([
  'Africa/Casablanca',
  'Africa/El_Aaiun',
  'Antarctica/Casey',
  'Antarctica/Troll',
  'Asia/Colombo',
  'Europe/Minsk',
]);

/** The abbreviations of the zone database by the English names of CLDR. */
const shortNames: ReadonlyMap<string, string> = new Map(
  [
    'Alaska Daylight Time=AKDT, Alaska Standard Time=AKST, American Samoa Standard Time=SST, Atlantic Daylight Time=ADT',
    'Atlantic Standard Time=AST, Australian Central Daylight Time=ACDT, Australian Central Standard Time=ACST',
    'Australian Eastern Daylight Time=AEDT, Australian Eastern Standard Time=AEST, Australian Western Standard Time=AWST',
    'British Summer Time=BST, Central Africa Time=CAT, Central Daylight Time=CDT, Central European Standard Time=CET',
    'Central European Summer Time=CEST, Central Indonesia Time=WITA, Central Standard Time=CST',
    'Chamorro Standard Time=ChST, China Standard Time=CST, Coordinated Universal Time=UTC, Cuba Daylight Time=CDT',
    'Cuba Standard Time=CST, East Africa Time=EAT, Eastern Daylight Time=EDT, Eastern European Standard Time=EET',
    'Eastern European Summer Time=EEST, Eastern Indonesia Time=WIT, Eastern Standard Time=EST, Greenwich Mean Time=GMT',
    'Hawaii-Aleutian Daylight Time=HDT, Hawaii-Aleutian Standard Time=HST, Hong Kong Standard Time=HKT',
    'India Standard Time=IST, Irish Standard Time=IST, Israel Daylight Time=IDT, Israel Standard Time=IST',
    'Japan Standard Time=JST, Korean Standard Time=KST, Mexican Pacific Standard Time=MST, Moscow Standard Time=MSK',
    'Mountain Daylight Time=MDT, Mountain Standard Time=MST, New Zealand Daylight Time=NZDT',
    'New Zealand Standard Time=NZST, Newfoundland Daylight Time=NDT, Newfoundland Standard Time=NST',
    'Pacific Daylight Time=PDT, Pacific Standard Time=PST, Pakistan Standard Time=PKT, Philippine Standard Time=PST',
    'South Africa Standard Time=SAST, Taiwan Standard Time=CST, West Africa Time=WAT, Western European Standard Time=WET',
    'Western European Summer Time=WEST, Western Indonesia Time=WIB, Yukon Time=MST',
  ]
    .join(', ')
    .split(', ')
    .map((pair) => pair.split('=') as [string, string]),
);

const findZone = memo((name: string) => (isZoneName(name) ? zoneOf(name, name) : undefined));

/**
 * Returns the zone with an IANA name, `UTC` for an empty one; undefined if it is unknown.
 * Mirrors: `LoadLocation`.
 */
export function loadZone(name: string): Zone | undefined {
  return name === '' || name === 'UTC' ? utc : findZone(name);
}

/**
 * Returns the local zone, which Go calls `Local` unless the environment names it; `UTC` if it is unknown. `name` is called once, when a
 * clock is first read, because that takes longer than a small rendering.
 */
export function localZone(name: () => string, shown?: string): Zone {
  const find = lazy(() => findLocalZone(name(), shown));
  return new Zone(() => find().name, {
    offsetAt: (unixSeconds) => find().offsetAt(unixSeconds),
    shortNameAt: (unixSeconds) => find().shortNameAt(unixSeconds),
  });
}

const localZones = new Map<string, Zone>();

// Go calls the local zone `Local`, even if it is UTC.
function findLocalZone(name: string, shown?: string): Zone {
  return getOrCreate(localZones, `${shown}:${name}`, () => {
    if (name !== 'UTC' && isZoneName(name)) return zoneOf(shown ?? 'Local', name);
    return shown === undefined ? fixedZone('Local', 0, 'UTC') : utc;
  });
}

// `Intl` accepts more such names, those of Java: PST, ECT and others.
const shortZones = new Set('CET EET EST GMT HST MET MST PRC ROC ROK UCT UTC WET'.split(' '));

function zoneOf(shown: string, name: string): Zone {
  return new Zone(() => shown, rules.get(name) ?? placeClock(name));
}

// Go looks for a file with exactly this name; `Intl` also accepts other letter cases and offsets such as `+01:00`.
function isZoneName(name: string): boolean {
  if (!/^[A-Z][A-Za-z0-9_+-]*(\/[A-Z][A-Za-z0-9_+-]*)*$/.test(name)) return false;
  if (/^[A-Z]{3}$/.test(name) && !shortZones.has(name)) return false;
  try {
    const resolved = new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone;
    return resolved === name || resolved.toLowerCase() !== name.toLowerCase();
  } catch {
    return false;
  }
}
