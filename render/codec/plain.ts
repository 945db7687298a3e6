// Go values to plain JavaScript: what JSON.parse would give of them.

import { encodeBase64 } from '../go/base64.ts';
import { GoObject, type GoValue, Int, isNil } from '../go/value.ts';

/**
 * Gives a Go value as plain objects, lists, texts, numbers, booleans and nulls. Whole numbers beyond 2^53 lose digits;
 * what JSON cannot hold (infinities, a map within itself) is null.
 */
export function plainValue(value: GoValue): unknown {
  return plain(value, new Set());
}

function plain(value: GoValue, within: Set<GoValue>): unknown {
  if (value instanceof Int) return Number(value.value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'object' || isNil(value)) return typeof value === 'object' ? null : value;
  if (value instanceof Uint8Array) return encodeBase64(value);
  if (within.has(value)) return null;
  within.add(value);
  const inner = value instanceof GoObject ? value.json() : value;
  const made = inner === value ? members(value, within) : plain(inner, within);
  within.delete(value);
  return made;
}

function members(value: GoValue, within: Set<GoValue>): unknown {
  if (Array.isArray(value)) return Array.from(value, (item) => plain(item, within));
  return Object.fromEntries([...(value as Map<string, GoValue>)].map(([key, item]) => [key, plain(item, within)]));
}
