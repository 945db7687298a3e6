// Processes the inputs of a run, in sequence or on all cores. Outcomes are reported in input order.

import { sweepEntries } from '../caching/sweep.node.ts';
import { compareInput, type InputJob, type InputRun } from './input.node.ts';
import type { Outcome } from './outcome.ts';
import { runInThreads, threadsFor } from './pool.node.ts';

/** Callbacks of a run. */
export interface RunListener {
  /** Handles the next outcome. Returns whether to continue. */
  readonly take: (outcome: Outcome) => boolean;
  /** Called with the input being processed. */
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
