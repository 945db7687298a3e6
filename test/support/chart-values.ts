// Changes of a chart's values, and a host with which repeated renderings are identical.

import { RenderError } from '../../render/core/errors.ts';
import { type Host, seededHost } from '../../render/core/host.ts';
import type { Steps } from '../../render/core/paths.ts';
import { searchPrime } from '../../render/go/big/primes.ts';
import { type GoMap, type GoValue, Int } from '../../render/go/value.ts';
import { copyValue } from '../../render/values/lookup.ts';
import { valueAtSteps } from '../../render/values/paths.ts';
import type { Dice } from './dice.ts';

const known = new Map<number, bigint[]>();

/** Returns a host with which all renderings of a chart are identical. Its primes are searched once. */
export function repeatableHost(): Host {
  const host = seededHost();
  const given = new Map<number, number>();
  return {
    ...host,
    randomPrime(bits) {
      const at = given.get(bits) ?? 0;
      given.set(bits, at + 1);
      const primes = known.get(bits) ?? [];
      known.set(bits, primes);
      primes[at] ??= searchPrime(() => searchStart(bits, at), 2n, bits);
      return primes[at];
    },
  };
}

// Odd, with the two highest bits set, and far from the start of other searches.
function searchStart(bits: number, at: number): bigint {
  return (3n << BigInt(bits - 2)) + (BigInt(at) << BigInt(bits / 2)) + 1n;
}

/** Returns the result of a function, or the RenderError that it throws. */
export function orRenderError<Result>(run: () => Result): Result | RenderError {
  try {
    return run();
  } catch (error) {
    if (error instanceof RenderError) return error;
    throw error;
  }
}

/** Returns all scalars except null, each with its path from the root. */
export function scalarLeaves(values: GoMap): { readonly steps: Steps; readonly value: GoValue }[] {
  const leaves: { readonly steps: Steps; readonly value: GoValue }[] = [];
  const pending: [value: GoValue, steps: Steps][] = [[values, []]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [value, steps] = next;
    if (value instanceof Map) for (const [key, item] of value) pending.push([item, [...steps, key]]);
    else if (Array.isArray(value)) pending.push(...value.map((item, at): [GoValue, Steps] => [item, [...steps, at]]));
    else if (value !== null) leaves.push({ steps, value });
  }
  return leaves;
}

/** The text that `changedValue` adds to a text. */
export const addedText = 'zqdockzq';

/** Returns another value of the same type. */
export function changedValue(value: GoValue): GoValue {
  if (typeof value === 'string') return `${value}${addedText}`;
  if (value instanceof Int) return Number(value.value) + 1;
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  if (Array.isArray(value)) return [...value, addedText];
  return value instanceof Map ? new Map([...value, [addedText, addedText]]) : value;
}

/** Replaces a value by the result of `change`. */
function replaceAt(root: GoMap, steps: Steps, change: (value: GoValue) => GoValue): void {
  const last = steps.at(-1)!;
  const parent = steps.slice(0, -1).reduce<GoValue>((value, step) => {
    return (value instanceof Map ? value.get(String(step)) : (value as GoValue[])[Number(step)]) as GoValue;
  }, root);
  if (parent instanceof Map) parent.set(String(last), change(parent.get(String(last)) as GoValue));
  else if (Array.isArray(parent)) parent[Number(last)] = change(parent[Number(last)] as GoValue);
}

/** Marks a value that `overlay` removes. */
export const removed = Symbol('removed');

/** Returns the values that replace or remove one value. A list is set as a whole. */
export function overlay(values: GoMap, steps: Steps, value: GoValue | typeof removed): GoMap {
  const root: GoMap = new Map();
  let table = root;
  let below: GoValue = values;
  for (const [at, step] of steps.entries()) {
    below = (below instanceof Map ? below.get(String(step)) : null) ?? null;
    const isLast = at === steps.length - 1;
    if (isLast || Array.isArray(below)) {
      table.set(String(step), isLast ? (value === removed ? null : value) : copyValue(below));
      if (isLast) return root;
      if (value === removed) removeAt(root, steps);
      else replaceAt(root, steps, () => value);
      return root;
    }
    const inner: GoMap = new Map();
    table.set(String(step), inner);
    table = inner;
  }
  return root;
}

function removeAt(root: GoMap, steps: Steps): void {
  const last = steps.at(-1) as string | number;
  replaceAt(root, steps.slice(0, -1), (holder) => {
    if (holder instanceof Map) holder.delete(String(last));
    return Array.isArray(holder) ? holder.filter((_, at) => at !== Number(last)) : holder;
  });
}

/** Returns the values that change all of the given ones. */
export function overlayAll(values: GoMap, leaves: readonly Steps[]): GoMap {
  const changed = copyValue(values);
  for (const steps of leaves) replaceAt(changed, steps, changedValue);
  const root: GoMap = new Map();
  for (const steps of leaves) join(root, overlay(changed, steps, valueAtSteps(changed, steps) ?? null));
  return root;
}

function join(target: GoMap, more: GoMap): void {
  for (const [key, value] of more) {
    const known = target.get(key);
    if (known instanceof Map && value instanceof Map) join(known, value);
    else target.set(key, value);
  }
}

/** Returns a number of items of a list, evenly spread, or all if there are fewer. */
export function evenly<Item>(items: readonly Item[], count: number): Item[] {
  const step = Math.max(1, items.length / count);
  const chosen: Item[] = [];
  for (let at = 0; at < items.length; at += step) chosen.push(items[Math.floor(at)] as Item);
  return chosen;
}

/** Returns a number of random items of a list, or all if there are fewer. */
export function some<Item>(items: readonly Item[], count: number, dice: Dice): Item[] {
  const rest = [...items];
  return Array.from({ length: Math.min(count, rest.length) }, () => rest.splice(dice.below(rest.length), 1)[0]!);
}
