// Finds and replaces the strings in a chart's defaults.

import type { GoMap, GoValue } from '../../../render/go/value.ts';
import type { Dice } from '../dice.ts';

/** The path of a value: names and indexes from the root. */
export type Steps = readonly (string | number)[];

/** Returns the paths of all strings. */
export function textLeaves(values: GoMap): Steps[] {
  const leaves: Steps[] = [];
  const pending: [value: GoValue, steps: Steps][] = [[values, []]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [value, steps] = next;
    if (typeof value === 'string') leaves.push(steps);
    else if (value instanceof Map) for (const [key, item] of value) pending.push([item, [...steps, key]]);
    else if (Array.isArray(value)) pending.push(...value.map((item, at): [GoValue, Steps] => [item, [...steps, at]]));
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
export function evenly<Item>(items: readonly Item[], count: number): Item[] {
  const step = Math.max(1, items.length / count);
  const chosen: Item[] = [];
  for (let at = 0; at < items.length; at += step) chosen.push(items[Math.floor(at)] as Item);
  return chosen;
}

/** Returns a number of random items of a list, or all if there are fewer. */
export function some<Item>(items: readonly Item[], count: number, dice: Dice): Item[] {
  const rest = [...items];
  const chosen: Item[] = [];
  while (chosen.length < count && rest.length > 0) {
    const at = dice.below(rest.length);
    const last = rest.pop() as Item;
    chosen.push(at < rest.length ? (rest[at] as Item) : last);
    if (at < rest.length) rest[at] = last;
  }
  return chosen;
}
