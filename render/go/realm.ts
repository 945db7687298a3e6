// Type checks for values of other realms. In jsdom and jest, values created by Node, such as the bytes of a TextEncoder or the errors of
// `fs`, are not instances of the test's classes.

const tagOf = Object.prototype.toString;

/** Reports whether a value is a `Uint8Array`, including `Buffer`. */
export function isBytes(value: unknown): value is Uint8Array {
  return value instanceof Uint8Array || (ArrayBuffer.isView(value) && tagOf.call(value) === '[object Uint8Array]');
}

/** Reports whether a value is an `Error`. */
export function isError(value: unknown): value is Error {
  return value instanceof Error || tagOf.call(value) === '[object Error]';
}
