// Converts Go values to plain JavaScript, as JSON.parse returns them.

import { encodeBase64 } from '../go/base64.ts';
import { isBytes } from '../go/realm.ts';
import { type GoMap, GoObject, type GoValue, Int, isNil } from '../go/value.ts';

/**
 * Returns a Go value as plain objects, lists, texts, numbers, booleans and nulls. Integers beyond 2^53 lose digits; values without a JSON
 * form (infinities, a map within itself) become null.
 */
export function plainValue(value: GoValue): unknown {
  return plainWithin(value, new Set());
}

// `within` are the enclosing values.
function plainWithin(value: GoValue, within: Set<GoValue>): unknown {
  if (value instanceof Int) return Number(value.value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'object') return value;
  if (isNil(value) || within.has(value)) return null;
  if (isBytes(value)) return encodeBase64(value);
  within.add(value);
  const plain = plainParts(value, within);
  within.delete(value);
  return plain;
}

function plainParts(value: GoValue, within: Set<GoValue>): unknown {
  if (value instanceof GoObject) return plainWithin(value.json(), within);
  if (Array.isArray(value)) return Array.from(value, (item) => plainWithin(item, within));
  return Object.fromEntries([...(value as GoMap)].map(([key, item]) => [key, plainWithin(item, within)]));
}
