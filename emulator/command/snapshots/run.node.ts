// The inputs of a run, one after the other or over all cores: what an earlier run kept and is as recorded comes first, without a
// rendering; outcomes are told in the order of the inputs all the same.

import { sweepEntries } from '../caching/sweep.node.ts';
import { compareInput, type InputJob, type InputRun, keptOutcome } from './input.node.ts';
import type { Outcome } from './outcome.ts';
import { runInThreads, threadsFor } from './pool.node.ts';

/** Who hears of a run. */
export interface RunListener {
  /** Takes the outcome of the next input, and says whether to go on. */
  readonly take: (outcome: Outcome) => boolean;
  /** Hears of the input that is worked on. */
  readonly tell: (input: string) => void;
}

// So many inputs in a row that are not kept say that there is next to nothing.
const mostTries = 8;

/** Runs jobs until one says that it is enough. Throws UsageError. */
export async function runJobs(jobs: readonly InputJob[], run: InputRun, listener: RunListener): Promise<void> {
  const known = await keptOutcomes(jobs, run);
  const open = jobs.filter((job) => !known.has(job));
  let at = 0;
  // What is known stands between what is rendered. Gives whether to go on.
  const takeKnown = (): boolean => {
    for (let outcome = known.get(jobs[at] as InputJob); outcome !== undefined; ) {
      at++;
      listener.tell(outcome.input);
      if (!listener.take(outcome)) return false;
      outcome = known.get(jobs[at] as InputJob);
    }
    return true;
  };
  const take = (outcome: Outcome): boolean => {
    at++;
    return listener.take(outcome) && takeKnown();
  };
  if (!takeKnown() || open.length === 0) return;
  const { flags, io, keeping } = run;
  const threads = threadsFor(flags, open.length);
  if (threads > 0) {
    await runInThreads(open, { flags, io, threads }, (outcome) => {
      const goesOn = take(outcome);
      listener.tell(outcome.input);
      return goesOn;
    });
  } else {
    for (const job of open) {
      listener.tell(job.input);
      if (!take(await compareInput(job, run))) break;
    }
  }
  if (keeping !== undefined) sweepEntries(keeping.folder);
}

async function keptOutcomes(jobs: readonly InputJob[], run: InputRun): Promise<ReadonlyMap<InputJob, Outcome>> {
  const known = new Map<InputJob, Outcome>();
  const { keeping } = run;
  if (keeping === undefined || run.flags.on('update')) return known;
  let misses = 0;
  for (const job of jobs) {
    const outcome = await keptOutcome(job, { ...run, keeping });
    if (outcome !== undefined) known.set(job, outcome);
    misses = outcome === undefined ? misses + 1 : 0;
    if (misses === mostTries) break;
  }
  return known;
}
