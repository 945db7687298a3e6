// The list functions of sprig: each accepts a list of any type and returns a new one; the `must…` variants have the same errors.
// Mirrors: Masterminds/sprig, list.go, v3.3.0.

import { exact, grown, roomBehind, withCapacity, withRoom } from '../go/capacity.ts';
import { toInt64 } from '../go/cast.ts';
import { deepEqual } from '../go/deep-equal.ts';
import { isBytes } from '../go/realm.ts';
import {
  type FuncMap,
  func,
  GoError,
  type GoFunc,
  type GoValue,
  Int,
  isTrue,
  kindOf,
  nilSlice,
  TypedSlice,
  typedSlice,
  variadic,
} from '../go/value.ts';

/** The error of a Go function that needs the type of a nil value. */
const nilDereference = 'runtime error: invalid memory address or nil pointer dereference';

/** Returns the items of a list of any type. Throws `refuse(kind)` for other kinds and a nil dereference for nil. */
export function itemsOf(list: GoValue, refuse: (kind: string) => string): readonly GoValue[] {
  if (Array.isArray(list)) return list;
  if (isBytes(list)) return Array.from(list, (byte) => new Int(BigInt(byte), 'uint8'));
  throw new GoError(list === null ? nilDereference : refuse(kindOf(list)));
}

// Returns the entries of a function and its `must` variant: the plain one panics where the other one fails, with the same message.
function twins(name: string, implementation: GoFunc): [string, GoFunc][] {
  return [
    [name, implementation],
    [`must${name.charAt(0).toUpperCase()}${name.slice(1)}`, implementation],
  ];
}

// Declares a function of one list with the message `Cannot find NAME on type KIND` for other kinds.
function ofList(name: string, call: (items: readonly GoValue[]) => GoValue): [string, GoFunc][] {
  const refuse = (kind: string): string => `Cannot find ${name} on type ${kind}`;
  return twins(
    name,
    func(['any'], (list) => call(itemsOf(list, refuse))),
  );
}

const append = func(['any', 'any'], (list, item) => {
  const items = itemsOf(list, (kind) => `Cannot push on type ${kind}`);
  return withCapacity([...items, item], grown(items.length, items.length + 1));
});

function prepend(list: GoValue, item: GoValue): GoValue {
  const items = itemsOf(list, (kind) => `Cannot prepend on type ${kind}`);
  return withCapacity([item, ...items], items.length === 0 ? 1 : grown(1, items.length + 1));
}

export const listFuncs: FuncMap = new Map([
  ['list', variadic([], 'any', (items) => exact(items))],
  ['tuple', variadic([], 'any', (items) => exact(items))],
  ...ofList('first', (items) => items[0] ?? null),
  ...ofList('last', (items) => items.at(-1) ?? null),
  ...ofList('rest', (items) => (items.length === 0 ? nilSlice() : exact(items.slice(1)))),
  ...ofList('initial', (items) => (items.length === 0 ? nilSlice() : exact(items.slice(0, -1)))),
  ...ofList('reverse', (items) => exact(items.toReversed())),
  ...ofList('uniq', uniq),
  ...twins('append', append),
  ...twins('push', append),
  ...twins('prepend', func(['any', 'any'], prepend)),
  ...twins(
    'compact',
    func(['any'], (list) => itemsOf(list, (kind) => `Cannot compact on type ${kind}`).filter(isTrue)),
  ),
  ...twins('without', variadic(['any'], 'any', without)),
  ...twins('has', func(['any', 'any'], has)),
  ...twins('slice', variadic(['any'], 'any', slice)),
  ...twins('chunk', func(['int', 'any'], chunk)),
  ['concat', variadic([], 'any', concat)],
]);

function isIn(items: readonly GoValue[], needle: GoValue): boolean {
  return items.some((item) => deepEqual(needle, item));
}

/** Finds equal values: scalars by key, so that only collections are compared. */
class EqualValues {
  readonly #scalars = new Set<string>();
  readonly #others: GoValue[] = [];

  has(value: GoValue): boolean {
    const key = scalarKey(value);
    return key === undefined ? isIn(this.#others, value) : this.#scalars.has(key);
  }

  add(value: GoValue): void {
    const key = scalarKey(value);
    if (key === undefined) this.#others.push(value);
    else this.#scalars.add(key);
  }
}

// Not for NaN, which does not equal anything.
function scalarKey(value: GoValue): string | undefined {
  if (typeof value === 'string') return `s${value}`;
  if (value instanceof Int) return `${value.type} ${value.value}`;
  if (typeof value === 'number') return Number.isNaN(value) ? undefined : `f${value}`;
  return value === null || typeof value === 'boolean' ? `b${value}` : undefined;
}

function uniq(items: readonly GoValue[]): GoValue {
  const kept: GoValue[] = [];
  const known = new EqualValues();
  for (const item of items) {
    if (known.has(item)) continue;
    known.add(item);
    kept.push(item);
  }
  return kept;
}

function without(list: GoValue, omitted: readonly GoValue[]): GoValue {
  const items = itemsOf(list, (kind) => `Cannot find without on type ${kind}`);
  const known = new EqualValues();
  for (const item of omitted) known.add(item);
  return items.filter((item) => !known.has(item));
}

function has(needle: GoValue, haystack: GoValue): boolean {
  return (
    haystack !== null &&
    isIn(
      itemsOf(haystack, (kind) => `Cannot find has on type ${kind}`),
      needle,
    )
  );
}

// Keeps the type of the list, like reflection, and can reach beyond its end.
function slice(list: GoValue, indices: readonly GoValue[]): GoValue {
  const items = itemsOf(list, (kind) => `list should be type of slice or array but ${kind}`);
  if (items.length === 0) return null;
  const [from, to] = indices.map((index) => Number(toInt64(index)));
  const start = from ?? 0;
  const end = to ?? items.length;
  const all = isBytes(list) ? items : [...items, ...roomBehind(items)];
  if (start < 0 || end < start || end > all.length) {
    throw new GoError('reflect.Value.Slice: slice index out of bounds');
  }
  if (isBytes(list)) return list.subarray(start, end);
  const part = all.slice(start, end);
  return withRoom(list instanceof TypedSlice ? typedSlice(list.type, part, list.methods) : part, all.slice(end));
}

// Counts in floating point like Go's function, which determines the result for a size of zero or less.
function chunk(size: number, list: GoValue): GoValue {
  const items = itemsOf(list, (kind) => `Cannot chunk type ${kind}`);
  const count = Math.floor((items.length - 1) / size) + 1;
  if (!(count >= 0 && count < 2 ** 47)) throw new GoError('runtime error: makeslice: len out of range');
  const chunks: GoValue[] = [];
  for (let i = 0; i < count; i++) {
    const length = i === count - 1 ? items.length % size || size : size;
    if (length < 0) throw new GoError('runtime error: makeslice: len out of range');
    chunks.push(exact(items.slice(i * size, i * size + length)));
  }
  return exact(typedSlice('[][]interface {}', chunks));
}

function concat(lists: readonly GoValue[]): GoValue {
  const items = lists.flatMap((list) => itemsOf(list, (kind) => `Cannot concat type ${kind} as list`));
  return items.length === 0 ? nilSlice() : items;
}
