// Dotted paths into values.
// Mirrors: helm.sh/helm/v3/pkg/chartutil, values.go, v3.17.3.

import { copyTree } from '../go/copy-tree.ts';
import { quote } from '../go/number.ts';
import { GoError, type GoMap, type GoValue } from '../go/value.ts';

/** Reports whether a value is a table, Helm's word for a map. */
export function isTable(value: GoValue | undefined): value is GoMap {
  return value instanceof Map;
}

/**
 * Returns the table at a dotted path. Throws GoError `"key" is not a table` for the first step that is not a table.
 * Mirrors: `Values.Table`.
 */
export function lookupTable(values: GoMap, path: string): GoMap {
  let table = values;
  for (const key of path.split('.')) {
    const next = table.get(key);
    if (!isTable(next)) throw new GoError(`${quote(key)} is not a table`);
    table = next;
  }
  return table;
}

/**
 * Returns the value at a dotted path; undefined if there is none or it is a table.
 * Mirrors: `Values.PathValue`.
 */
export function valueAt(values: GoMap, path: string): GoValue | undefined {
  const keys = path.split('.');
  const last = keys.pop()!;
  let table = values;
  for (const key of keys) {
    const next = table.get(key);
    if (!isTable(next)) return undefined;
    table = next;
  }
  const value = table.get(last);
  return isTable(value) ? undefined : value;
}

/** Returns a deep copy: new maps and lists, the same scalars. Mirrors: copystructure.Copy for values. */
export function copyValue<T extends GoValue>(value: T): T;
export function copyValue(value: GoValue): GoValue {
  return copyTree(value, (scalar) => scalar);
}
