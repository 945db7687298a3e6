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
    value.forEach((inner, key) => void copied.set(key, copyTree(inner, convert, onMap)));
    return copied;
  }
  return Array.isArray(value) ? value.map((inner) => copyTree(inner, convert, onMap)) : convert(value);
}

/** Returns a deep copy in which all numbers are float64. */
export function withFloats(value: GoValue): GoValue {
  return copyTree(value, (scalar) => (scalar instanceof Int ? Number(scalar.value) : scalar));
}
