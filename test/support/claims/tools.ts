// What the checks of claims share: a host for repeated renderings, the leaves of values, and changes of them.

import { RenderError } from '../../../render/core/errors.ts';
import { type Host, seededHost } from '../../../render/core/host.ts';
import type { Steps } from '../../../render/core/paths.ts';
import { searchPrime } from '../../../render/go/big/primes.ts';
import { type GoMap, type GoValue, Int } from '../../../render/go/value.ts';
import type { Dice } from '../dice.ts';

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

/** Returns the paths of all strings. */
export function textLeaves(values: GoMap): Steps[] {
  return scalarLeaves(values).flatMap(({ steps, value }) => (typeof value === 'string' ? [steps] : []));
}

/** Returns another value of the same type. */
export function changedValue(value: GoValue): GoValue {
  if (typeof value === 'string') return `${value}zq`;
  if (value instanceof Int) return Number(value.value) + 1;
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  if (Array.isArray(value)) return [...value, 'zq'];
  return value instanceof Map ? new Map([...value, ['zq', 'zq']]) : value;
}

/** Replaces a value by the result of `change`. */
export function replaceAt(root: GoMap, steps: Steps, change: (value: GoValue) => GoValue): void {
  const last = steps.at(-1)!;
  const parent = steps.slice(0, -1).reduce<GoValue>((value, step) => {
    return (value instanceof Map ? value.get(String(step)) : (value as GoValue[])[Number(step)]) as GoValue;
  }, root);
  if (parent instanceof Map) parent.set(String(last), change(parent.get(String(last)) as GoValue));
  else if (Array.isArray(parent)) parent[Number(last)] = change(parent[Number(last)] as GoValue);
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
