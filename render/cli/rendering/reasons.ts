// Details of failures: the lines printed below an error.

import type { RenderError } from '../../core/errors.ts';

const reasons = new WeakMap<object, string>();

/** Returns the lines to print below an error; empty if there are none. */
export function detailsOf(error: unknown): string {
  return (typeof error === 'object' && error !== null && reasons.get(error)) || '';
}

/** Records the details of an error. */
export function keepDetails(error: object, why: string): void {
  reasons.set(error, why);
}

/** Returns an error for JSON output. */
export function failureJson({ code, message, place }: RenderError): object {
  return { code, message, place };
}
