// The custom token of the hosted push-messaging provider: a JWT signed with RS256, and the public key to verify it.
// Mirrors: Firebase Auth, custom tokens.

import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { memo } from '../../render/core/lazy.ts';
import { power } from '../../render/go/big/power.ts';
import { inverse, searchPrime } from '../../render/go/big/primes.ts';
import { encodeBase64Url } from './base64.ts';
import { deriveBytes, deriveToken } from './derive.ts';

const service = 'drydock@emulator.invalid';
const audience = 'https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit';
const lifetimeSeconds = 3600;

/** Returns the token of a user, valid for one hour from `now` (milliseconds since 1970). */
export function cloudmsgToken(seed: string, uid: string, now: number): string {
  const issued = Math.floor(now / 1000);
  const header = { alg: 'RS256', kid: keyId(seed), typ: 'JWT' };
  const claims = { iss: service, sub: service, aud: audience, uid, iat: issued, exp: issued + lifetimeSeconds };
  const signed = `${encodeBase64Url(JSON.stringify(header))}.${encodeBase64Url(JSON.stringify(claims))}`;
  return `${signed}.${encodeBase64Url(signRsa(keyOf(seed), new TextEncoder().encode(signed)))}`;
}

/** Returns the public keys as a JSON Web Key Set. */
export function cloudmsgKeys(seed: string): { readonly keys: readonly Readonly<Record<string, string>>[] } {
  const { modulus, exponent } = keyOf(seed);
  const [n, e] = [encodeBase64Url(toPaddedBytes(modulus)), encodeBase64Url(toPaddedBytes(exponent, 3))];
  return { keys: [{ kty: 'RSA', use: 'sig', alg: 'RS256', kid: keyId(seed), n, e }] };
}

// Keys are slow to generate and depend on the seed alone, so all worlds of the process share them.
const keyOf = memo(deriveRsaKey);

function keyId(seed: string): string {
  return deriveToken(seed, 'rsa/kid').slice(0, 16);
}

// An RSA key derived from a seed, and signatures with it (PKCS #1 v1.5, SHA-256). For emulated tokens only. Platforms generate RSA keys at
// random; a world needs the same key in every run.

interface RsaKey {
  readonly modulus: bigint;
  readonly exponent: bigint;
  readonly secret: bigint;
}

const keyBytes = 256;
const exponent = 65537n;

/** Returns the key of a seed. Takes some tenths of a second: call it on demand and keep the key. */
function deriveRsaKey(seed: string): RsaKey {
  const p = derivePrime(seed, 'rsa/p');
  const q = derivePrime(seed, 'rsa/q');
  return { modulus: p * q, exponent, secret: inverse(exponent, (p - 1n) * (q - 1n)) };
}

/** Returns the signature of a message (RSASSA-PKCS1-v1_5 with SHA-256), 256 bytes. */
function signRsa(key: RsaKey, message: Uint8Array): Uint8Array {
  // The DER of AlgorithmIdentifier SHA-256 and the header of the digest (RFC 8017, 9.2).
  const digest = `3031300d060960864801650304020105000420${bytesToHex(sha256(message))}`;
  const padded = `0001${'ff'.repeat(keyBytes - 3 - digest.length / 2)}00${digest}`;
  return toPaddedBytes(power(BigInt(`0x${padded}`), key.secret, key.modulus));
}

/** Returns a number as big-endian bytes of the key's size. */
function toPaddedBytes(value: bigint, length: number = keyBytes): Uint8Array {
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
