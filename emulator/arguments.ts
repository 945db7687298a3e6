// What the emulator's public functions ask of their arguments: a wrong one is an `EmulatorError` before anything inside meets it.

import { type Argument, argumentIssues, type Check, callback, having, listOf } from '../render/arguments.ts';
import { EmulatorError } from './errors.ts';

/** Checks the arguments of a call, named as its caller writes it. Throws an `EmulatorError` (ARGUMENT_INVALID) with every fault. */
export function checkArguments(call: string, ...given: readonly Argument[]): void {
  const issues = argumentIssues(given);
  if (issues.length === 0) return;
  throw new EmulatorError(
    'ARGUMENT_INVALID',
    issues.map(({ path, message, mend }) => ({
      path: `${call}: ${path}`,
      message,
      ...(mend === undefined ? {} : { mend }),
    })),
  );
}

/** An emulator. */
export const emulatorArgument: Check = having<{ readonly answer: unknown; readonly routes: unknown }>(
  'an emulator, as createEmulator gives it',
  { answer: callback, routes: listOf(() => []) },
);
