// A short placeholder for secrets, the same for equal secrets.

import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { encodeUtf8 } from '../go/utf8.ts';
import type { GoMap, GoValue } from '../go/value.ts';
import { formatScalar } from './value.ts';

/**
 * Returns a value with each text and number replaced by a fingerprint such as `<secret 3f9a2c41d0b7e695>`. Its 64 bits make it infeasible
 * to find another text with the same fingerprint.
 */
export function fingerprint(value: GoValue, key: string): GoValue {
  if (Array.isArray(value)) return value.map((item) => fingerprint(item, key));
  if (value instanceof Map) return new Map([...value].map(([name, item]) => [name, fingerprint(item, key)])) as GoMap;
  if (value === null || value === '' || isFingerprint(value)) return value;
  const digest = hmac(sha256, encodeUtf8(key), encodeUtf8(typeof value === 'string' ? value : formatScalar(value)));
  return `<secret ${bytesToHex(digest).slice(0, 16)}>`;
}

/** Reports whether a value is a fingerprint, or the placeholder of a snapshot for random values. */
export function isFingerprint(value: GoValue): boolean {
  return typeof value === 'string' && /^<(?:secret [0-9a-f]{16}(?: and random)?|random)>$/.test(value);
}
