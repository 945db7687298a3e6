// How often each part of the templates ran: what an execution that is watched writes down.

import type { Source } from './source.ts';

/** The counts of one template file, by node. */
export class FileRuns {
  readonly #started = new Map<object, number>();
  readonly #chosen = new Map<object, number[]>();

  /** Counts that a pipeline, an argument or a `template` action starts, a list is walked, or a branch is skipped. */
  start(node: object): void {
    this.#started.set(node, this.started(node) + 1);
  }

  /** Returns how often it did. */
  started(node: object): number {
    return this.#started.get(node) ?? 0;
  }

  /**
   * Counts which of its choices a call took: an argument of `default`, `ternary` or `coalesce`. The last choice of `coalesce` is
   * none of them.
   */
  choose(call: object, [choices, at]: readonly [choices: number, at: number]): void {
    const tally = this.#chosen.get(call) ?? new Array<number>(choices).fill(0);
    tally[at] = (tally[at] ?? 0) + 1;
    this.#chosen.set(call, tally);
  }

  /** Returns how often a call took each of its choices. */
  chosen(call: object): readonly number[] {
    return this.#chosen.get(call) ?? [];
  }
}

/** Counts of any number of executions. */
export class Runs {
  readonly #files = new Map<Source, FileRuns>();

  /** Returns the counts of a file, to read and to add to. */
  of(source: Source): FileRuns {
    const known = this.#files.get(source);
    if (known !== undefined) return known;
    const made = new FileRuns();
    this.#files.set(source, made);
    return made;
  }
}
