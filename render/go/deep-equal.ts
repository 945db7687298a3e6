// Deep equality.
// Mirrors: Go, reflect, deepequal.go.

import { GoObject, type GoValue, Int, isNil, typeOf } from './value.ts';

/**
 * Reports whether two values are deeply equal, including types.
 * Mirrors: reflect.DeepEqual.
 */
export function deepEqual(a: GoValue, b: GoValue): boolean {
  const left: GoValue[] = [];
  if (!isEqualSoFar(a, b, left)) return false;
  // As in Go, a pair that is being compared is not compared again, because of cycles.
  const compared = new Map<GoValue, Set<GoValue>>();
  for (let count = 0; left.length > 0; count++) {
    const [x, y] = [left.pop() as GoValue, left.pop() as GoValue];
    if (count > longComparison && isKnown(compared, x, y)) continue;
    if (!isEqualSoFar(x, y, left)) return false;
  }
  return true;
}

const longComparison = 10_000;

function isKnown(pairs: Map<GoValue, Set<GoValue>>, a: GoValue, b: GoValue): boolean {
  if (typeof a !== 'object' || a === null) return false;
  const others = pairs.get(a);
  if (others === undefined) pairs.set(a, new Set([b]));
  return others !== undefined && (others.has(b) || !others.add(b));
}

// Compares everything but the elements of two values, which are queued.
function isEqualSoFar(a: GoValue, b: GoValue, left: GoValue[]): boolean {
  if (a === b) return true;
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return false;
  if (typeOf(a) !== typeOf(b) || isNil(a) !== isNil(b)) return false;
  if (a instanceof Int) return b instanceof Int && a.value === b.value;
  if (a instanceof GoObject) return b instanceof GoObject && isMapEqualSoFar(a.layout(), b.layout(), left);
  if (a instanceof Map) return b instanceof Map && isMapEqualSoFar(a, b, left);
  const other = b as ArrayLike<GoValue>;
  if (a.length !== other.length) return false;
  for (let i = 0; i < a.length; i++) {
    const [x, y] = [a[i] as GoValue, other[i] ?? null];
    if (!areBothDeep(x, y)) {
      if (!isEqualSoFar(x, y, left)) return false;
    } else left.push(y, x);
  }
  return true;
}

function isMapEqualSoFar(a: ReadonlyMap<string, GoValue>, b: ReadonlyMap<string, GoValue>, left: GoValue[]): boolean {
  if (a.size !== b.size) return false;
  for (const [key, value] of a) {
    const other = b.get(key);
    if (other === undefined) return false;
    if (areBothDeep(value, other)) left.push(other, value);
    else if (!isEqualSoFar(value, other, left)) return false;
  }
  return true;
}

// Only these values have another level.
function areBothDeep(a: GoValue, b: GoValue): boolean {
  return a !== b && typeof a === 'object' && typeof b === 'object' && a !== null && !(a instanceof Int);
}
