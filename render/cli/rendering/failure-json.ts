// Errors in the JSON output of commands.

import type { RenderError } from '../../core/errors.ts';

/** Returns an error for JSON output. */
export function failureJson({ code, message, place }: RenderError): object {
  return { code, message, place };
}
