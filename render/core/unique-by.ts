// Removes duplicates.

/**
 * Returns the items without duplicates, in order of first occurrence. Of items with the same key, the last one is returned. The default key
 * is the JSON text.
 */
export function uniqueBy<T>(items: Iterable<T>, keyOf: (item: T) => string = (item) => JSON.stringify(item)): T[] {
  const byKey = new Map<string, T>();
  for (const item of items) byKey.set(keyOf(item), item);
  return [...byKey.values()];
}
