// Inputs over all cores: a thread for each, of which one is that of the program itself. Whoever is done with an input takes the next
// one off a counter that all share, so that nobody waits for another thread to be free to answer.

import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { BaseRevision } from '../diffing/base.node.ts';
import { type ParsedFlags, UsageError } from '../flags.ts';
import { type PlainFlags, plainFlags } from '../made-flags.node.ts';
import { flagsOf } from '../table/command.ts';
import { snapshotSpec } from '../table/snapshot.ts';
import { compareInput, type InputJob, type InputRun } from './input.node.ts';
import type { Outcome } from './outcome.ts';

/** What a thread is started with. */
export interface ThreadData {
  readonly flags: PlainFlags;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isTerminal: { readonly stdout: boolean; readonly stderr: boolean };
  readonly refused: boolean;
  readonly quiet: boolean;
  readonly jobs: readonly InputJob[];
  readonly base: BaseRevision | undefined;
  /** What `takeJob` reads. */
  readonly next: SharedArrayBuffer;
}

/** What a thread found of an input, and what it wrote to standard error. */
export interface JobAnswer {
  readonly at: number;
  readonly stderr: string;
  readonly outcome?: Outcome;
  /** Why there is none: wrong usage, or a fault of drydock. */
  readonly failure?:
    | { readonly kind: 'usage'; readonly message: string; readonly mend: string | undefined }
    | { readonly kind: 'fault'; readonly message: string; readonly stack: string };
}

/** Returns the place of the next input that nobody took; undefined where none is left. */
export function takeJob(jobs: readonly InputJob[], next: SharedArrayBuffer): number | undefined {
  const at = Atomics.add(new Int32Array(next), 0, 1);
  return at < jobs.length ? at : undefined;
}

/** Renders and compares an input; what goes wrong is part of the answer. */
export async function answerJob(at: number, job: InputJob, run: InputRun): Promise<JobAnswer> {
  let stderr = '';
  const io = {
    ...run.io,
    stderr: (text: string): void => {
      stderr += text;
    },
  };
  try {
    const outcome = await compareInput(job, { ...run, io });
    return { at, outcome, stderr };
  } catch (error) {
    // Reported when it is the turn of this input.
    if (error instanceof UsageError) {
      return { at, failure: { kind: 'usage', message: error.message, mend: error.mend }, stderr };
    }
    const { message, stack = '' } = error instanceof Error ? error : new Error(String(error));
    return { at, failure: { kind: 'fault', message, stack }, stderr };
  }
}

// Starting a thread takes as long as some inputs.
const fewest = 8;

/**
 * Returns how many threads a run is worth: --jobs, or else one for each core. 0 says to do without: of few inputs, for
 * what cannot be shared among threads (coverage, standard input). Throws UsageError.
 */
export function threadsFor(flags: ParsedFlags, jobs: number): number {
  const asked = Number(flags.text('jobs') ?? 0);
  if (asked < 0) throw new UsageError('--jobs takes a whole number from 1 on, or 0 for all cores');
  const isShared = flags.list('values').every((files) => !files.split(',').includes('-'));
  const isCounted = flags.on('coverage') || ['coverage-report', 'min', 'min-branches'].some((name) => flags.has(name));
  if (!isShared || isCounted || asked === 1 || jobs < 2) return 0;
  if (asked > 1) return Math.min(asked, jobs);
  const cores = availableParallelism();
  return cores < 2 || jobs < fewest ? 0 : Math.min(cores, Math.floor(jobs / 2));
}

/** Runs jobs in threads. `onOutcome` hears of them in their order, and says whether to go on. */
export async function runInThreads(
  jobs: readonly InputJob[],
  { run, threads }: { readonly run: InputRun; readonly threads: number },
  onOutcome: (outcome: Outcome) => boolean,
): Promise<void> {
  const data = threadData(jobs, run);
  const workers = Array.from({ length: threads - 1 }, () => startThread(data));
  const answers = new Map<number, JobAnswer>();
  let told = 0;
  // Gives whether to go on.
  const tellReady = (): boolean => {
    for (let found = answers.get(told); found !== undefined; found = answers.get(told)) {
      answers.delete(told);
      told++;
      run.io.stderr(found.stderr);
      if (found.outcome === undefined) throw failureOf(found);
      if (!onOutcome(found.outcome)) return false;
    }
    return told < jobs.length;
  };
  let isOver = false;
  try {
    await new Promise<void>((resolve, reject) => {
      const take = (found: JobAnswer): void => {
        if (isOver) return;
        answers.set(found.at, found);
        try {
          isOver = !tellReady();
          if (isOver) resolve();
        } catch (error) {
          isOver = true;
          reject(error);
        }
      };
      for (const worker of workers) {
        worker.on('error', reject);
        worker.on('exit', (code) => code === 0 || reject(new Error('a thread that renders has ended')));
        worker.on('message', take);
      }
      const work = async (): Promise<void> => {
        for (let at = takeJob(jobs, data.next); at !== undefined && !isOver; at = takeJob(jobs, data.next)) {
          take(await answerJob(at, jobs[at]!, run));
          // What others found meanwhile is told between two inputs.
          await new Promise((next) => setImmediate(next));
        }
      };
      work().catch(reject);
    });
  } finally {
    isOver = true;
    await Promise.all(
      workers.map((worker) => {
        worker.removeAllListeners('exit');
        return worker.terminate();
      }),
    );
  }
}

function threadData(jobs: readonly InputJob[], { flags, io, base }: InputRun): ThreadData {
  const names = flagsOf(snapshotSpec).map(({ name }) => name);
  return {
    flags: plainFlags(flags, names),
    cwd: io.cwd,
    env: { ...io.env },
    isTerminal: { stdout: io.isTerminal?.stdout === true, stderr: io.isTerminal?.stderr === true },
    refused: flags.on('no-color'),
    quiet: io.quiet,
    jobs,
    base,
    next: new SharedArrayBuffer(4),
  };
}

function failureOf({ failure }: JobAnswer): Error {
  if (failure?.kind === 'usage') return new UsageError(failure.message, failure.mend);
  const error = new Error(failure?.message ?? 'a thread gave nothing');
  if (failure !== undefined) Object.assign(error, { stack: failure.stack });
  return error;
}

// Where the sources run, it reads TypeScript, which Node 20 hands to no worker.
function startThread(workerData: ThreadData): Worker {
  const file = threadFile();
  if (!file.pathname.endsWith('.ts')) return new Worker(file, { workerData });
  const source = `import('${import.meta.resolve('tsx/esm/api')}').then(({ register }) => (register(), import('${file}')))`;
  return new Worker(source, { workerData, eval: true });
}

// Beside this file in the sources; in the package beside the entry points, whose parts may lie in a folder below.
function threadFile(): URL {
  const places = ['./job-thread.node.ts', './snapshot-thread.js', '../snapshot-thread.js'];
  const files = places.map((place) => new URL(place, import.meta.url));
  return files.find((file) => existsSync(file)) ?? files[1]!;
}
