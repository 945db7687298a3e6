// Failures as plain data, for other threads and for caches.

import { isError } from '../go/realm.ts';
import { type Issue, isRenderError, type Place, RenderError } from './errors.ts';

/** A failure as plain data: an error loses its class on the way. */
export interface Failure {
  /** The code of a render failure; empty for a fault of the program. */
  readonly code: RenderError['code'] | '';
  readonly message: string;
  readonly stack: string;
  readonly issues: readonly Issue[];
  readonly place: Place | undefined;
  readonly hint: string | undefined;
  readonly cause: string | undefined;
  /** Of a package that failed: its path in the order, its release and its chart. */
  readonly package: { readonly path: string; readonly release: string; readonly chart: string } | undefined;
}

/** Returns a failure as plain data. */
export function packFailure(error: unknown): Failure {
  const { message, stack = '', cause } = isError(error) ? error : new Error(String(error));
  const failed: Partial<PackedError> = isRenderError(error) ? error : {};
  const { code = '', issues = [], place, hint, path, release, chart } = failed;
  return {
    code,
    message,
    stack,
    issues,
    place,
    hint,
    cause: isError(cause) ? cause.message : undefined,
    package: path === undefined || release === undefined || chart === undefined ? undefined : { path, release, chart },
  };
}

type PackedError = RenderError & { readonly path: string; readonly release: string; readonly chart: string };

/** Returns the error of a failure: a `RenderError`, with the fields of a `PackageError` where it was one, or a plain one. */
export function unpackFailure(failure: Failure): Error {
  const { code, message, stack, issues, place, hint } = failure;
  const cause = failure.cause === undefined ? undefined : new Error(failure.cause);
  const error = code === '' ? new Error(message) : new RenderError(code, message, { issues, place, hint, cause });
  error.stack = stack;
  return Object.assign(error, failure.package);
}
