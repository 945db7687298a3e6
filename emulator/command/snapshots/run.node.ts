// The inputs of a run, one after the other or over all cores: what an earlier run kept and is as recorded comes first, without a
// rendering; outcomes are told in the order of the inputs all the same.

import { sweepEntries } from '../caching/sweep.node.ts';
import { compareInput, type InputJob, type InputRun, keptOutcome } from './input.node.ts';
import { type Heard, Known, listening } from './keeping.node.ts';
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
  const { flags, keeping } = run;
  const index = keeping === undefined || flags.on('update') ? undefined : new Known({ ...run, keeping });
  const known = await keptOutcomes(jobs, run, index);
  const open = jobs.filter((job) => !known.has(job));
  let at = 0;
  // What is known stands between what is rendered. Gives whether to go on.
  const takeKnown = (): boolean => {
    for (let outcome = known.get(jobs[at]!); outcome !== undefined; ) {
      at++;
      listener.tell(outcome.input);
      if (!listener.take(outcome)) return false;
      outcome = known.get(jobs[at]!);
    }
    return true;
  };
  // Gives whether to go on.
  const take = (outcome: Outcome, heard: Heard): boolean => {
    index?.add(jobs[at]!, outcome, heard);
    at++;
    return listener.take(outcome) && takeKnown();
  };
  if (takeKnown() && open.length > 0) {
    const threads = threadsFor(flags, open.length);
    if (threads > 0) {
      await runInThreads(open, { run, threads }, (outcome, heard) => {
        const goesOn = take(outcome, heard);
        listener.tell(outcome.input);
        return goesOn;
      });
    } else {
      for (const job of open) {
        listener.tell(job.input);
        const own = listening(run);
        if (!take(await compareInput(job, own.run), own.heard())) break;
      }
    }
    if (keeping !== undefined) sweepEntries(keeping.folder);
  }
  index?.write();
}

async function keptOutcomes(
  jobs: readonly InputJob[],
  run: InputRun,
  index: Known | undefined,
): Promise<ReadonlyMap<InputJob, Outcome>> {
  const found = new Map<InputJob, Outcome>();
  const { keeping } = run;
  if (keeping === undefined || index === undefined) return found;
  let misses = 0;
  for (const job of jobs) {
    const known = index.find(job);
    const outcome = known ?? (misses < mostTries ? await keptByContent(job, run, index) : undefined);
    if (outcome !== undefined) found.set(job, outcome);
    misses = outcome === undefined ? misses + 1 : 0;
  }
  return found;
}

async function keptByContent(job: InputJob, run: InputRun, index: Known): Promise<Outcome | undefined> {
  const own = listening(run);
  const { keeping } = own.run;
  const outcome = keeping && (await keptOutcome(job, { ...own.run, keeping }));
  if (outcome !== undefined) index.add(job, outcome, own.heard());
  return outcome;
}
