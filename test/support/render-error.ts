import { RenderError } from '../../render/core/errors.ts';

/** Returns the RenderError that a function throws. Throws anything else that it throws, and if it returns. */
export function failureOf(run: () => unknown): RenderError {
  try {
    run();
  } catch (error) {
    if (error instanceof RenderError) return error;
    throw error;
  }
  throw new Error('it did not fail');
}
