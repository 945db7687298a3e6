// JSON values: their types, and what is asked of them everywhere.

/** Is any JSON value, read-only. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** Is a JSON object, read-only. */
export interface JsonObject {
  readonly [key: string]: Json;
}

/** Tells whether a JSON value is an object. */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Freezes a value and all that it holds, and gives it back. */
export function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== 'object') return value;
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== 'object' || next === null || Object.isFrozen(next)) continue;
    Object.freeze(next);
    for (const child of Object.values(next)) if (typeof child === 'object' && child !== null) open.push(child);
  }
  return value;
}
