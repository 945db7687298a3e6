// The environment that rendering can observe. Nothing else in render/ reads a clock, draws random bytes or generates keys.

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

/** The environment of templates. All calls are synchronous. */
export interface Host {
  /** The time in milliseconds since 1970, for `now` and its kin. */
  now(): number;
  /** The zone name for `now` and `date`, such as `UTC` or `Europe/Berlin`. */
  readonly timeZone: string;
  /** Go's name for that zone if it is set in the environment; `Local` otherwise. */
  readonly timeZoneName?: string;
  /** Returns `length` random bytes, for `rand*`, `uuidv4`, keys and salts. */
  randomBytes(length: number): Uint8Array;
  /**
   * Called before a template is executed, with the name of its release and its path. A host can make random values depend on these alone,
   * so that they do not depend on what else is rendered.
   */
  readonly beginTemplate?: ((release: string, path: string) => void) | undefined;
  /** Implements `lookup`: returns an object, a list, or undefined. `name` is empty for a list. */
  lookup(apiVersion: string, kind: string, namespace: string, name: string): GoMap | undefined;
  /** Whether `randomBytes` is deterministic, so that its results are not secret. Default false. */
  readonly isSeeded?: boolean | undefined;
  /** Returns a random prime of the given number of bits, the two highest set, for keys. Default: the engine searches for one. */
  readonly randomPrime?: ((bits: number) => bigint) | undefined;
}

/** A host's calls are functions. The zone may be computed lazily, so it is not read here. */
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

// Querying the platform costs as much as a small rendering, and most callers use one host.
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
 * Returns the real environment: the clock, the platform's random source, an empty cluster. `zone` is a time zone, an empty one meaning UTC;
 * default: the platform's. Throws ARGUMENT_INVALID.
 * @example
 * const text = template(chart, { host: realHost('Europe/Berlin') });
 */
export function realHost(zone?: string): Host {
  checkArguments('realHost', ['zone', zone, optional(text)]);
  const named = zone === '' ? 'UTC' : zone;
  return {
    now: () => Date.now(),
    // Computed lazily: it costs more than a small rendering.
    get timeZone() {
      return named ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
    },
    ...(named === undefined ? {} : { timeZoneName: named }),
    randomBytes: (length) => {
      const bytes = new Uint8Array(length);
      // getRandomValues refuses more than 65,536 bytes per call.
      for (let at = 0; at < length; at += 65536) crypto.getRandomValues(bytes.subarray(at, at + 65536));
      return bytes;
    },
    lookup: () => undefined,
  };
}

/** Options of a seeded host. */
export interface SeededHostOptions {
  /** Any text. The same seed returns the same bytes everywhere. Default `drydock`. */
  readonly seed?: string | undefined;
  /** The frozen time in milliseconds since 1970. Default 2025-01-01T00:00:00Z. */
  readonly now?: number | undefined;
}

const seededOptions = optionsOf<SeededHostOptions>({
  seed: text,
  now: kind('a time in milliseconds since 1970', isTime, 'Give a whole number, such as Date.UTC(2025, 0, 1).'),
});

// The range of a JavaScript date.
function isTime(value: unknown): boolean {
  return Number.isInteger(value) && Math.abs(value as number) <= 8.64e15;
}

/**
 * Returns a deterministic host: a frozen clock in UTC and random bytes derived from the seed. Each template of a release has its own random
 * bytes, so that other templates do not change them. Throws ARGUMENT_INVALID.
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

// A small counter-based generator (sfc32): reproducible, not for secrets.
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
