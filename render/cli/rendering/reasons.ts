// Why something failed: the lines printed below an error.

import type { RenderError } from '../../core/errors.ts';

const reasons = new WeakMap<object, string>();

/** Returns what was found out about a failure, as lines to print below its text. Empty where nothing was. */
export function detailsOf(error: unknown): string {
  return (typeof error === 'object' && error !== null && reasons.get(error)) || '';
}

/** Keeps what was found out about a failure. */
export function keepDetails(error: object, why: string): void {
  reasons.set(error, why);
}

/** Returns a failure as the JSON output of commands has it. */
export function failureJson({ code, message, place }: RenderError): object {
  return { code, message, place };
}
