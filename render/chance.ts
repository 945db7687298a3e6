// Which part chance has in a rendering: whether templates drew random bytes, what they looked up, and the same world with
// other dice, for a second rendering.

import { randomNumber, randomPrime } from './functions/certificates/primes.ts';
import { type Host, seededHost } from './host.ts';

/** A host that remembers what was asked of it. */
export interface WatchedHost {
  readonly host: Host;
  /** Whether anything random was drawn. */
  readonly hasDrawn: () => boolean;
  /** What templates looked up, as `apiVersion kind namespace name`. */
  readonly lookups: ReadonlySet<string>;
}

/** Gives a host that answers as another one does, and remembers what it was asked. */
export function watchHost(host: Host): WatchedHost {
  let hasDrawn = false;
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
      hasDrawn = true;
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
            hasDrawn = true;
            return randomPrime.call(host, bits);
          },
        }),
  };
  return { host: watched, hasDrawn: () => hasDrawn, lookups };
}

/** Gives the same world with other dice. Without places each prime of its keys is searched for. */
export function otherChance(host: Host, places?: PrimePlaces): Host {
  const seed = 'once more';
  const { randomBytes, beginTemplate } = seededHost({ seed });
  return withFewPrimes({ ...watchHost(host).host, randomBytes, beginTemplate }, seed, places);
}

/**
 * Gives the same world with few primes: keys are made of those that the seed has for their size, which are searched for once in a
 * process. For renderings whose keys nobody uses: a search takes longer than most charts.
 */
export function withFewPrimes(host: Host, seed: string, places?: PrimePlaces): Host {
  return { ...host, randomPrime: fewPrimes(seed, places) };
}

/** Where a search finds primes, by a name of each: so many steps of 2 above the number that it begins with. */
export type PrimePlaces = ReadonlyMap<string, number>;

// Two keys of a chart differ; a third one may be the first again.
const count = 4;

const found = new Map<string, bigint>();

// Each is searched for with dice of its own, so that it is the same whatever was asked for before.
function fewPrimes(seed: string, places?: PrimePlaces): (bits: number) => bigint {
  let next = 0;
  return (bits) => {
    const own = `${seed} ${bits} ${next++ % count}`;
    const dice = seededHost({ seed: own });
    const steps = places?.get(own);
    if (steps !== undefined) return (randomNumber(dice, bits) | 1n) + 2n * BigInt(steps);
    const prime = found.get(own) ?? randomPrime(dice, bits);
    found.set(own, prime);
    return prime;
  };
}
