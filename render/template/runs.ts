// Execution counts of template nodes, recorded for coverage.

import type { Source } from './source.ts';

/** The counts of one template file, by node. */
export class FileRuns {
  readonly #started = new Map<object, number>();
  readonly #chosen = new Map<object, number[]>();

  /** Counts one execution of a pipeline, an argument or a `template` action, one walk of a list, or one skipped branch. */
  start(node: object): void {
    this.#started.set(node, this.started(node) + 1);
  }

  /** Returns the execution count of a node. */
  started(node: object): number {
    return this.#started.get(node) ?? 0;
  }

  /**
   * Counts which choice a call took: an argument of `default`, `ternary` or `coalesce`. The last choice of `coalesce` means none of its
   * arguments.
   */
  choose(call: object, [choices, at]: readonly [choices: number, at: number]): void {
    const tally = this.#chosen.get(call) ?? new Array<number>(choices).fill(0);
    tally[at] = (tally[at] ?? 0) + 1;
    this.#chosen.set(call, tally);
  }

  /** Returns the count of each choice of a call. */
  chosen(call: object): readonly number[] {
    return this.#chosen.get(call) ?? [];
  }
}

/** The counts of any number of executions. */
export class Runs {
  readonly #files = new Map<Source, FileRuns>();

  /** Returns the counts of a file, which can be read and increased. */
  of(source: Source): FileRuns {
    const known = this.#files.get(source);
    if (known !== undefined) return known;
    const made = new FileRuns();
    this.#files.set(source, made);
    return made;
  }
}
