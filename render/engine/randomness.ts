// Which part chance has in a rendering: whether templates drew random bytes, what they looked up, and the same world with
// other dice, for a second rendering.

import { type Host, seededHost } from '../core/host.ts';
import { randomPrime } from '../functions/certificates/primes.ts';

/** A host that remembers what was asked of it. */
export interface ObservedHost {
  readonly host: Host;
  /** Whether anything random was drawn. */
  readonly usedRandom: () => boolean;
  /** What templates looked up, as `apiVersion kind namespace name`. */
  readonly lookups: ReadonlySet<string>;
}

/** Returns a host that answers as another one does, and remembers what it was asked. */
export function observeHost(host: Host): ObservedHost {
  let usedRandom = false;
  const lookups = new Set<string>();
  const { randomPrime } = host;
  const watched: Host = {
    now: () => host.now(),
    // Asked for late, as in the host itself.
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
  // Each key gets the primes after those of the first rendering: where they are few, they have been searched for.
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
 * Returns the same host with few primes: keys are made of those that follow from the seed and the size, and each is searched for once in
 * a process. For renderings whose keys nobody uses: a search takes longer than most charts.
 */
export function withFewPrimes(host: Host, seed: string): Host {
  let next = 0;
  return {
    ...host,
    randomPrime: (bits) => {
      // Random bytes of its own: a prime does not depend on what was drawn before.
      const name = `${seed} ${bits} ${next++ % primesPerSize}`;
      const prime = knownPrimes.get(name) ?? randomPrime(seededHost({ seed: name }), bits);
      knownPrimes.set(name, prime);
      return prime;
    },
  };
}

// Two keys of a chart differ; a third one may be the first again.
const primesPerSize = 4;

const knownPrimes = new Map<string, bigint>();
