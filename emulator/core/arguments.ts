// What the emulator's public functions ask of their arguments: a wrong one is an `EmulatorError` before anything inside meets it.

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

/** Checks the arguments of a call, named as its caller writes it. Throws an `EmulatorError` (ARGUMENT_INVALID) with every fault. */
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

/** An emulator. */
export const emulatorArgument: Check = having<{ readonly answer: unknown; readonly routes: unknown }>(
  'an emulator, as createEmulator gives it',
  { answer: callback, routes: listOf(() => []) },
);

/** The options of a page's emulator; those of the emulator itself are checked where it is made. */
export const workerOptionsArgument: Check = having<{
  readonly workerUrl: unknown;
  readonly baseUrl: unknown;
  readonly keep: unknown;
  readonly quiet: unknown;
}>('an object', { workerUrl: optional(filled), baseUrl: optional(text), keep: optional(flag), quiet: optional(flag) });
