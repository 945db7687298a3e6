// Prints why an input does not render.

import type { Issue } from '../core/errors.ts';
import { formatFailure, formatOrderIssues } from '../inputs/failures.ts';
import type { OrderText } from '../order/read.ts';
import type { CommandIo } from './io.ts';

/** Prints issues to standard error, one line each, with their places. */
export function printIssues(issues: readonly Issue[], text: OrderText, io: CommandIo): void {
  io.stderr(formatOrderIssues(issues, text));
}

/** Prints an error to standard error and returns the exit code. Anything but a RenderError is rethrown. */
export function printFailure(error: unknown, text: OrderText | undefined, io: CommandIo, subject = ''): number {
  io.stderr(formatFailure(error, text, subject));
  return 1;
}
