// Deep copies of values.

import { type GoMap, type GoValue, Int } from './value.ts';

/**
 * Returns a deep copy of a value as plain maps and lists. `convert` returns the copy of each other value; `onMap` is called with each map
 * and its copy, which is still empty.
 */
export function copyTree(
  value: GoValue,
  convert: (scalar: GoValue) => GoValue,
  onMap?: (map: GoMap, copy: GoMap) => void,
): GoValue {
  if (value instanceof Map) {
    const copied: GoMap = new Map();
    onMap?.(value, copied);
    for (const [key, inner] of value) copied.set(key, copyTree(inner, convert, onMap));
    return copied;
  }
  if (!Array.isArray(value)) return convert(value);
  const copied: GoValue[] = [];
  for (const inner of value) copied.push(copyTree(inner, convert, onMap));
  return copied;
}

/** Returns a deep copy in which all numbers are float64. */
export function withFloats(value: GoValue): GoValue {
  return copyTree(value, (scalar) => (scalar instanceof Int ? Number(scalar.value) : scalar));
}
