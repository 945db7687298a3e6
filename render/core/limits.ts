// Limits of a rendering: steps, time and text, counted during execution, with an occasional look at the clock; and nesting depth.

import { isError } from '../go/realm.ts';
import { type Check, maxDepth, type OptionChecks, optionsOf, wholeNumber } from './arguments.ts';
import { type FaultDetails, type Place, RenderError } from './errors.ts';

/** Limits of a rendering; exceeding one fails with LIMIT_REACHED. Default: no limit. */
export interface RenderLimits {
  /** Maximum execution time of templates in milliseconds, for all packages of an Order together. The clock is read every few steps. */
  readonly milliseconds?: number | undefined;
  /** Maximum size of all output, and of a single text or list made by a function, in bytes (approximate). */
  readonly outputBytes?: number | undefined;
  /** Maximum number of list walks and function calls. */
  readonly steps?: number | undefined;
}

const checks: OptionChecks<RenderLimits> = {
  milliseconds: wholeNumber(1),
  outputBytes: wholeNumber(1),
  steps: wholeNumber(1),
};

/** The validation rule of the limits option. */
export const limitsArgument: Check = optionsOf<RenderLimits>(checks);

/** The error for an exceeded limit. It is not the error of a template function, so templates cannot observe it. */
export class LimitReached extends RenderError {
  /** The message without the place. */
  readonly problem: string;
  /** The place, once it is known: the error of the executing template. */
  at: (Error & { readonly place: Place }) | undefined;
  readonly #details: FaultDetails;

  constructor(problem: string, details: FaultDetails = {}) {
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

  /** Returns the same error with a file, or with the folder of its file; `before` is the number of lines before the text. */
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

/** Returns the error for a text, such as `YAML`, nested deeper than `maxDepth` levels. */
export function tooDeep(text: string, place?: Partial<Place>): LimitReached {
  return new LimitReached(`${text} is nested more than ${maxDepth} levels deep`, { place, hint: depthHint });
}

// Number of steps between looks at the clock.
const interval = 64;
// Practically never, and still a small integer.
const far = 2 ** 30 - 1;

/** The remaining budget of a rendering, shared by the packages of an Order. */
export class Budget {
  readonly #limits: RenderLimits;
  #steps = 0;
  #written = 0;
  #milliseconds = 0;
  #started = 0;

  constructor(limits: RenderLimits) {
    this.#limits = limits;
  }

  /** Runs a part of the rendering within this budget. Throws `LimitReached` if it is used up. */
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

  /** Counts steps and reads the clock. Returns the number of steps until the next look. Throws `LimitReached`. */
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

/** The active budget. Renderings are synchronous, so there is at most one. */
class Meter {
  budget: Budget | undefined;
  /** Number of steps until `look`. */
  left = far;
  /** Maximum size of a text. */
  textSize = Number.POSITIVE_INFINITY;
  /** The value that `left` was set to. */
  given = far;

  /** Counts the steps since the last look. Throws `LimitReached`. */
  look(): void {
    this.given = this.budget === undefined ? far : this.budget.look(Math.max(0, this.given - this.left));
    this.left = this.given;
  }

  /** Counts an operation that takes as long as many steps. Throws `LimitReached`. */
  slow(): void {
    if (this.budget !== undefined) this.look();
  }

  /** Counts a text or list of this many bytes before it is created. Throws `LimitReached`. */
  expect(size: number): void {
    if (size > this.textSize) throw tooMuchText(this.textSize);
  }

  /** Counts a text created by a function. Throws `LimitReached`. */
  made(size: number): void {
    if (size > this.textSize) throw tooMuchText(this.textSize);
    this.left -= size >> 12;
  }
}

/** Counts the resources that templates use. */
export const meter = new Meter();

/**
 * Returns the `LimitReached` of an error: the error itself, or one for an exhausted JavaScript engine, such as a stack overflow. Returns
 * undefined for any other error.
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

/** Returns the error to throw for a file that cannot be read: for a limit, the error with the name of the file. */
export function limitIn(file: string, error: unknown): unknown {
  return asLimit(error)?.in(file) ?? error;
}

/** Reports whether an error is a stack overflow: V8 and JavaScriptCore throw a RangeError, Firefox an InternalError. */
function isStackOverflow(error: unknown): boolean {
  if (!isError(error)) return false;
  return error.name === 'InternalError' || (error instanceof RangeError && error.message.includes('call stack'));
}

/** Runs a function with optional limits. Throws `LimitReached`. */
export function withinLimits<T>(limits: RenderLimits | undefined, run: () => T): T {
  return limits === undefined ? run() : new Budget(limits).run(run);
}
