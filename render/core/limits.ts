// What a rendering may take: steps, time and text, counted while templates run and read from a clock now and then; and how
// deep anything may nest.

import { isError } from '../go/realm.ts';
import { type Check, maxDepth, type OptionChecks, optionsOf, wholeNumber } from './arguments.ts';
import { type Place, RenderError } from './errors.ts';

/** What a rendering may take before it is stopped with LIMIT_REACHED. Each is without a limit where it is left out. */
export interface RenderLimits {
  /** How long templates may run, all packages of an Order together. The clock is read every few steps. */
  readonly milliseconds?: number | undefined;
  /** How much text templates may write, and how large a text or list one function may make, in bytes as a rule of thumb. */
  readonly outputBytes?: number | undefined;
  /** How many lists of a template may be walked and functions called. */
  readonly steps?: number | undefined;
}

const checks: OptionChecks<RenderLimits> = {
  milliseconds: wholeNumber(1),
  outputBytes: wholeNumber(1),
  steps: wholeNumber(1),
};

/** The check of limits as an option. */
export const limitsArgument: Check = optionsOf<RenderLimits>(checks);

/** What is known of a limit that was reached, beside its message. */
export interface LimitDetails {
  readonly cause?: unknown;
  /** As much as is known of the place. */
  readonly place?: Partial<Place> | undefined;
  readonly hint?: string | undefined;
}

/** The error of an input that takes more than it may. It is not an error of a function: templates do not see it. */
export class LimitReached extends RenderError {
  /** The message without the place. */
  readonly problem: string;
  /** Where it was reached, once that is known: the error of the template that ran. */
  at: (Error & { readonly place: Place }) | undefined;
  readonly #details: LimitDetails;

  constructor(problem: string, details: LimitDetails = {}) {
    const { place: { file, line, column } = {} } = details;
    const where = [file, ...(file === undefined ? [] : [line, column])].filter((part) => part !== undefined);
    super('LIMIT_REACHED', [where.join(':'), problem].filter((part) => part !== '').join(': '), {
      cause: details.cause,
      place: file === undefined ? undefined : { ...details.place, file },
      hint: details.hint ?? 'Look for a template or a value that grows without end, or raise the limit.',
    });
    this.problem = problem;
    this.#details = details;
  }

  /** Returns the same error with the file, or with the folder of the file that it names; `before` is the number of lines before the text. */
  in(
    name: string,
    { before = 0, ...more }: Pick<Place, 'isRendered'> & { readonly before?: number } = {},
  ): LimitReached {
    const { place } = this.#details;
    const file = place?.file === undefined ? name : `${name}/${place.file}`;
    const line = place?.line === undefined ? {} : { line: place.line + before };
    return new LimitReached(this.problem, {
      ...this.#details,
      cause: this,
      place: { ...place, ...more, ...line, file },
    });
  }
}

const depthHint = 'Reduce the nesting, or look for a value or template that contains or calls itself.';

/** Returns the error of a text, such as `YAML`, that nests deeper than `maxDepth` levels. */
export function tooDeep(text: string, place?: Partial<Place>): LimitReached {
  return new LimitReached(`${text} is nested more than ${maxDepth} levels deep`, { place, hint: depthHint });
}

// How many steps pass before the clock is read.
const interval = 64;
// As good as never, and still a small integer.
const far = 2 ** 30 - 1;

/** What is left to a rendering. Shared by the packages of an Order, whose times add up. */
export class Budget {
  readonly #limits: RenderLimits;
  #steps = 0;
  #written = 0;
  #milliseconds = 0;
  #started = 0;

  constructor(limits: RenderLimits) {
    this.#limits = limits;
  }

  /** Runs a part of the rendering within this budget. Throws `LimitReached` where it is used up. */
  run<T>(part: () => T): T {
    const outer = { ...meter };
    this.#started = performance.now();
    const textSize = this.#limits.outputBytes ?? Number.POSITIVE_INFINITY;
    Object.assign(meter, { budget: this, left: 0, given: 0, textSize });
    try {
      return part();
    } finally {
      this.#milliseconds += performance.now() - this.#started;
      Object.assign(meter, outer);
    }
  }

  /** Counts steps and looks at the clock; gives how many steps may pass until the next look. Throws `LimitReached`. */
  look(count: number): number {
    const { milliseconds = Number.POSITIVE_INFINITY, steps = Number.POSITIVE_INFINITY } = this.#limits;
    this.#steps += count;
    if (this.#steps > steps) throw new LimitReached(`the rendering took more than ${steps} steps and was stopped`);
    if (this.#milliseconds + performance.now() - this.#started > milliseconds) {
      throw new LimitReached(`the rendering took longer than ${milliseconds} ms and was stopped`);
    }
    return Math.min(interval, steps - this.#steps);
  }

  /** Counts a finished text. Throws `LimitReached`. */
  write(size: number): void {
    const { outputBytes = Number.POSITIVE_INFINITY } = this.#limits;
    this.#written += size;
    if (this.#written > outputBytes) throw tooMuchText(outputBytes);
  }
}

function tooMuchText(size: number): LimitReached {
  return new LimitReached(`the rendering made more than ${size} bytes of text and was stopped`);
}

/** What runs now: renderings are synchronous, so there is one at most. */
class Meter {
  budget: Budget | undefined;
  /** How many steps may pass until `look`. */
  left = far;
  /** The size of the largest text. */
  textSize = Number.POSITIVE_INFINITY;
  /** How many steps `left` was set to. */
  given = far;

  /** Counts the steps since the last look. Throws `LimitReached`. */
  look(): void {
    this.given = this.budget === undefined ? far : this.budget.look(Math.max(0, this.given - this.left));
    this.left = this.given;
  }

  /** Counts something that takes as long as a great many steps. Throws `LimitReached`. */
  slow(): void {
    if (this.budget !== undefined) this.look();
  }

  /** Counts a text or list of this many bytes before it is made. Throws `LimitReached`. */
  expect(size: number): void {
    if (size > this.textSize) throw tooMuchText(this.textSize);
  }

  /** Counts a text that a function has made. Throws `LimitReached`. */
  made(size: number): void {
    if (size > this.textSize) throw tooMuchText(this.textSize);
    this.left -= size >> 12;
  }
}

/** Counts what templates take. */
export const meter = new Meter();

/**
 * Returns the `LimitReached` of an error: itself, or the one for a JavaScript engine that has reached its own limit, such as
 * the end of its stack. Returns undefined for any other error.
 */
export function asLimit(error: unknown): LimitReached | undefined {
  if (error instanceof LimitReached) return error;
  if (isStackOverflow(error)) {
    return new LimitReached('calls or values are nested too deep', { cause: error, hint: depthHint });
  }
  if (!(error instanceof RangeError)) return undefined;
  const message = 'a text or a list became larger than JavaScript can hold, and the rendering was stopped';
  return new LimitReached(message, { cause: error });
}

/** Returns the error to throw for a file that could not be read: for a limit, the error that names the file. */
export function limitIn(file: string, error: unknown): unknown {
  return asLimit(error)?.in(file) ?? error;
}

/** Reports whether an error is the end of JavaScript's stack: V8 and JavaScriptCore throw a RangeError, Firefox an InternalError. */
function isStackOverflow(error: unknown): boolean {
  if (!isError(error)) return false;
  return error.name === 'InternalError' || (error instanceof RangeError && error.message.includes('call stack'));
}

/** Runs something within limits, or without any. Throws `LimitReached`. */
export function withinLimits<T>(limits: RenderLimits | undefined, run: () => T): T {
  return limits === undefined ? run() : new Budget(limits).run(run);
}
