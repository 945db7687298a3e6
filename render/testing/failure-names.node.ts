// The name of an assertion failure, so that test runners show its message with the diff.

/** The name and code by which a runner recognizes a kind of failure. */
interface FailureNames {
  readonly name: 'AssertionError' | 'ExpectationError';
  readonly code: 'ERR_ASSERTION' | 'ERR_EXPECTATION';
}

/**
 * Returns the names of Node's assertion failures. Jest takes an error with one of them for a comparison of two values and prints both (here
 * `undefined`), with a note that they do not differ; there the names are our own.
 */
export function failureNames(): FailureNames {
  return process.env.JEST_WORKER_ID === undefined
    ? { name: 'AssertionError', code: 'ERR_ASSERTION' }
    : { name: 'ExpectationError', code: 'ERR_EXPECTATION' };
}
