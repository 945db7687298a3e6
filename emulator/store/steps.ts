// Work in steps: what takes long can be put down between two of them, so that others get their turn.

/** Work that gives a value and may rest at each step. */
export type Steps<Value> = Generator<void, Value>;

/** Does all steps at once. */
export function runSteps<Value>(steps: Steps<Value>): Value {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
