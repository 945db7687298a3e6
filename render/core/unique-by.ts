// Removes duplicates.

/**
 * Returns each item once, in the order in which they come first. What has one key is one item, and the last of them is given.
 * Default: items are one where they are the same as JSON.
 */
export function uniqueBy<T>(items: Iterable<T>, keyOf: (item: T) => string = (item) => JSON.stringify(item)): T[] {
  const byKey = new Map<string, T>();
  for (const item of items) byKey.set(keyOf(item), item);
  return [...byKey.values()];
}
