// What rendering may ask of the world. Nothing else in render/ reads a clock, draws random bytes or makes keys.

import type { GoMap } from './go/value.ts';

/** What a template may ask of the world around it. All calls are synchronous. */
export interface Host {
  /** The time in milliseconds since 1970, for `now` and its kin. */
  now(): number;
  /** The zone name for `now` and `date`, such as `UTC` or `Europe/Berlin`. */
  readonly timeZone: string;
  /** What Go calls that zone where the environment names it; `Local` otherwise. */
  readonly timeZoneName?: string;
  /** Fills and gives back `length` random bytes, for `rand*`, `uuidv4`, keys and salts. */
  randomBytes(length: number): Uint8Array;
  /** Answers `lookup`: an object, a list, or undefined when there is none. `name` is empty to list. */
  lookup(apiVersion: string, kind: string, namespace: string, name: string): GoMap | undefined;
  /** Makes an RSA key of so many bits in PKCS#8 DER faster than JavaScript can; absent where the platform has no such thing. */
  readonly generateRsaKey?: (bits: number) => Uint8Array;
}

/**
 * Gives the real world: the clock, the platform's random source and keys, an empty cluster.
 * `zone` is the time zone that the environment names; default the platform's own.
 */
export function realHost(zone?: string): Host {
  const platform = platformKeys();
  return {
    now: () => Date.now(),
    // Asked for late: the answer costs more than a small rendering.
    get timeZone() {
      return zone || Intl.DateTimeFormat().resolvedOptions().timeZone;
    },
    ...(zone ? { timeZoneName: zone } : {}),
    ...(platform === undefined ? {} : { generateRsaKey: platform }),
    randomBytes: (length) => {
      const bytes = new Uint8Array(length);
      // getRandomValues refuses more than 65,536 bytes a call.
      for (let at = 0; at < length; at += 65536) crypto.getRandomValues(bytes.subarray(at, at + 65536));
      return bytes;
    },
    lookup: () => undefined,
  };
}

// Node makes RSA keys many times faster than JavaScript can. It is asked without an import: browsers run this file too.
function platformKeys(): ((bits: number) => Uint8Array) | undefined {
  const crypto = globalThis.process?.getBuiltinModule?.('node:crypto');
  if (crypto?.generateKeyPairSync === undefined) return undefined;
  return (bits) =>
    new Uint8Array(
      crypto.generateKeyPairSync('rsa', {
        modulusLength: bits,
        publicKeyEncoding: { type: 'spki', format: 'der' },
        privateKeyEncoding: { type: 'pkcs8', format: 'der' },
      }).privateKey,
    );
}

/** What a seeded host is made from. */
export interface SeededHostOptions {
  /** Any text: the same seed gives the same bytes everywhere. Default `drydock`. */
  readonly seed?: string;
  /** The frozen time in milliseconds since 1970. Default 2025-01-01T00:00:00Z. */
  readonly now?: number;
}

/** Gives a world that answers the same in every run: a frozen clock in UTC and random bytes drawn from the seed. */
export function seededHost(options: SeededHostOptions = {}): Host {
  const now = options.now ?? Date.UTC(2025, 0, 1);
  const next = sfc32(options.seed ?? 'drydock');
  return {
    now: () => now,
    timeZone: 'UTC',
    randomBytes: (length) => Uint8Array.from({ length }, () => next() & 0xff),
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
