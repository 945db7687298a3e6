// Merges maps into maps in place: only what is missing or empty, or everything.
// Mirrors: darccio/mergo, merge.go, `Merge` and `MergeWithOverwrite`, v1.0.1.

import { Ancestors } from '../go/deep.ts';
import { elementType, GoError, type GoMap, GoObject, type GoValue, isNil, kindOf, typeOf } from '../go/value.ts';

/** An error that mergo returns rather than panics with: `merge` swallows it, `mustMerge` does not. */
export class MergeError extends GoError {}

/**
 * Merges `source` into `target` and gives the target, which is a new map only when it was nil.
 * Maps of the source that the target lacks are taken over by reference: a later merge into the target changes them too.
 * Throws `MergeError` where mergo returns an error.
 */
export function mergeMaps(target: GoMap, source: GoMap, overwrite: boolean): GoMap {
  const merged = isNil(target) && !isNil(source) ? new Map() : target;
  const open: Merge[] = [begin(merged, source)];
  const ancestors = new Ancestors();
  for (let top = open[open.length - 1]; top !== undefined; top = open[open.length - 1]) {
    if (top.begun !== undefined) {
      settle(top, top.begun, overwrite);
      continue;
    }
    const { done, value: entry } = top.entries.next();
    if (done === true) {
      open.pop();
      continue;
    }
    const inner = mergeEntry(top, entry, overwrite);
    if (inner === undefined) continue;
    open.push(inner);
    ancestors.enter(open.length, inner.source, inner.target);
  }
  return merged;
}

/** Two maps that are being merged. */
interface Merge {
  readonly target: GoMap;
  readonly source: GoMap;
  readonly entries: Iterator<[string, GoValue]>;
  /** The static type of the source's elements. */
  readonly type: string;
  /** The entry whose values are merged, but not yet put where they belong. */
  begun: Begun | undefined;
}

interface Begun {
  readonly key: string;
  readonly value: GoValue;
  readonly existing: GoValue | undefined;
}

function begin(target: GoMap, source: GoMap): Merge {
  return { target, source, entries: source.entries(), type: elementType(source), begun: undefined };
}

interface Element {
  readonly value: GoValue;
  /** The static type of the map's elements. */
  readonly type: string;
}

// Begins with an entry; gives what has to be merged before it is settled, as far as Go can reach into the value that is there.
function mergeEntry(merge: Merge, [key, value]: [string, GoValue], overwrite: boolean): Merge | undefined {
  if (value === null || (isNil(value) && merge.type !== 'interface {}')) {
    if (overwrite) assign(merge.target, key, { value, type: merge.type });
    return undefined;
  }
  const existing = merge.target.get(key);
  merge.begun = { key, value, existing };
  if (existing === undefined || existing === null || !['map', 'struct', 'ptr'].includes(kindOf(value))) {
    return undefined;
  }
  if (existing instanceof GoObject) refuseMismatch(existing, value, overwrite);
  const areMaps = existing instanceof Map && value instanceof Map && !isNil(existing);
  return areMaps ? begin(existing, value) : undefined;
}

// Emptiness is asked after the merge: an empty map that took something in stays.
function settle(merge: Merge, { key, value, existing }: Begun, overwrite: boolean): void {
  merge.begun = undefined;
  const present = existing !== undefined && !isEmpty(existing);
  if (present && value instanceof Map && existing instanceof Map) return;
  if (present && kindOf(value) === 'slice' && !overwrite) return;
  if (overwrite || !present) assign(merge.target, key, { value, type: merge.type });
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

// The one place where the map's element type shows: a map[string]string takes no other values.
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
  if (Array.isArray(value) || value instanceof Uint8Array) return value.length === 0;
  return typeof value === 'object' && 'value' in value && value.value === 0n;
}
