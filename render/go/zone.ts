// Time zones: the offset from UTC and the zone's short name at an instant. Mirrors: Go, time, zoneinfo.go, 1.23.
// The platform's `Intl` knows the offsets of IANA zones; their short names (`CET`) it knows only in some languages.

import { func, type GoFunc, GoObject } from './value.ts';

/** A time zone: `*time.Location`. */
export abstract class Zone extends GoObject {
  readonly type = '*time.Location';
  override readonly kind = 'ptr';
  /** The zone's own name: `UTC`, `Local`, `Europe/Berlin`. */
  abstract readonly name: string;
  /** Gives the seconds east of UTC at an instant, in seconds since 1970. */
  abstract offsetAt(unixSeconds: number): number;
  /** Gives the short name in use at an instant, such as `CEST`. */
  abstract shortNameAt(unixSeconds: number): string;

  override string(): string {
    return this.name;
  }
  override method(name: string): GoFunc | undefined {
    return name === 'String' ? func([], () => this.name) : undefined;
  }
}

class FixedZone extends Zone {
  readonly name: string;
  private readonly offset: number;

  constructor(name: string, offset: number) {
    super();
    this.name = name;
    this.offset = offset;
  }
  offsetAt(): number {
    return this.offset;
  }
  shortNameAt(): string {
    return this.name;
  }
}

/** Coordinated universal time. */
export const utc: Zone = new FixedZone('UTC', 0);

/** Gives a zone that is always `offset` seconds east of UTC. The name may be empty. */
export function fixedZone(name: string, offset: number): Zone {
  return new FixedZone(name, offset);
}

/** What `Intl` can date: 100,000,000 days around 1970. */
const lastSecond = 8.64e12;

function clampedDate(unixSeconds: number): Date {
  return new Date(Math.max(-lastSecond, Math.min(lastSecond, unixSeconds)) * 1000);
}

class NamedZone extends Zone {
  readonly name: string;
  private readonly identifier: string;
  private readonly offsets: Intl.DateTimeFormat;

  constructor(name: string, identifier: string) {
    super();
    this.name = name;
    this.identifier = identifier;
    this.offsets = new Intl.DateTimeFormat('en-US', { timeZone: identifier, timeZoneName: 'longOffset' });
  }

  offsetAt(unixSeconds: number): number {
    const match = /^GMT([+-])(\d+):(\d+)(?::(\d+))?$/.exec(zoneName(this.offsets, unixSeconds));
    if (match === null) return 0;
    const [, sign, hours, minutes, seconds = '0'] = match;
    const offset = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
    return sign === '-' ? -offset : offset;
  }

  shortNameAt(unixSeconds: number): string {
    const offset = this.offsetAt(unixSeconds);
    if (numericZones.has(this.identifier)) return numericName(offset);
    if (/^(Etc\/)?(GMT|Greenwich)/.test(this.identifier) && offset === 0) return 'GMT';
    const names = new Intl.DateTimeFormat('en-US', { timeZone: this.identifier, timeZoneName: 'long' });
    // Names before 1970 are not kept; the zone's present names serve where the offset is the same.
    const instants = unixSeconds < 0 ? present.filter((instant) => this.offsetAt(instant) === offset) : [unixSeconds];
    const long = instants.length > 0 ? zoneName(names, instants[0] as number) : '';
    if (long === 'GMT+01:00' && britishZone.test(this.identifier)) return 'BST';
    return shortNames.get(long) ?? (isLocalMeanTime(offset, unixSeconds) ? 'LMT' : numericName(offset));
  }
}

// January and July 2024.
const present: readonly number[] = [1704067200, 1719792000];
const britishZone = /^Europe\/(London|Belfast|Guernsey|Isle_of_Man|Jersey)$/;

// Before zones were agreed upon clocks went by the sun, hardly ever at a full quarter of an hour.
function isLocalMeanTime(offset: number, unixSeconds: number): boolean {
  return unixSeconds < 0 && offset % 900 !== 0;
}

function zoneName(format: Intl.DateTimeFormat, unixSeconds: number): string {
  const parts = format.formatToParts(clampedDate(unixSeconds));
  return parts.find((part) => part.type === 'timeZoneName')?.value ?? '';
}

// Where the zone database has no letters it has the offset: `+03`, `+0545`.
function numericName(offset: number): string {
  const minutes = Math.abs(offset) / 60;
  const two = (value: number): string => String(Math.trunc(value)).padStart(2, '0');
  return `${offset < 0 ? '-' : '+'}${two(minutes / 60)}${minutes % 60 === 0 ? '' : two(minutes % 60)}`;
}

// Zones without letters of their own that `Intl` counts to a region that has some.
const numericZones = new Set(['Antarctica/Casey', 'Antarctica/Troll', 'Asia/Colombo', 'Europe/Minsk']);

/** The short names of the zone database by the English names of CLDR. */
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

/** The zone of the machine. It is found out when a clock is read: asking takes longer than a small rendering. */
class LocalZone extends Zone {
  private readonly find: () => Zone;
  private found: Zone | undefined;

  constructor(find: () => Zone) {
    super();
    this.find = find;
  }
  private get zone(): Zone {
    this.found ??= this.find();
    return this.found;
  }
  get name(): string {
    return this.zone.name;
  }
  offsetAt(unixSeconds: number): number {
    return this.zone.offsetAt(unixSeconds);
  }
  shortNameAt(unixSeconds: number): string {
    return this.zone.shortNameAt(unixSeconds);
  }
}

const loaded = new Map<string, Zone | undefined>();

/** Gives the zone of an IANA name, `UTC` for an empty one; undefined if there is no such zone. Mirrors: `LoadLocation`. */
export function loadZone(name: string): Zone | undefined {
  if (name === '' || name === 'UTC') return utc;
  if (!loaded.has(name)) loaded.set(name, isZoneName(name) ? new NamedZone(name, name) : undefined);
  return loaded.get(name);
}

/**
 * Gives the zone of the machine, which Go calls `Local` unless the environment names it; `UTC` if there is no such zone.
 * `name` is called once, when a clock is first read.
 */
export function localZone(name: () => string, shown?: string): Zone {
  return new LocalZone(() => findLocalZone(name(), shown));
}

function findLocalZone(name: string, shown = 'Local'): Zone {
  const key = `${shown}:${name}`;
  const zone =
    loaded.get(key) ?? (name !== 'UTC' && isZoneName(name) ? new NamedZone(shown, name) : fixedZone('UTC', 0));
  loaded.set(key, zone);
  return zone;
}

// Go looks for a file of that very name; `Intl` also takes other letter cases and offsets such as `+01:00`.
function isZoneName(name: string): boolean {
  if (!/^[A-Z][A-Za-z0-9_+-]*(\/[A-Z][A-Za-z0-9_+-]*)*$/.test(name)) return false;
  try {
    const resolved = new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone;
    return resolved === name || resolved.toLowerCase() !== name.toLowerCase();
  } catch {
    return false;
  }
}
