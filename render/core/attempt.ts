// Reads that may fail.

/** Returns the result of `read`, or `otherwise` if it throws an error of a class. Throws any other error. */
export function attempt<T, U>(read: () => T, kind: abstract new (...args: never[]) => Error, otherwise: U): T | U {
  try {
    return read();
  } catch (error) {
    if (error instanceof kind) return otherwise;
    throw error;
  }
}
