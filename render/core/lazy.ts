// Values that are computed on first use.

/** Returns a function that computes a value on the first call and returns the same value afterwards. An exception is not kept. */
export function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Returns the value of a key in a map, and creates it if necessary. An exception is not kept. */
export function getOrCreate<Key, Value>(
  map: { get(key: Key): Value | undefined; set(key: Key, value: Value): unknown },
  key: Key,
  create: () => Value,
): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const value = create();
  map.set(key, value);
  return value;
}

/** Returns a function that computes the value of each argument once. An exception is not kept. */
export function memo<K, T>(make: (key: K) => T): (key: K) => T {
  const known = new Map<K, T>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined || known.has(key)) return found as T;
    const made = make(key);
    known.set(key, made);
    return made;
  };
}

/** The same for arguments that are equal if their keys are. */
export function memoBy<Item, Key, T>(keyOf: (item: Item) => Key, make: (item: Item) => T): (item: Item) => T {
  const known = new Map<Key, { readonly value: T }>();
  return (item) => getOrCreate(known, keyOf(item), () => ({ value: make(item) })).value;
}
