// The name of a failure, so that test runners show its message, which has the difference.

/** The name and the code of an error by which a runner knows what kind of failure it is. */
export interface FailureNames {
  readonly name: 'AssertionError' | 'ExpectationError';
  readonly code: 'ERR_ASSERTION' | 'ERR_EXPECTATION';
}

/**
 * Returns the names of Node's failed assertions. Jest takes an error with one of them for a comparison of two values, shows both (here
 * `undefined`), and says under our difference that there is none: there they are our own.
 */
export function failureNames(): FailureNames {
  return process.env.JEST_WORKER_ID === undefined
    ? { name: 'AssertionError', code: 'ERR_ASSERTION' }
    : { name: 'ExpectationError', code: 'ERR_EXPECTATION' };
}
