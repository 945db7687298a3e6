// Type checks that hold for values of another realm: under jsdom and jest, what Node itself makes (a TextEncoder's bytes, the
// errors of `fs`) are not instances of the test's own classes.

const tagOf = Object.prototype.toString;

/** Reports whether a value is a `Uint8Array`, `Buffer` included. */
export function isBytes(value: unknown): value is Uint8Array {
  return value instanceof Uint8Array || (ArrayBuffer.isView(value) && tagOf.call(value) === '[object Uint8Array]');
}

/** Reports whether a value is an `Error`. */
export function isError(value: unknown): value is Error {
  return value instanceof Error || tagOf.call(value) === '[object Error]';
}
