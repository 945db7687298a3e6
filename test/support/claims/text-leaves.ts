// The strings in a chart's defaults, for tests that replace them.

import type { GoMap, GoValue } from '../../../render/go/value.ts';

/** The path of a value: names and indexes from the root. */
export type Steps = readonly (string | number)[];

/** Returns the paths of all strings. */
export function textLeaves(values: GoMap): Steps[] {
  const leaves: Steps[] = [];
  const ahead: [value: GoValue, steps: Steps][] = [[values, []]];
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    const [value, steps] = next;
    if (typeof value === 'string') leaves.push(steps);
    else if (value instanceof Map) for (const [key, item] of value) ahead.push([item, [...steps, key]]);
    else if (Array.isArray(value)) ahead.push(...value.map((item, at): [GoValue, Steps] => [item, [...steps, at]]));
  }
  return leaves;
}

/** Replaces a value by the result of `change`. */
export function replaceAt(root: GoMap, steps: Steps, change: (value: GoValue) => GoValue): void {
  const last = steps.at(-1) as string | number;
  const parent = steps.slice(0, -1).reduce<GoValue>((value, step) => {
    return (value instanceof Map ? value.get(String(step)) : (value as GoValue[])[Number(step)]) as GoValue;
  }, root);
  if (parent instanceof Map) parent.set(String(last), change(parent.get(String(last)) as GoValue));
  else if (Array.isArray(parent)) parent[Number(last)] = change(parent[Number(last)] as GoValue);
}

/** Returns a number of items of a list, evenly spread, or all if there are fewer. */
export function evenly<Item>(items: readonly Item[], most: number): Item[] {
  const step = Math.max(1, items.length / most);
  const chosen: Item[] = [];
  for (let at = 0; at < items.length; at += step) chosen.push(items[Math.floor(at)] as Item);
  return chosen;
}

/** Returns a number below a limit, reproducibly. */
export type Dice = (limit: number) => number;

/** Returns a random source for a seed. */
export function seededDice(seed: number): Dice {
  let state = seed >>> 0;
  return (limit) => {
    // Mulberry32: small, and good enough for a selection.
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
}

/** Returns a number of random items of a list, or all if there are fewer. */
export function some<Item>(items: readonly Item[], most: number, dice: Dice): Item[] {
  const rest = [...items];
  const chosen: Item[] = [];
  while (chosen.length < most && rest.length > 0) {
    const at = dice(rest.length);
    const last = rest.pop() as Item;
    chosen.push(at < rest.length ? (rest[at] as Item) : last);
    if (at < rest.length) rest[at] = last;
  }
  return chosen;
}
