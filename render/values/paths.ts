// Paths to values as users write them.

import { joinPath, type Steps } from '../core/paths.ts';
import type { GoValue } from '../go/value.ts';

/** Formats a path: `hosts[0].name`. */
export function pathText(steps: Steps): string {
  return steps.reduce<string>((path, step) => joinPath(path, step), '');
}

/** Reports whether a path leads to a value or into it. */
export function startsWith(steps: Steps, first: Steps): boolean {
  return first.length <= steps.length && first.every((step, at) => String(steps[at]) === String(step));
}

/** Reports whether two paths are equal. */
export function isSameSteps(a: Steps, b: Steps): boolean {
  return a.length === b.length && startsWith(a, b);
}

/** Returns the value at a path, or undefined. */
export function valueAtSteps(values: GoValue, steps: Steps): GoValue | undefined {
  let value: GoValue | undefined = values;
  for (const step of steps) {
    if (value instanceof Map) value = value.get(String(step));
    else value = Array.isArray(value) ? value[Number(step)] : undefined;
    if (value === undefined) return undefined;
  }
  return value;
}
