// Values as a case holds them: JSON that is laid over the chart's defaults.

import type { JsonObject, JsonValue } from '../order/order.ts';
import type { Steps } from '../values/paths.ts';

/** Returns values with one of them changed; lists that hold it are taken over whole from `merged`, as Helm merges no lists. */
export function withValue(values: JsonObject, path: Steps, value: JsonValue, merged: JsonValue): JsonObject {
  return changed(values, path, value, merged) as JsonObject;
}

function changed(own: JsonValue | undefined, path: Steps, value: JsonValue, merged: JsonValue | undefined): JsonValue {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  const below = memberOf(merged, step);
  if (typeof step === 'number') {
    const list = [...(Array.isArray(own) ? own : Array.isArray(merged) ? merged : [])];
    // Without holes: an index may come from a longer list than there is now.
    const at = Math.min(step, list.length);
    list[at] = changed(list[at] ?? below, rest, value, list[at] ?? below);
    return list;
  }
  const map = isJsonMap(own) ? own : {};
  return { ...map, [step]: changed(map[step], rest, value, below) };
}

function memberOf(value: JsonValue | undefined, step: string | number): JsonValue | undefined {
  if (Array.isArray(value)) return value[Number(step)];
  return isJsonMap(value) && Object.hasOwn(value, step) ? value[step] : undefined;
}

/** Reports whether a value is a JSON object. */
export function isJsonMap(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
