// How all lists of the console are searched and grouped.

/** Returns a test for texts that contain every word of a search, in any case. An empty search matches all. */
export function matcherOf(search: string): (text: string) => boolean {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return (text) => {
    const low = text.toLowerCase();
    return words.every((word) => low.includes(word));
  };
}

/** Groups the entries of a list by a key, in the order of their first entries. */
export function groupEntries<Key, Entry>(
  list: readonly Entry[],
  keyOf: (entry: Entry) => Key,
): Map<Key, readonly Entry[]> {
  const groups = new Map<Key, Entry[]>();
  for (const entry of list) {
    const key = keyOf(entry);
    const group = groups.get(key);
    if (group) group.push(entry);
    else groups.set(key, [entry]);
  }
  return groups;
}
