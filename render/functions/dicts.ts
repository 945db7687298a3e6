// The dictionary functions of sprig. `set`, `unset` and the merge functions modify their first argument in place, like Go maps.
// Mirrors: Masterminds/sprig, dict.go, v3.3.0; mitchellh/copystructure, v1.2.0.

import { roomBehind, withCapacity } from '../go/capacity.ts';
import { strval } from '../go/cast.ts';
import { isBytes } from '../go/realm.ts';
import {
  elementType,
  type FuncMap,
  func,
  GoError,
  type GoMap,
  GoObject,
  type GoValue,
  isNil,
  kindOf,
  NamedMap,
  nilMap,
  sortedEntries,
  sortedKeys,
  stringSlice,
  TypedSlice,
  typedSlice,
  typeOf,
  variadic,
} from '../go/value.ts';

const mapType = 'map[string]interface {}';

const merge = variadic([mapType], mapType, (target, sources) => mergeQuietly(target, sources, false));
const mergeOverwrite = variadic([mapType], mapType, (target, sources) => mergeQuietly(target, sources, true));
const mustMerge = variadic([mapType], mapType, (target, sources) => mergeAll(target, sources, false));
const mustMergeOverwrite = variadic([mapType], mapType, (target, sources) => mergeAll(target, sources, true));

export const dictFuncs: FuncMap = new Map([
  ['dict', variadic([], 'any', dict)],
  ['get', func([mapType, 'string'], (map, key) => orEmptyText(map?.get(key)))],
  ['set', func([mapType, 'string', 'any'], (map, key, value) => (map ?? nilMap()).set(key, value))],
  ['unset', func([mapType, 'string'], unset)],
  ['hasKey', func([mapType, 'string'], (map, key) => map?.has(key) ?? false)],
  ['pluck', variadic(['string'], mapType, pluck)],
  ['keys', variadic([], mapType, (maps) => stringSlice(maps.flatMap((map) => (map === null ? [] : sortedKeys(map)))))],
  // Go iterates over the map in random order; any fixed order is valid.
  ['values', func([mapType], (map) => (map === null ? [] : sortedEntries(map).map(([, value]) => value)))],
  ['pick', variadic([mapType], 'string', pick)],
  ['omit', variadic([mapType], 'string', omit)],
  ['merge', merge],
  ['mergeOverwrite', mergeOverwrite],
  ['mustMerge', mustMerge],
  ['mustMergeOverwrite', mustMergeOverwrite],
  ['dig', variadic([], 'any', dig)],
  ['deepCopy', func(['any'], deepCopy)],
  ['mustDeepCopy', func(['any'], deepCopy)],
]);

function dict(items: readonly GoValue[]): GoValue {
  const map: GoMap = new Map();
  for (let i = 0; i < items.length; i += 2)
    map.set(strval(items[i] ?? null), i + 1 < items.length ? (items[i + 1] ?? null) : '');
  return map;
}

// A key with a nil value exists.
function orEmptyText(value: GoValue | undefined): GoValue {
  return value === undefined ? '' : value;
}

function unset(map: GoMap | null, key: string): GoValue {
  map?.delete(key);
  return map ?? nilMap();
}

function pluck(key: string, maps: readonly (GoMap | null)[]): GoValue {
  return maps.flatMap((map) => (map?.has(key) ? [map.get(key) ?? null] : []));
}

function pick(map: GoMap | null, keys: readonly string[]): GoValue {
  const picked: GoMap = new Map();
  for (const key of keys) {
    const value = map?.get(key);
    if (value !== undefined) picked.set(key, value);
  }
  return picked;
}

function omit(map: GoMap | null, keys: readonly string[]): GoValue {
  const kept: GoMap = new Map(map);
  for (const key of keys) kept.delete(key);
  return kept;
}

function mergeAll(target: GoMap | null, sources: readonly (GoMap | null)[], overwrite: boolean): GoValue {
  let merged = target ?? nilMap();
  for (const source of sources) merged = mergeInto(merged, source ?? nilMap(), overwrite);
  return merged;
}

function mergeQuietly(target: GoMap | null, sources: readonly (GoMap | null)[], overwrite: boolean): GoValue {
  try {
    return mergeAll(target, sources, overwrite);
  } catch (error) {
    if (error instanceof MergeError) return '';
    throw error;
  }
}

function dig(parameters: readonly GoValue[]): GoValue {
  if (parameters.length < 3) throw new GoError('dig needs at least three arguments');
  const keys = parameters.slice(0, -2);
  let map = assertMap(parameters.at(-1) ?? null);
  const names = keys.map(assertString);
  for (const [i, name] of names.entries()) {
    const step = map.get(name);
    if (step === undefined) return parameters.at(-2) ?? null;
    if (i === names.length - 1) return step;
    map = assertMap(step);
  }
  return null;
}

function assertMap(value: GoValue): GoMap {
  if (value instanceof Map && typeOf(value) === mapType) return value;
  throw wrongDynamicType(value, mapType);
}

function assertString(value: GoValue): string {
  if (typeof value === 'string') return value;
  throw wrongDynamicType(value, 'string');
}

function wrongDynamicType(value: GoValue, wanted: string): GoError {
  const found = value === null ? 'nil' : typeOf(value);
  return new GoError(`interface conversion: interface {} is ${found}, not ${wanted}`);
}

function deepCopy(value: GoValue): GoValue {
  if (value === null) throw new GoError('reflect: call of reflect.Value.Type on zero Value');
  return copy(value);
}

function copy(value: GoValue): GoValue {
  if (isNil(value)) return value;
  if (value instanceof NamedMap) return new NamedMap(copyEntries(value), value.type, value.methods);
  if (value instanceof Map) return copyEntries(value);
  if (isBytes(value)) return value.slice();
  if (value instanceof TypedSlice) return copyItems(value, typedSlice(value.type, [], value.methods));
  if (Array.isArray(value)) return copyItems(value, []);
  return value instanceof GoObject ? value.deepCopy() : value;
}

// A copy has the capacity of its original, with zero values after its end.
function copyItems(model: readonly GoValue[], copied: GoValue[]): GoValue {
  for (const item of model) copied.push(copy(item));
  withCapacity(copied, model.length + roomBehind(model).length);
  return copied;
}

function copyEntries(map: GoMap): GoMap {
  const copied: GoMap = new Map();
  for (const [key, value] of map) copied.set(key, copy(value));
  return copied;
}

// Merges maps in place: only missing or empty entries, or all.
// Mirrors: darccio/mergo, merge.go, `Merge` and `MergeWithOverwrite`, v1.0.1.

/** An error that mergo returns, as opposed to a panic: `merge` ignores it, `mustMerge` does not. */
class MergeError extends GoError {}

/**
 * Merges `source` into `target` and returns the target, which is a new map only if it was nil. Maps that only the source has are shared by
 * reference: a later merge into the target modifies them too. Throws `MergeError` where mergo returns an error.
 */
function mergeInto(target: GoMap, source: GoMap, overwrite: boolean): GoMap {
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
