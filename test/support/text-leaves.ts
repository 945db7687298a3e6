// The texts in a chart's defaults, for proofs that put other values in their place.

import type { GoMap, GoValue } from '../../render/go/value.ts';

/** The way to a value: names and indexes from the root. */
export type Steps = readonly (string | number)[];

/** Gives the ways to all texts. */
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

/** Puts what `change` gives in the place of a value. */
export function replaceAt(root: GoMap, steps: Steps, change: (value: GoValue) => GoValue): void {
  const last = steps.at(-1) as string | number;
  const parent = steps.slice(0, -1).reduce<GoValue>((value, step) => {
    return (value instanceof Map ? value.get(String(step)) : (value as GoValue[])[Number(step)]) as GoValue;
  }, root);
  if (parent instanceof Map) parent.set(String(last), change(parent.get(String(last)) as GoValue));
  else if (Array.isArray(parent)) parent[Number(last)] = change(parent[Number(last)] as GoValue);
}

/** Gives so many items of a list, chosen evenly; all, where there are no more. */
export function evenly<Item>(items: readonly Item[], most: number): Item[] {
  const step = Math.max(1, items.length / most);
  const chosen: Item[] = [];
  for (let at = 0; at < items.length; at += step) chosen.push(items[Math.floor(at)] as Item);
  return chosen;
}
