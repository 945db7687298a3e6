// Processes the inputs of a run, in sequence or in threads, one per core. Outcomes are reported in input order.

import { availableParallelism } from 'node:os';
import { RenderError } from '../core/errors.ts';
import { UsageError } from '../core/usage-error.ts';
import { isError } from '../go/realm.ts';
import { formatError } from '../inputs/failures.ts';
import { PoolError, WorkerPool } from '../workers/pool.ts';
import { startThread } from '../workers/start.node.ts';
import { type RunCache, sweepEntries } from './cache.node.ts';
import { compareInput, faultOutcome, type InputJob, type InputRun } from './input.node.ts';
import type { Outcome } from './outcome.ts';

export interface ThreadData extends Pick<InputRun, 'settings' | 'comparison' | 'base'> {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cache: Omit<RunCache, 'store'> | undefined;
}

/** A thread's result for an input, and what it wrote to standard error. */
interface JobAnswer {
  readonly stderr: string;
  readonly outcome?: Outcome;
  /** Why there is none: wrong usage, or a bug. */
  readonly failure?:
    | { readonly kind: 'usage'; readonly message: string; readonly hint: string | undefined }
    | { readonly kind: 'fault'; readonly message: string; readonly stack: string };
}

export async function answerJob(job: InputJob, run: InputRun): Promise<JobAnswer> {
  let stderr = '';
  const io = {
    ...run.io,
    stderr: (text: string): void => {
      stderr += text;
    },
  };
  try {
    const outcome = await compareInput(job, { ...run, io });
    return { outcome, stderr };
  } catch (error) {
    // Reported when it is this input's turn.
    if (error instanceof UsageError) {
      return { failure: { kind: 'usage', message: error.message, hint: error.hint }, stderr };
    }
    const { message, stack = '' } = isError(error) ? error : new Error(String(error));
    return { failure: { kind: 'fault', message, stack }, stderr };
  }
}

// Starting a thread takes as long as some inputs.
const fewest = 8;

/**
 * Returns the number of threads: as requested, or else one per core. 0 means the main thread only: for few inputs, and if threads cannot
 * share something (coverage, standard input).
 */
function threadsFor(requested: number, { settings, coverage }: InputRun, jobs: number): number {
  const isShared = settings.values.every((files) => !files.split(',').includes('-'));
  const isCounted = coverage.data() !== undefined;
  if (!isShared || isCounted || requested === 1 || jobs < 2) return 0;
  if (requested > 1) return Math.min(requested, jobs);
  const cores = availableParallelism();
  return cores < 2 || jobs < fewest ? 0 : Math.min(cores, Math.floor(jobs / 2));
}

/** Runs jobs in threads. Calls `onOutcome` with their outcomes in job order, until it returns false. */
async function runInThreads(
  jobs: readonly InputJob[],
  { run, threads }: { readonly run: InputRun; readonly threads: number },
  onOutcome: (outcome: Outcome) => boolean,
): Promise<void> {
  const data = threadData(run);
  const source = new URL('./job-thread.node.ts', import.meta.url);
  const pool = new WorkerPool({ size: threads, start: () => startThread({ source, name: 'snapshot-thread', data }) });
  try {
    const answers = jobs.map((job) =>
      pool.run({ message: job }).then(
        (answer) => answer as JobAnswer,
        (error) => answerFailure(job, run, error),
      ),
    );
    // Jobs after the last one are rejected.
    for (const answer of answers) answer.catch(() => {});
    for (const answer of answers) {
      const { outcome, stderr, failure } = await answer;
      run.io.stderr(stderr);
      if (outcome === undefined) throw errorOf(failure);
      if (!onOutcome(outcome)) return;
    }
  } finally {
    pool.close();
  }
}

// An input that needs more memory than a thread has does not end the run.
function answerFailure(job: InputJob, { comparison }: InputRun, thrown: unknown): JobAnswer {
  if (!(thrown instanceof PoolError && thrown.reason === 'memory')) throw thrown;
  const message = 'rendering and comparing it took more memory than a thread of Node has';
  const hint =
    'Look for a template or value that grows without bound, or give Node more: NODE_OPTIONS=--max-old-space-size=8192 (MiB).';
  const error = new RenderError('LIMIT_REACHED', message, { hint });
  return { outcome: faultOutcome(job, comparison, error), stderr: formatError(error, undefined, job.input) };
}

function threadData({ settings, comparison, io, base, cache }: InputRun): ThreadData {
  return {
    settings,
    comparison,
    cwd: io.cwd,
    env: { ...io.env },
    cache: cache && { folder: cache.folder, program: cache.program },
    base,
  };
}

function errorOf(failure: JobAnswer['failure']): Error {
  if (failure?.kind === 'usage') return new UsageError(failure.message, failure.hint);
  const error = new Error(failure?.message ?? 'a thread ended without a result');
  if (failure !== undefined) Object.assign(error, { stack: failure.stack });
  return error;
}

interface JobOptions {
  /** The number of threads; 0 for one per core. */
  readonly threads: number;
  /** Handles the next outcome. Returns whether to continue. */
  readonly take: (outcome: Outcome) => boolean;
  /** Called with the input being processed. Default: none. */
  readonly onInput?: (input: string) => void;
}

/** Runs jobs until `take` returns false. Throws UsageError. */
export async function runJobs(
  jobs: readonly InputJob[],
  run: InputRun,
  { threads: requested, take, onInput }: JobOptions,
): Promise<void> {
  const threads = threadsFor(requested, run, jobs.length);
  if (threads > 0) {
    await runInThreads(jobs, { run, threads }, (outcome) => {
      const goesOn = take(outcome);
      onInput?.(outcome.input);
      return goesOn;
    });
  } else {
    for (const job of jobs) {
      onInput?.(job.input);
      if (!take(await compareInput(job, run))) break;
    }
  }
  if (run.cache !== undefined) sweepEntries(run.cache.folder);
}
