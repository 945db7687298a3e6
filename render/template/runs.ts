// How often each part of the templates ran: what an execution that is watched writes down.

import type { Source } from './source.ts';

/** The counts of what stands in a body, by what is within it: one pipeline's tree may serve many places. */
type Counts<Count> = Map<object, Map<object, Count>>;

/** The counts of one template file. What stands in a body, and a list of that, is counted as within itself. */
export class FileRuns {
  readonly #started: Counts<number> = new Map();
  readonly #chosen: Counts<number[]> = new Map();

  /** Counts that a pipeline, an argument or a `template` action starts, a list is walked, or a branch is passed by. */
  start(node: object, standing: object = node): void {
    const counts = countsOf(this.#started, standing);
    counts.set(node, (counts.get(node) ?? 0) + 1);
  }

  /** Tells how often it did. */
  started(node: object, standing: object = node): number {
    return this.#started.get(standing)?.get(node) ?? 0;
  }

  /** Counts that a call chose one of so many: an argument of `default`, `ternary`, `coalesce`, or, the last one, none of them. */
  choose(call: object, standing: object, [choices, at]: readonly [choices: number, at: number]): void {
    const counts = countsOf(this.#chosen, standing);
    const tally = counts.get(call) ?? new Array<number>(choices).fill(0);
    tally[at] = (tally[at] ?? 0) + 1;
    counts.set(call, tally);
  }

  /** Tells how often a call chose each of them. */
  chosen(call: object, standing: object): readonly number[] {
    return this.#chosen.get(standing)?.get(call) ?? [];
  }
}

function countsOf<Count>(counts: Counts<Count>, standing: object): Map<object, Count> {
  let found = counts.get(standing);
  if (found === undefined) {
    found = new Map();
    counts.set(standing, found);
  }
  return found;
}

/** Counts of any number of executions. */
export class Runs {
  readonly #files = new Map<Source, FileRuns>();

  /** Gives the counts of a file, to read and to add to. */
  of(source: Source): FileRuns {
    const known = this.#files.get(source);
    if (known !== undefined) return known;
    const made = new FileRuns();
    this.#files.set(source, made);
    return made;
  }
}
