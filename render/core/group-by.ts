// Groups of items.

/** Items with the same key. */
export type Group<T> = [T, ...T[]];

/** Returns the items by key, in order of first occurrence. */
export function groupBy<T, K>(items: Iterable<T>, keyOf: (item: T) => K): Map<K, Group<T>> {
  const groups = new Map<K, Group<T>>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
