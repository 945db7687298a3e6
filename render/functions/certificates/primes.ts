// Random numbers and primes, for RSA and DSA keys.

import type { Host } from '../../core/host.ts';
import { searchPrime } from '../../go/big/primes.ts';
import { fromBytes } from './der.ts';

/** Returns a random number with the given number of bits, the two highest set. */
export function randomNumber(host: Host, bits: number): bigint {
  return BigInt.asUintN(bits, fromBytes(host.randomBytes(Math.ceil(bits / 8)))) | (3n << BigInt(bits - 2));
}

/** Returns a random prime with the given number of bits, the two highest set; from the host if it has a faster method. */
export function randomPrime(host: Host, bits: number): bigint {
  return host.randomPrime?.(bits) ?? searchPrime(() => randomNumber(host, bits) | 1n, 2n, bits);
}
