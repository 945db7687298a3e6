// Values that are computed on first use.

/** Returns a function that computes a value on the first call and returns the same value afterwards. An exception is not kept. */
export function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
