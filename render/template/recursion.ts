// Endless recursion. Go stops it at 100,000 templates, Helm at 1,000 includes; JavaScript's stack ends long before both.
// Its end is taken for endless recursion, and the error is the one that the limit would have given: the calls seen so far
// repeat themselves, so the rest is known.

import { GoError } from '../go/value.ts';

/** Stands for the error at the limit that JavaScript's stack did not let us reach. */
export class StackExhausted extends GoError {
  override readonly name = 'StackExhausted';

  constructor() {
    super('stack exhausted');
  }
}

/** Tells whether an error is the end of JavaScript's stack: V8 and JavaScriptCore throw a RangeError, Firefox an InternalError. */
export function isStackOverflow(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof GoError) return false;
  return error.name === 'InternalError' || (error instanceof RangeError && error.message.includes('call stack'));
}

/** Gives what a sequence that ends in a repetition would hold at an index beyond its end. */
export function continueSequence<T>(seen: readonly T[], index: number): T {
  const period = findPeriod(seen);
  const last = seen.length - 1;
  const at = index <= last ? index : last - ((((last - index) % period) + period) % period);
  return seen[at] as T;
}

/** Gives the length of the repetition at the end of a sequence, or 1 when there is none. */
function findPeriod<T>(seen: readonly T[]): number {
  for (let period = 1; period * 3 <= seen.length; period++) {
    const start = seen.length - period * 2;
    let i = start;
    while (i < seen.length && seen[i] === seen[i - period]) i++;
    if (i === seen.length) return period;
  }
  return 1;
}

/** One call that `RecursionLimit` let in. */
export interface Level {
  readonly name: string;
  /** How many calls of this name were under way before. */
  readonly running: number;
  /** How many calls of any name were under way before. */
  readonly depth: number;
}

interface FailedCall {
  readonly name: string;
  readonly error: GoError;
}

/**
 * Bounds how deep a function may call itself under one name, as Helm's `include` does.
 * Each call takes a level and leaves it; an error on the way out passes through `explain`.
 */
export class RecursionLimit {
  private readonly limit: number;
  private readonly refuse: (name: string) => GoError;
  private readonly running = new Map<string, number>();
  private depth = 0;
  /** The calls that an exhausted stack ended, innermost first. */
  private failed: FailedCall[] = [];

  /** `refuse` words the error of a call below more than `limit` others of its name. */
  constructor(limit: number, refuse: (name: string) => GoError) {
    this.limit = limit;
    this.refuse = refuse;
  }

  /** Takes a level; throws when there are too many of that name. */
  enter(name: string): Level {
    const running = this.running.get(name) ?? 0;
    if (running > this.limit) throw this.refuse(name);
    this.running.set(name, running + 1);
    return { name, running, depth: this.depth++ };
  }

  /** Gives the level back. */
  leave(level: Level): void {
    this.running.set(level.name, level.running);
    this.depth = level.depth;
  }

  /**
   * Gives the error to throw for one that ended the call of a level. It is the same one, but for an exhausted stack at the
   * outermost level: that becomes the error which the limit would have made.
   */
  explain(level: Level, error: unknown): unknown {
    if (!(error instanceof GoError) || !this.isExhausted(error)) return error;
    this.failed.push({ name: level.name, error });
    if (level.depth > 0) return error;
    const calls = this.failed.reverse();
    this.failed = [];
    return new GoError(this.reword(calls), { cause: error });
  }

  /** Also forgets failed calls that are not behind this error: the stack may end again while the last end is told of. */
  private isExhausted(error: GoError): boolean {
    const known = this.failed.at(-1)?.error;
    for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
      if (cause === known) return true;
      if (cause instanceof StackExhausted) {
        this.failed = [];
        return true;
      }
    }
    return false;
  }

  /** Each call's text is what its error adds to that of the call below; the lowest one is cut short and left out. */
  private reword(calls: readonly FailedCall[]): string {
    const steps = calls.slice(0, -1).map(({ name, error: { message } }, i) => {
      const below = (calls[i + 1] as FailedCall).error.message;
      return JSON.stringify([name, message.slice(0, message.length - below.length)]);
    });
    const running = new Map<string, number>();
    let text = '';
    for (let i = 0; steps.length > 0; i++) {
      const [name, added] = JSON.parse(continueSequence(steps, i)) as [string, string];
      const count = running.get(name) ?? 0;
      if (count > this.limit) return text + this.refuse(name).message;
      running.set(name, count + 1);
      text += added;
    }
    return (calls[0] as FailedCall).error.message;
  }
}
