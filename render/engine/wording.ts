// Template errors in Helm's words.
// Mirrors: helm.sh/helm/v3/pkg/engine, engine.go, `cleanupParseError` and `cleanupExecError`, v3.17.3.

import { RenderError } from '../core/errors.ts';
import type { LimitReached } from '../core/limits.ts';
import { isError } from '../go/realm.ts';
import type { Wording } from '../helm/helm.ts';
import { execErrorsIn, type TemplateExecError, type TemplateParseError } from '../template/failures.ts';

const warningStart = 'HELM_ERR_START';
const warningEnd = 'HELM_ERR_END';

/** Marks the message of `fail` and `required`: Helm shows that message alone, with the outermost place. */
export function markFailure(message: string): string {
  return `${warningStart}${message}${warningEnd}`;
}

/** Returns the message that `fail` or `required` marked in an error, or undefined. */
export function markedFailure(text: string): string | undefined {
  const start = text.indexOf(warningStart);
  const end = text.lastIndexOf(warningEnd);
  return start >= 0 && end > start ? text.slice(start + warningStart.length, end) : undefined;
}

/** Returns the error for a template that does not parse: TEMPLATE_PARSE. */
export function parseFailure(error: TemplateParseError): RenderError {
  // Helm splits Go's message at every `: ` and keeps the place and the last part.
  const pieces = error.message.split(': ');
  const place = pieces[1] ?? error.place.file;
  return new RenderError('TEMPLATE_PARSE', `parse error at (${place}): ${pieces.at(-1) ?? error.reason}`, {
    place: error.place,
    cause: error,
    hint: 'Correct the template syntax in that line.',
  });
}

/** Returns the error for a failed execution: TEMPLATE_EXEC. */
export function execFailure(error: TemplateExecError, wording: Wording): RenderError {
  const [place, rest] = cut(error.message);
  const message = markedFailure(rest);
  if (message !== undefined) {
    return new RenderError('TEMPLATE_EXEC', `execution error at (${place}): ${message}`, {
      place: error.place,
      cause: error,
      hint: 'The chart itself refuses these values: give what its message asks for.',
    });
  }
  return new RenderError('TEMPLATE_EXEC', wording.execution([error.message, ...causes(error)]), {
    place: execErrorsIn(error).at(-1)?.place ?? error.place,
    cause: error,
    hint: 'Look at the expression between < and > in that line, and at the values it reads.',
  });
}

/** Returns the error for a rendering that exceeded a limit: LIMIT_REACHED, with the executing template. */
export function limitFailure(path: string, error: LimitReached): RenderError {
  const { at } = error;
  return new RenderError('LIMIT_REACHED', at?.message ?? `template: ${path}: ${error.message}`, {
    place: at === undefined ? { file: path } : at.place,
    cause: error,
    hint: error.hint,
  });
}

// "template: PLACE: rest", where the rest is arbitrary. Helm parses its own message this way and fails on a name that contains `: `.
function cut(message: string): [place: string, rest: string] {
  const start = message.indexOf(': ') + 2;
  const end = message.indexOf(': ', start);
  return [message.slice(start, end), message.slice(end + 2)];
}

// Go's messages of the wrapped errors.
function causes(error: Error): string[] {
  const texts: string[] = [];
  for (let { cause } = error; isError(cause); cause = cause.cause) texts.push(cause.message);
  return texts;
}
