// Validates the arguments of the emulator's public functions: an invalid one is an `EmulatorError` before any other code sees it.

import {
  type Argument,
  argumentIssues,
  type Check,
  callback,
  filled,
  flag,
  having,
  listOf,
  optional,
  text,
} from '../../render/core/arguments.ts';
import { EmulatorError } from './errors.ts';

/** Checks the arguments of a call, named as in its signature. Throws an `EmulatorError` (ARGUMENT_INVALID) that lists every problem. */
export function checkArguments(call: string, ...given: readonly Argument[]): void {
  const issues = argumentIssues(given);
  if (issues.length === 0) return;
  throw new EmulatorError(
    'ARGUMENT_INVALID',
    issues.map(({ path, message, hint }) => ({
      path: `${call}: ${path}`,
      message,
      ...(hint === undefined ? {} : { hint }),
    })),
  );
}

export const emulatorArgument: Check = having<{ readonly answer: unknown; readonly routes: unknown }>(
  'an emulator, as returned by createEmulator',
  { answer: callback, routes: listOf(() => []) },
);

/** The options of a page's emulator; those of the emulator itself are checked when it is created. */
export const workerOptionsArgument: Check = having<{
  readonly workerUrl: unknown;
  readonly baseUrl: unknown;
  readonly keep: unknown;
  readonly quiet: unknown;
}>('an object', { workerUrl: optional(filled), baseUrl: optional(text), keep: optional(flag), quiet: optional(flag) });
