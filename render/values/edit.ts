// Reads, sets, removes and lists values in JSON, such as the user's.

import type { Steps } from '../core/paths.ts';
import type { JsonObject, JsonValue } from '../order/order.ts';
import { isObject } from '../order/shape.ts';

/** A value and its path. */
export interface Leaf {
  readonly steps: Steps;
  readonly value: JsonValue;
}

/**
 * Returns the values in a table in order of their paths: texts, numbers, whole lists, empty tables, and tables that the caller treats as
 * one value. An empty root table has none.
 */
export function leafPaths(values: JsonObject, isWhole: (steps: Steps) => boolean = () => false): Leaf[] {
  return leavesAt(values, [], isWhole).filter(({ steps }) => steps.length > 0);
}

/** Returns the values at and below a path. */
export function leavesAt(value: JsonValue, steps: Steps, isWhole: (steps: Steps) => boolean = () => false): Leaf[] {
  if (!isObject(value) || isWhole(steps) || Object.keys(value).length === 0) return [{ steps, value }];
  return Object.keys(value)
    .sort()
    .flatMap((key) => leavesAt(value[key] ?? null, [...steps, key], isWhole));
}

/** Returns the value at a path, or undefined. */
export function jsonAtSteps(values: JsonValue | undefined, [step, ...rest]: Steps): JsonValue | undefined {
  return step === undefined ? values : jsonAtSteps(innerOf(values, step), rest);
}

/** Returns values with one of them changed. A list that contains it is copied entirely from `merged`, because Helm does not merge lists. */
export function withValue(values: JsonObject, path: Steps, value: JsonValue, merged: JsonValue): JsonObject {
  return changed(values, path, value, merged) as JsonObject;
}

/** Returns values without one of them and without tables that become empty. */
export function withoutValue(values: JsonObject, [step = '', ...rest]: Steps): JsonObject {
  const { [step]: own, ...others } = values;
  if (rest.length === 0 || !isObject(own)) return others;
  const inner = withoutValue(own, rest);
  return Object.keys(inner).length === 0 ? others : { ...values, [step]: inner };
}

function changed(own: JsonValue | undefined, path: Steps, value: JsonValue, merged: JsonValue | undefined): JsonValue {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  const below = innerOf(merged, step);
  if (typeof step === 'number') {
    const list = [...(Array.isArray(own) ? own : Array.isArray(merged) ? merged : [])];
    // Without holes: an index may come from a longer list.
    const at = Math.min(step, list.length);
    list[at] = changed(list[at] ?? below, rest, value, list[at] ?? below);
    return list;
  }
  const map = isObject(own) ? own : {};
  return { ...map, [step]: changed(map[step], rest, value, below) };
}

function innerOf(value: JsonValue | undefined, step: string | number): JsonValue | undefined {
  if (Array.isArray(value)) return value[Number(step)];
  return isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
}
