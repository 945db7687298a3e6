// The inputs of a run, one after the other or over all cores. Outcomes are reported in the order of the inputs.

import { sweepEntries } from '../caching/sweep.node.ts';
import { compareInput, type InputJob, type InputRun } from './input.node.ts';
import type { Outcome } from './outcome.ts';
import { runInThreads, threadsFor } from './pool.node.ts';

/** Callbacks of a run. */
export interface RunListener {
  /** Takes the outcome of the next input. Returns whether to go on. */
  readonly take: (outcome: Outcome) => boolean;
  /** Called with the input that is being worked on. */
  readonly onInput: (input: string) => void;
}

/** Runs jobs until `take` returns false. Throws UsageError. */
export async function runJobs(
  jobs: readonly InputJob[],
  run: InputRun,
  { take, onInput: tell }: RunListener,
): Promise<void> {
  const threads = threadsFor(run.flags, jobs.length);
  if (threads > 0) {
    await runInThreads(jobs, { run, threads }, (outcome) => {
      const goesOn = take(outcome);
      tell(outcome.input);
      return goesOn;
    });
  } else {
    for (const job of jobs) {
      tell(job.input);
      if (!take(await compareInput(job, run))) break;
    }
  }
  if (run.cache !== undefined) sweepEntries(run.cache.folder);
}
