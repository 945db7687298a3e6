// A host for tests that render a chart often: the same random values in each rendering, and cached primes.

import { type Host, seededHost } from '../../../render/core/host.ts';
import { searchPrime } from '../../../render/go/big/primes.ts';

const known = new Map<number, bigint[]>();

/** Returns a host with which all renderings of a chart are identical. */
export function repeatableHost(): Host {
  const host = seededHost();
  const given = new Map<number, number>();
  return {
    ...host,
    randomPrime(bits) {
      const at = given.get(bits) ?? 0;
      given.set(bits, at + 1);
      const primes = known.get(bits) ?? [];
      known.set(bits, primes);
      primes[at] ??= searchPrime(() => searchStart(bits, at), 2n, bits);
      return primes[at];
    },
  };
}

// Odd, with the two highest bits set, and far from the start of other searches.
function searchStart(bits: number, at: number): bigint {
  return (3n << BigInt(bits - 2)) + (BigInt(at) << BigInt(bits / 2)) + 1n;
}
