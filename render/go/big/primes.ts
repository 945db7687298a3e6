// Large primes for RSA and DSA keys.

import { power } from './power.ts';

let smallPrimes: readonly number[] | undefined;

function primesBelow(limit: number): number[] {
  const composite = new Uint8Array(limit);
  const primes: number[] = [];
  for (let i = 2; i < limit; i++) {
    if (composite[i] === 1) continue;
    primes.push(i);
    for (let multiple = i * i; multiple < limit; multiple += i) composite[multiple] = 1;
  }
  return primes;
}

/** Returns the modular inverse of `value`, which must be coprime to `modulus`. */
export function inverse(value: bigint, modulus: bigint): bigint {
  let [a, b] = [value % modulus, modulus];
  let [x, y] = [1n, 0n];
  while (b !== 0n) {
    const quotient = a / b;
    [a, b] = [b, a - quotient * b];
    [x, y] = [y, x - quotient * y];
  }
  return x < 0n ? x + modulus : x;
}

/** Returns the first prime with the given number of bits at `start()` or whole steps above it; starts again if the bits are exceeded. */
export function searchPrime(start: () => bigint, step: bigint, bits: number): bigint {
  const limit = 1n << BigInt(bits);
  for (;;) {
    const first = start();
    const composite = sieve(first, step, bits);
    for (let offset = 0; offset < composite.length; offset++) {
      if (composite[offset] === 1) continue;
      const candidate = first + BigInt(offset) * step;
      if (candidate >= limit) break;
      if (isProbablyPrime(candidate)) return candidate;
    }
  }
}

// Marks the steps that lead to a number with a small divisor.
function sieve(first: bigint, step: bigint, bits: number): Uint8Array {
  const composite = new Uint8Array(bits * 8);
  smallPrimes ??= primesBelow(8192);
  for (const prime of smallPrimes) {
    const divisor = BigInt(prime);
    const stride = Number(step % divisor);
    if (stride === 0) continue;
    // Number of steps from the first number to a multiple of the prime.
    const steps = Number(divisor - (first % divisor)) * Number(inverse(BigInt(stride), divisor));
    for (let multiple = steps % prime; multiple < composite.length; multiple += prime) composite[multiple] = 1;
  }
  return composite;
}

// The Miller–Rabin test. A random candidate of this size that passes once for base 2 is prime for all practical purposes.
function isProbablyPrime(candidate: bigint): boolean {
  return [2n, 3n, 5n, 7n, 11n, 13n].every((base) => passes(candidate, base));
}

function passes(candidate: bigint, base: bigint): boolean {
  let odd = candidate - 1n;
  let twos = 0;
  for (; odd % 2n === 0n; odd /= 2n) twos++;
  let value = power(base, odd, candidate);
  if (value === 1n || value === candidate - 1n) return true;
  for (let i = 1; i < twos; i++) {
    value = (value * value) % candidate;
    if (value === candidate - 1n) return true;
  }
  return false;
}
