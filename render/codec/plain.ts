// Go values to plain JavaScript: what JSON.parse would give of them.

import { encodeBase64 } from '../go/base64.ts';
import { type GoMap, GoObject, type GoValue, Int, isNil } from '../go/value.ts';

/**
 * Gives a Go value as plain objects, lists, texts, numbers, booleans and nulls. Whole numbers beyond 2^53 lose digits;
 * what JSON cannot hold (infinities, a map within itself) is null.
 */
export function plainValue(value: GoValue): unknown {
  const within = new Set<GoValue>();
  const open: OpenPlain[] = [];
  // What is done last goes to the one that holds it; the whole goes to this list.
  const top: unknown[] = [];
  const add = (item: GoValue, into: unknown[]): void => {
    const scalar = plainScalar(item, within);
    if (scalar === undefined) open.push(begin(item, within));
    else into.push(scalar.value);
  };
  add(value, top);
  for (let last = open[open.length - 1]; last !== undefined; last = open[open.length - 1]) {
    if (last.made.length < last.items.length) {
      add(last.items[last.made.length] as GoValue, last.made);
      continue;
    }
    open.pop();
    for (const item of last.values) within.delete(item);
    (open[open.length - 1]?.made ?? top).push(finish(last));
  }
  return top[0];
}

interface OpenPlain {
  /** Undefined for a list. */
  readonly keys: readonly string[] | undefined;
  readonly items: readonly GoValue[];
  readonly made: unknown[];
  /** The value, and what it is in JSON. */
  readonly values: readonly GoValue[];
}

function plainScalar(value: GoValue, within: ReadonlySet<GoValue>): { readonly value: unknown } | undefined {
  if (value instanceof Int) return { value: Number(value.value) };
  if (typeof value === 'number') return { value: Number.isFinite(value) ? value : null };
  if (typeof value !== 'object') return { value };
  if (isNil(value) || within.has(value)) return { value: null };
  if (value instanceof Uint8Array) return { value: encodeBase64(value) };
  return value instanceof GoObject ? plainScalar(value.json(), within) : undefined;
}

function begin(value: GoValue, within: Set<GoValue>): OpenPlain {
  const inner = value instanceof GoObject ? value.json() : value;
  const values = [value, inner];
  for (const item of values) within.add(item);
  if (Array.isArray(inner)) return { keys: undefined, items: inner, made: [], values };
  const map = inner as GoMap;
  return { keys: [...map.keys()], items: [...map.values()], made: [], values };
}

function finish({ keys, made }: OpenPlain): unknown {
  if (keys === undefined) return made;
  return Object.fromEntries(keys.map((key, i) => [key, made[i]]));
}
