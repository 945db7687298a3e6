// What several commands print: why an input does not render, errors in JSON, and a progress line.

import { type Issue, RenderError } from '../core/errors.ts';
import { formatError, formatOrderIssues } from '../inputs/failures.ts';
import type { OrderText } from '../order/read.ts';
import type { CommandContext, CommandIo } from './program.ts';

/** Prints issues to standard error, one line each, with their places. */
export function printIssues(issues: readonly Issue[], text: OrderText, io: CommandIo): void {
  io.stderr(formatOrderIssues(issues, text));
}

/** Prints an error to standard error and returns the exit code. Anything but a RenderError is rethrown. */
export function printFailure(error: unknown, text: OrderText | undefined, io: CommandIo, subject = ''): number {
  if (!(error instanceof RenderError)) throw error;
  io.stderr(formatError(error, text, subject));
  return 1;
}

export function failureJson({ code, message, place }: RenderError): object {
  return { code, message, place };
}

/** The line that says what is being worked on. */
export interface Progress {
  readonly show: (name: string) => void;
  /** Removes the line before anything else is printed. */
  readonly clear: () => void;
}

/** Returns the progress line for a number of inputs. It is shown only on a terminal, and not for a single input. */
export function progressOf(io: CommandContext, total: number): Progress {
  if (io.quiet || total < 2 || io.isTerminal?.stderr !== true) return { show: () => {}, clear: () => {} };
  let done = 0;
  return {
    show: (name) => {
      done++;
      io.stderr(`\r\u001b[K${io.err.dim(`[${done}/${total}] ${name}`)}`);
    },
    clear: () => io.stderr('\r\u001b[K'),
  };
}
