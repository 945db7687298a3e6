// What rendering may ask of the world. Nothing else in render/ reads a clock, draws random bytes or makes keys.

import { hasPlatformPower } from '../go/big/power.ts';
import type { GoMap } from '../go/value.ts';
import {
  type Check,
  callback,
  checkArguments,
  having,
  isMembers,
  kind,
  optional,
  optionsOf,
  text,
} from './arguments.ts';

/** The world around a template: what it may ask of it. All calls are synchronous. */
export interface Host {
  /** The time in milliseconds since 1970, for `now` and its kin. */
  now(): number;
  /** The zone name for `now` and `date`, such as `UTC` or `Europe/Berlin`. */
  readonly timeZone: string;
  /** What Go calls that zone where the environment names it; `Local` otherwise. */
  readonly timeZoneName?: string;
  /** Returns `length` random bytes, for `rand*`, `uuidv4`, keys and salts. */
  randomBytes(length: number): Uint8Array;
  /**
   * Called before a template is executed, with the name of its release and its path. A host can make random values depend on
   * these alone, so that they do not depend on what else is rendered.
   */
  readonly beginTemplate?: ((release: string, path: string) => void) | undefined;
  /** Answers `lookup`: an object, a list, or undefined when there is none. `name` is empty to list. */
  lookup(apiVersion: string, kind: string, namespace: string, name: string): GoMap | undefined;
  /** Whether `randomBytes` is the same each time, so that nothing secret can come of it. Default false. */
  readonly isSeeded?: boolean | undefined;
  /** Returns a random prime of so many bits, the two highest set, for keys; absent where the engine searches itself. */
  readonly randomPrime?: ((bits: number) => bigint) | undefined;
}

/** A host: its calls are functions. The zone may be worked out late, so it is not asked for here. */
export const hostArgument: Check = (value, path) => {
  const issues = having<Host>('a host, as realHost() or seededHost() gives it', {
    now: callback,
    randomBytes: callback,
    lookup: callback,
    beginTemplate: optional(callback),
    randomPrime: optional(callback),
  })(value, path);
  if (issues.length > 0 || !isMembers(value)) return issues;
  const zone = Object.getOwnPropertyDescriptor(value, 'timeZone');
  return zone !== undefined && 'value' in zone ? timeZone(zone.value, `${path}.timeZone`) : [];
};

const timeZone = kind('the name of a time zone', isTimeZone, 'Give a name such as "UTC" or "Europe/Berlin".');

// Asking the platform costs as much as a small rendering, and most callers have one host.
let lastZone = '';

function isTimeZone(name: unknown): boolean {
  if (typeof name !== 'string' || name === '') return false;
  try {
    if (name !== lastZone) Intl.DateTimeFormat('en', { timeZone: name });
    lastZone = name;
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns the real world: the clock, the platform's random source, an empty cluster.
 * `zone` is the time zone that the environment names, an empty one meaning UTC; default the platform's own. Throws ARGUMENT_INVALID.
 * @example
 * const text = template(chart, { host: realHost('Europe/Berlin') });
 */
export function realHost(zone?: string): Host {
  checkArguments('realHost', ['zone', zone, optional(text)]);
  const named = zone === '' ? 'UTC' : zone;
  return {
    now: () => Date.now(),
    // Asked for late: the answer costs more than a small rendering.
    get timeZone() {
      return named ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
    },
    ...(named === undefined ? {} : { timeZoneName: named }),
    // Asked for late, as the zone is: few templates make keys.
    get randomPrime() {
      return platformPrimes();
    },
    randomBytes: (length) => {
      if (length <= mostPooled) return pooledBytes(length);
      const bytes = new Uint8Array(length);
      // getRandomValues refuses more than 65,536 bytes a call.
      for (let at = 0; at < length; at += 65536) crypto.getRandomValues(bytes.subarray(at, at + 65536));
      return bytes;
    },
    lookup: () => undefined,
  };
}

// The platform takes as long for one byte as for thousands, and `shuffle` asks for one at a time.
const mostPooled = 64;
const pool = new Uint8Array(4096);
let unused = 0;

function pooledBytes(length: number): Uint8Array {
  if (unused < length) {
    crypto.getRandomValues(pool);
    unused = pool.length;
  }
  unused -= length;
  const bytes = pool.slice(unused, unused + length);
  // What was given away is nobody else's to find.
  pool.fill(0, unused, unused + length);
  return bytes;
}

// Where the platform raises numbers to powers, searching for the primes of a key takes half the time of its own search, which
// tests what it finds 64 times. It is asked without an import: browsers run this file too.
function platformPrimes(): ((bits: number) => bigint) | undefined {
  if (hasPlatformPower()) return undefined;
  const crypto = globalThis.process?.getBuiltinModule?.('node:crypto');
  const generate = crypto?.generatePrimeSync;
  return generate && ((bits) => generate(bits, { bigint: true }));
}

/** The options of a seeded host. */
export interface SeededHostOptions {
  /** Any text: the same seed gives the same bytes everywhere. Default `drydock`. */
  readonly seed?: string | undefined;
  /** The frozen time in milliseconds since 1970. Default 2025-01-01T00:00:00Z. */
  readonly now?: number | undefined;
}

const seededOptions = optionsOf<SeededHostOptions>({
  seed: text,
  now: kind('a time in milliseconds since 1970', isTime, 'Give a whole number, such as Date.UTC(2025, 0, 1).'),
});

// What a JavaScript date can hold.
function isTime(value: unknown): boolean {
  return Number.isInteger(value) && Math.abs(value as number) <= 8.64e15;
}

/**
 * Returns a host that answers the same in every run: a frozen clock in UTC and random bytes drawn from the seed. Each template
 * of a release has random bytes of its own, so that what others draw does not change them.
 * Throws ARGUMENT_INVALID.
 * @example
 * const text = template(chart, { host: seededHost({ seed: 'a' }) });
 */
export function seededHost(options: SeededHostOptions = {}): Host {
  checkArguments('seededHost', ['options', options, seededOptions]);
  const now = options.now ?? Date.UTC(2025, 0, 1);
  const { seed = 'drydock' } = options;
  let scope = seed;
  let next: (() => number) | undefined;
  return {
    now: () => now,
    timeZone: 'UTC',
    timeZoneName: 'UTC',
    isSeeded: true,
    randomBytes: (length) => {
      next ??= sfc32(scope);
      const draw = next;
      return Uint8Array.from({ length }, () => draw() & 0xff);
    },
    beginTemplate: (release, path) => {
      scope = `${seed}\n${release}\n${path}`;
      next = undefined;
    },
    lookup: () => undefined,
  };
}

// A small counter-based generator (sfc32): not for secrets, only for bytes that repeat.
function sfc32(seed: string): () => number {
  let a = 0x9e3779b9;
  let b = 0x243f6a88;
  let c = 0xb7e15162;
  let counter = 1;
  const next = (): number => {
    const sum = (a + b + counter++) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    return sum >>> 0;
  };
  for (const char of seed) {
    a ^= char.codePointAt(0) ?? 0;
    next();
  }
  for (let i = 0; i < 12; i++) next();
  return () => next() >>> 8;
}
