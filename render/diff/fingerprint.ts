// What stands for a secret that must not be read: a short text, the same for the same secret.

import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { encodeUtf8 } from '../go/utf8.ts';
import type { GoMap, GoValue } from '../go/value.ts';
import { scalarText } from './value.ts';

/** Gives a value with a fingerprint such as `<secret 3f9a2c41>` in the place of each text and number. */
export function fingerprint(value: GoValue, key: string): GoValue {
  if (Array.isArray(value)) return value.map((item) => fingerprint(item, key));
  if (value instanceof Map) return new Map([...value].map(([name, item]) => [name, fingerprint(item, key)])) as GoMap;
  if (value === null || value === '' || isFingerprint(value)) return value;
  const digest = hmac(sha256, encodeUtf8(key), encodeUtf8(typeof value === 'string' ? value : scalarText(value)));
  return `<secret ${bytesToHex(digest).slice(0, 8)}>`;
}

/** Tells whether a value is a fingerprint already, or the mark of a snapshot for what is drawn at random. */
export function isFingerprint(value: GoValue): boolean {
  return typeof value === 'string' && /^<(?:secret [0-9a-f]{8}(?: and random)?|random)>$/.test(value);
}
