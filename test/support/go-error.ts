import { GoError } from '../../render/go/value.ts';

/** Returns the result of a function, or the message of the Go error that it throws. */
export function orGoError(run: () => string): string {
  try {
    return run();
  } catch (error) {
    if (error instanceof GoError) return error.message;
    throw error;
  }
}
