// Calls that may fail.

import { isError } from '../go/realm.ts';
import { GoError } from '../go/value.ts';
import { limitIn } from './limits.ts';

/** Returns the result of `read`, or `otherwise` if it throws an error of a class. Throws any other error. */
export function attempt<T, U>(read: () => T, kind: abstract new (...args: never[]) => Error, otherwise: U): T | U {
  try {
    return read();
  } catch (error) {
    // In jest, the errors of Node's modules are not instances of the test's Error.
    if (error instanceof kind || (kind === Error && isError(error))) return otherwise;
    throw error;
  }
}

/** Returns the result of `run` or, if it throws a GoError, that of `handle`. */
export function catchGoError<T, U>(run: () => T, handle: (error: GoError) => U): T | U {
  try {
    return run();
  } catch (error) {
    if (error instanceof GoError) return handle(error);
    throw error;
  }
}

/** Returns the result of `run`; undefined if it throws a GoError. */
export function orUndefined<T>(run: () => T): T | undefined {
  return catchGoError(run, () => undefined);
}

/** Returns the result of `run`. A GoError is thrown again with `PREFIX: ` before its message, as Go wraps errors. */
export function prefixGoError<T>(prefix: string, run: () => T): T {
  return convertGoError(run, ({ message }) => new GoError(`${prefix}: ${message}`));
}

/**
 * Returns the result of `run`. Throws what `convert` returns for a GoError; the error of an exceeded limit gets the name of the `file` that is
 * being read.
 */
export function convertGoError<T>(run: () => T, convert: (error: GoError) => Error, file?: string): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof GoError) throw convert(error);
    throw file === undefined ? error : limitIn(file, error);
  }
}
