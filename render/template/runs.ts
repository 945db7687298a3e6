// How often each part of the templates ran: what an execution that is watched writes down.

import type { Source } from './source.ts';

/** The counts of one template file, by node of its tree. */
export interface FileRuns {
  /** How often a pipeline, an argument or a `template` action started, a list was walked, and a branch was passed by. */
  readonly started: Map<object, number>;
  /** How often a call chose each of its arguments: `default`, `ternary`, `coalesce`. The last count is for none of them. */
  readonly chosen: Map<object, number[]>;
}

/** Counts of any number of executions. */
export class Runs {
  readonly #files = new Map<Source, FileRuns>();

  /** Gives the counts of a file, to read and to add to. */
  of(source: Source): FileRuns {
    const known = this.#files.get(source);
    if (known !== undefined) return known;
    const made: FileRuns = { started: new Map(), chosen: new Map() };
    this.#files.set(source, made);
    return made;
  }
}
