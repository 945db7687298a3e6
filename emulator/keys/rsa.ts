// An RSA key that follows from a seed, and signatures with it (PKCS #1 v1.5, SHA-256). For emulated tokens only.
// Platforms make RSA keys at random; a world wants the same key in every run.

import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { deriveBytes } from './derive.ts';

/** Is an RSA key of 2048 bits: modulus, public exponent, private exponent. */
export interface RsaKey {
  readonly modulus: bigint;
  readonly exponent: bigint;
  readonly secret: bigint;
}

const keyBytes = 256;
const exponent = 65537n;

/** Gives the key of a seed. Takes some tenths of a second: call it when the key is needed and keep it. */
export function deriveRsaKey(seed: string): RsaKey {
  const p = derivePrime(seed, 'rsa/p');
  const q = derivePrime(seed, 'rsa/q');
  return { modulus: p * q, exponent, secret: invert(exponent, (p - 1n) * (q - 1n)) };
}

/** Gives the signature of a message (RSASSA-PKCS1-v1_5 with SHA-256), 256 bytes. */
export function signRsa(key: RsaKey, message: Uint8Array): Uint8Array {
  // The DER of AlgorithmIdentifier SHA-256 and the header of the digest (RFC 8017, 9.2).
  const digest = `3031300d060960864801650304020105000420${bytesToHex(sha256(message))}`;
  const padded = `0001${'ff'.repeat(keyBytes - 3 - digest.length / 2)}00${digest}`;
  return toBytes(power(BigInt(`0x${padded}`), key.secret, key.modulus));
}

/** Gives the big-endian bytes of a number of the key's size. */
export function toBytes(value: bigint, length: number = keyBytes): Uint8Array {
  return hexToBytes(value.toString(16).padStart(length * 2, '0'));
}

// The two top bits are set, so that the product of two primes has 2048 bits.
function derivePrime(seed: string, label: string): bigint {
  const start = BigInt(`0x${bytesToHex(deriveBytes(seed, label, keyBytes / 2))}`) | (3n << 1022n) | 1n;
  const rests = smallPrimes.map((prime) => Number(start % BigInt(prime)));
  for (let step = 0; ; step += 2) {
    if (smallPrimes.some((prime, i) => ((rests[i] ?? 0) + step) % prime === 0)) continue;
    const candidate = start + BigInt(step);
    if ((candidate - 1n) % exponent !== 0n && isProbablePrime(candidate)) return candidate;
  }
}

const smallPrimes = primesBelow(20000);

function primesBelow(limit: number): readonly number[] {
  const composite = new Uint8Array(limit);
  const primes: number[] = [];
  for (let n = 3; n < limit; n += 2) {
    if (composite[n]) continue;
    primes.push(n);
    for (let m = n * n; m < limit; m += 2 * n) composite[m] = 1;
  }
  return primes;
}

// Miller and Rabin with a few fixed bases: plenty for numbers that nobody chose against us.
function isProbablePrime(n: bigint): boolean {
  let odd = n - 1n;
  let twos = 0;
  for (; (odd & 1n) === 0n; odd >>= 1n) twos++;
  return [2n, 3n, 5n, 7n].every((base) => {
    let x = power(base, odd, n);
    if (x === 1n || x === n - 1n) return true;
    for (let i = 1; i < twos; i++) {
      x = (x * x) % n;
      if (x === n - 1n) return true;
    }
    return false;
  });
}

function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n;
  for (const bit of exponent.toString(2)) {
    result = (result * result) % modulus;
    if (bit === '1') result = (result * base) % modulus;
  }
  return result;
}

function invert(value: bigint, modulus: bigint): bigint {
  let [a, b, x, y] = [modulus, value, 0n, 1n];
  while (b !== 0n) [a, b, x, y] = [b, a % b, y, x - (a / b) * y];
  return ((x % modulus) + modulus) % modulus;
}
