// Merges maps in place: only missing or empty entries, or all.
// Mirrors: darccio/mergo, merge.go, `Merge` and `MergeWithOverwrite`, v1.0.1.

import { isBytes } from '../go/realm.ts';
import { elementType, GoError, type GoMap, GoObject, type GoValue, isNil, kindOf, typeOf } from '../go/value.ts';

/** An error that mergo returns, as opposed to a panic: `merge` ignores it, `mustMerge` does not. */
export class MergeError extends GoError {}

/**
 * Merges `source` into `target` and returns the target, which is a new map only if it was nil. Maps that only the source has are shared by
 * reference: a later merge into the target modifies them too. Throws `MergeError` where mergo returns an error.
 */
export function mergeInto(target: GoMap, source: GoMap, overwrite: boolean): GoMap {
  const merged = isNil(target) && !isNil(source) ? new Map() : target;
  const type = elementType(source);
  for (const [key, value] of source) mergeEntry(merged, key, { value, type }, overwrite);
  return merged;
}

interface Element {
  readonly value: GoValue;
  /** The static type of the map's elements. */
  readonly type: string;
}

// Merges an entry, first within the existing value as far as it is addressable in Go.
function mergeEntry(target: GoMap, key: string, element: Element, overwrite: boolean): void {
  const { value, type } = element;
  if (value === null || (isNil(value) && type !== 'interface {}')) {
    if (overwrite) assign(target, key, element);
    return;
  }
  const existing = target.get(key);
  if (existing !== undefined && existing !== null && ['map', 'struct', 'ptr'].includes(kindOf(value))) {
    if (existing instanceof GoObject) refuseMismatch(existing, value, overwrite);
    if (existing instanceof Map && value instanceof Map && !isNil(existing)) mergeInto(existing, value, overwrite);
  }
  // Emptiness is checked after the merge: an empty map that received an entry is kept.
  const present = existing !== undefined && !isEmpty(existing);
  if (present && value instanceof Map && existing instanceof Map) return;
  if (present && kindOf(value) === 'slice' && !overwrite) return;
  if (overwrite || !present) assign(target, key, element);
}

function refuseMismatch(existing: GoObject, value: GoValue, overwrite: boolean): void {
  const kind = kindOf(value);
  if (existing.kind === 'ptr') {
    if (!overwrite && kind !== 'ptr' && typeOf(value) !== existing.type.slice(1)) {
      throw new MergeError('src and dst must be of same type');
    }
  } else if (existing.fields().size > 0 && kind !== 'struct') {
    throw new GoError(`reflect: call of reflect.Value.Field on ${kind} Value`);
  }
}

// The only place where the map's element type matters: a map[string]string accepts no other values.
function assign(target: GoMap, key: string, element: Element): void {
  const wanted = elementType(target);
  if (wanted !== 'interface {}' && element.type !== wanted) {
    throw new GoError(`reflect.Value.SetMapIndex: value of type ${element.type} is not assignable to type ${wanted}`);
  }
  target.set(key, element.value);
}

// Mirrors: mergo, mergo.go, `isEmptyValue`. Structs and pointers to them are never empty.
function isEmpty(value: GoValue): boolean {
  if (value === null || value === false || value === '' || value === 0) return true;
  if (value instanceof Map) return value.size === 0;
  if (Array.isArray(value) || isBytes(value)) return value.length === 0;
  return typeof value === 'object' && 'value' in value && value.value === 0n;
}
