// How randomness affects a rendering: whether templates used random bytes, which cluster lookups they made, and a host with other random
// values for a second rendering.

import { type Host, seededHost } from '../core/host.ts';
import { getOrCreate } from '../core/lazy.ts';
import { randomPrime } from '../functions/certificates/keys.ts';

/** A host that records its use. */
export interface ObservedHost {
  readonly host: Host;
  /** Whether random values were used. */
  readonly usedRandom: () => boolean;
  /** Cluster lookups, as `apiVersion kind namespace name`. */
  readonly lookups: ReadonlySet<string>;
}

/** Returns a host that behaves like another one and records its use. */
export function observeHost(host: Host): ObservedHost {
  let usedRandom = false;
  const lookups = new Set<string>();
  const { randomPrime } = host;
  const watched: Host = {
    now: () => host.now(),
    // Read lazily, like the host's own.
    get timeZone() {
      return host.timeZone;
    },
    ...(host.timeZoneName === undefined ? {} : { timeZoneName: host.timeZoneName }),
    isSeeded: host.isSeeded,
    beginTemplate: (release, path) => host.beginTemplate?.(release, path),
    randomBytes: (length) => {
      usedRandom = true;
      return host.randomBytes(length);
    },
    lookup: (...words) => {
      lookups.add(words.join(' '));
      return host.lookup(...words);
    },
    ...(randomPrime === undefined
      ? {}
      : {
          randomPrime: (bits: number) => {
            usedRandom = true;
            return randomPrime.call(host, bits);
          },
        }),
  };
  return { host: watched, usedRandom: () => usedRandom, lookups };
}

/** Returns the same host with other random bytes and primes, for a second rendering. */
export function withOtherRandomness(host: Host): Host {
  const seed = 'once more';
  const { randomBytes, beginTemplate } = seededHost({ seed });
  const other = { ...observeHost(host).host, randomBytes, beginTemplate };
  const { randomPrime } = other;
  if (randomPrime === undefined) return withFewPrimes(other, seed);
  // Each key gets the primes after those of the first rendering; with few primes, these are already known.
  let hasBegun = false;
  return {
    ...other,
    randomPrime: (bits) => {
      if (!hasBegun) randomPrime(bits);
      hasBegun = true;
      return randomPrime(bits);
    },
  };
}

/**
 * Returns the same host with few primes: keys use primes derived from the seed and the size, each searched for once per process. For
 * renderings whose keys nobody uses, because a search takes longer than most charts.
 */
export function withFewPrimes(host: Host, seed = 'drydock'): Host {
  let next = 0;
  return {
    ...host,
    randomPrime: (bits) => {
      // Separate random bytes, so that a prime does not depend on earlier draws.
      const name = `${seed} ${bits} ${next++ % primesPerSize}`;
      return getOrCreate(knownPrimes, name, () => randomPrime(seededHost({ seed: name }), bits));
    },
  };
}

// Two keys of a chart differ; a third may equal the first.
const primesPerSize = 4;

const knownPrimes = new Map<string, bigint>();
