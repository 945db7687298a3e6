// The custom token of the hosted push-messaging provider: a JWT signed with RS256, and the public key to verify it.
// Mirrors: Firebase Auth, custom tokens.

import { encodeBase64Url } from './base64.ts';
import { deriveToken } from './derive.ts';
import { deriveRsaKey, type RsaKey, signRsa, toPaddedBytes } from './rsa.ts';

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
const keys = new Map<string, RsaKey>();

function keyOf(seed: string): RsaKey {
  const key = keys.get(seed) ?? deriveRsaKey(seed);
  keys.set(seed, key);
  return key;
}

function keyId(seed: string): string {
  return deriveToken(seed, 'rsa/kid').slice(0, 16);
}
