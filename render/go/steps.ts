// Recursion without JavaScript's stack. A walk calls itself as any function does while it is shallow; below a depth that every
// platform's stack has, it goes on as steps: generators that yield the calls they wait for, kept on the heap.

/** A walk in steps: it yields other steps, is given what they give, and gives a `T`. */
export type Steps<T> = Generator<
  Steps<unknown>,
  T,
  // biome-ignore lint/suspicious/noExplicitAny: what a step is given depends on the step it yielded.
  any
>;

/** Calls deeper than anything that Go's stack of a gigabyte would hold. Go dies there; so does no process of ours. */
export class StackExceeded extends Error {
  override readonly name = 'StackExceeded';
}

/** Tells whether an error is the end of JavaScript's stack: V8 and JavaScriptCore throw a RangeError, Firefox an InternalError. */
export function isStackOverflow(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === 'InternalError' || (error instanceof RangeError && error.message.includes('call stack'));
}

/** How many steps may wait for each other: about as many as Go's stack has room for, and less than half a gigabyte. */
const maxSteps = 1_250_000;

/** How many calls may wait for each other on JavaScript's stack: a small part of the smallest one there is. */
const maxShallow = 150;

/** How deep the calls of walks are on JavaScript's stack. Whoever catches an error sets it back to what it was. */
class Shallows {
  depth = 0;

  /** Tells whether the next call must go on in steps. */
  isFull(): boolean {
    return this.depth >= maxShallow;
  }

  enter(): void {
    this.depth++;
  }

  leave(): void {
    this.depth--;
  }
}

/** The depth of all walks: they call each other. */
export const shallow = new Shallows();

/** Runs steps to their end and gives what they give. Throws what they throw, and `StackExceeded`. */
export function runSteps<T>(first: Steps<T>): T {
  const waiting: Steps<unknown>[] = [];
  let running: Steps<unknown> = first;
  let given: unknown;
  let failed = false;
  for (;;) {
    let turn: IteratorResult<Steps<unknown>, unknown>;
    try {
      turn = failed ? running.throw(given) : running.next(given);
      failed = false;
      if (turn.done !== true) {
        waiting.push(running);
        running = turn.value;
        given = undefined;
        if (waiting.length > maxSteps) throw new StackExceeded('calls nest too deep');
        continue;
      }
      given = turn.value;
    } catch (error) {
      failed = true;
      given = error;
    }
    const caller = waiting.pop();
    if (caller === undefined) {
      if (failed) throw given;
      return given as T;
    }
    running = caller;
  }
}
