// What is worked out when it is first needed, and kept.

/** Returns what makes a value the first time it is called, and gives that same value from then on; a failure is not kept. */
export function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
