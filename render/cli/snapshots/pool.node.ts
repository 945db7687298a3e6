// Processes the inputs of a run, in sequence or in threads, one per core. Outcomes are reported in input order.

import { availableParallelism } from 'node:os';
import { isError } from '../../go/realm.ts';
import { WorkerPool } from '../../workers/pool.ts';
import { startThread } from '../../workers/start.node.ts';
import { sweepEntries } from '../caching/entries.node.ts';
import type { BaseRevision } from '../diffing/base.node.ts';
import { type ParsedFlags, UsageError } from '../flags.ts';
import { type PlainFlags, plainFlags } from '../made-flags.node.ts';
import { flagsOf } from '../table/command.ts';
import { snapshotSpec } from '../table/snapshot.ts';
import { compareInput, type InputJob, type InputRun } from './input.node.ts';
import type { Outcome } from './outcome.ts';

/** The data of a thread. */
export interface ThreadData {
  readonly flags: PlainFlags;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isTerminal: { readonly stdout: boolean; readonly stderr: boolean };
  readonly refused: boolean;
  readonly quiet: boolean;
  readonly base: BaseRevision | undefined;
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

/** Renders and compares an input; errors are part of the answer. */
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
 * Returns the number of threads: --jobs, or else one per core. 0 means the main thread only: for few inputs, and if threads cannot share
 * something (coverage, standard input). Throws UsageError.
 */
function threadsFor(flags: ParsedFlags, jobs: number): number {
  const requested = Number(flags.text('jobs') ?? 0);
  if (requested < 0) throw new UsageError('--jobs takes a whole number from 1 on, or 0 for all cores');
  const isShared = flags.list('values').every((files) => !files.split(',').includes('-'));
  const isCounted = flags.on('coverage') || ['coverage-report', 'min', 'min-branches'].some((name) => flags.has(name));
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
    const answers = jobs.map((job) => pool.run({ message: job }) as Promise<JobAnswer>);
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

function threadData({ flags, io, base }: InputRun): ThreadData {
  const names = flagsOf(snapshotSpec).map(({ name }) => name);
  return {
    flags: plainFlags(flags, names),
    cwd: io.cwd,
    env: { ...io.env },
    isTerminal: { stdout: io.isTerminal?.stdout === true, stderr: io.isTerminal?.stderr === true },
    refused: flags.on('no-color'),
    quiet: io.quiet,
    base,
  };
}

function errorOf(failure: JobAnswer['failure']): Error {
  if (failure?.kind === 'usage') return new UsageError(failure.message, failure.hint);
  const error = new Error(failure?.message ?? 'a thread gave nothing');
  if (failure !== undefined) Object.assign(error, { stack: failure.stack });
  return error;
}

/** Callbacks of a run. */
interface RunListener {
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
