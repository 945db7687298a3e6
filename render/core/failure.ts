// Errors as plain data, for threads and caches.

import { isError } from '../go/realm.ts';
import { type Issue, isRenderError, type Place, RenderError } from './errors.ts';

/** An error as plain data: structured cloning loses the class. */
export interface Failure {
  /** The code of a RenderError; empty for a bug. */
  readonly code: RenderError['code'] | '';
  readonly message: string;
  readonly stack: string;
  readonly issues: readonly Issue[];
  readonly place: Place | undefined;
  readonly hint: string | undefined;
  readonly cause: string | undefined;
  /** For a failed package: its path in the Order, its release and its chart. */
  readonly package: { readonly path: string; readonly release: string; readonly chart: string } | undefined;
}

/** Converts an error to plain data. */
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

/** Restores an error: a `RenderError`, with the fields of a `PackageError` if it was one, or a plain one. */
export function unpackFailure(failure: Failure): Error {
  const { code, message, stack, issues, place, hint } = failure;
  const cause = failure.cause === undefined ? undefined : new Error(failure.cause);
  const error = code === '' ? new Error(message) : new RenderError(code, message, { issues, place, hint, cause });
  error.stack = stack;
  return Object.assign(error, failure.package);
}
