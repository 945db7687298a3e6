// An RSA key derived from a seed, and signatures with it (PKCS #1 v1.5, SHA-256). For emulated tokens only. Platforms generate RSA keys at
// random; a world needs the same key in every run.

import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { power } from '../../render/go/big/power.ts';
import { inverse, searchPrime } from '../../render/go/big/primes.ts';
import { deriveBytes } from './derive.ts';

/** A 2048-bit RSA key: modulus, public exponent, private exponent. */
export interface RsaKey {
  readonly modulus: bigint;
  readonly exponent: bigint;
  readonly secret: bigint;
}

const keyBytes = 256;
const exponent = 65537n;

/** Returns the key of a seed. Takes some tenths of a second: call it on demand and keep the key. */
export function deriveRsaKey(seed: string): RsaKey {
  const p = derivePrime(seed, 'rsa/p');
  const q = derivePrime(seed, 'rsa/q');
  return { modulus: p * q, exponent, secret: inverse(exponent, (p - 1n) * (q - 1n)) };
}

/** Returns the signature of a message (RSASSA-PKCS1-v1_5 with SHA-256), 256 bytes. */
export function signRsa(key: RsaKey, message: Uint8Array): Uint8Array {
  // The DER of AlgorithmIdentifier SHA-256 and the header of the digest (RFC 8017, 9.2).
  const digest = `3031300d060960864801650304020105000420${bytesToHex(sha256(message))}`;
  const padded = `0001${'ff'.repeat(keyBytes - 3 - digest.length / 2)}00${digest}`;
  return toPaddedBytes(power(BigInt(`0x${padded}`), key.secret, key.modulus));
}

/** Returns a number as big-endian bytes of the key's size. */
export function toPaddedBytes(value: bigint, length: number = keyBytes): Uint8Array {
  return hexToBytes(value.toString(16).padStart(length * 2, '0'));
}

// The two top bits are set, so that the product of two primes has 2048 bits.
function derivePrime(seed: string, label: string): bigint {
  let start = BigInt(`0x${bytesToHex(deriveBytes(seed, label, keyBytes / 2))}`) | (3n << 1022n) | 1n;
  for (;;) {
    const prime = searchPrime(() => start, 2n, 1024);
    if ((prime - 1n) % exponent !== 0n) return prime;
    start = prime + 2n;
  }
}
