// Inputs over all cores: a thread for each, which takes the next input as soon as it is done with one.

import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { type ParsedFlags, UsageError } from '../flags.ts';
import type { CommandContext } from '../io.ts';
import { type PlainFlags, plainFlags } from '../made-flags.ts';
import { flagsOf } from '../table/command.ts';
import { snapshotSpec } from '../table/snapshot.ts';
import type { InputJob } from './input.node.ts';
import type { Outcome } from './outcome.ts';

/** What a thread is started with. */
export interface ThreadData {
  readonly flags: PlainFlags;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isTerminal: { readonly stdout: boolean; readonly stderr: boolean };
  readonly refused: boolean;
  readonly quiet: boolean;
}

/** An input that a thread is handed. */
export interface JobQuestion {
  readonly at: number;
  readonly job: InputJob;
}

/** What a thread found, and what it told on standard error. */
export interface JobAnswer {
  readonly at: number;
  readonly told: string;
  readonly outcome?: Outcome;
  readonly failure?: { readonly name: string; readonly message: string; readonly stack: string };
}

// Starting a thread takes as long as some inputs.
const fewest = 8;

/**
 * Gives how many threads a run is worth: --jobs, or else one for each core. 0 says to do without: of few inputs, for
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
  { flags, io, threads }: { readonly flags: ParsedFlags; readonly io: CommandContext; readonly threads: number },
  onOutcome: (outcome: Outcome) => boolean,
): Promise<void> {
  const data: ThreadData = {
    flags: plainFlags(
      flags,
      flagsOf(snapshotSpec).map(({ name }) => name),
    ),
    cwd: io.cwd,
    env: { ...io.env },
    isTerminal: { stdout: io.isTerminal?.stdout === true, stderr: io.isTerminal?.stderr === true },
    refused: flags.on('no-color'),
    quiet: io.quiet,
  };
  const workers = Array.from({ length: threads }, () => startThread(data));
  const answers = new Map<number, JobAnswer>();
  let next = 0;
  let told = 0;
  // Gives whether to go on.
  const tellReady = (): boolean => {
    for (let found = answers.get(told); found !== undefined; found = answers.get(told)) {
      answers.delete(told);
      told++;
      io.stderr(found.told);
      if (found.outcome === undefined) throw failureOf(found);
      if (!onOutcome(found.outcome)) return false;
    }
    return told < jobs.length;
  };
  try {
    await new Promise<void>((resolve, reject) => {
      const give = (worker: Worker): void => {
        const job = jobs[next];
        if (job !== undefined) worker.postMessage({ at: next++, job } satisfies JobQuestion);
      };
      for (const worker of workers) {
        worker.on('error', reject);
        worker.on('exit', () => reject(new Error('a thread that renders has ended')));
        worker.on('message', (found: JobAnswer) => {
          answers.set(found.at, found);
          try {
            if (!tellReady()) resolve();
            else give(worker);
          } catch (error) {
            reject(error);
          }
        });
        give(worker);
      }
    });
  } finally {
    await Promise.all(
      workers.map((worker) => {
        worker.removeAllListeners('exit');
        return worker.terminate();
      }),
    );
  }
}

function failureOf({ failure }: JobAnswer): Error {
  if (failure?.name === 'UsageError') return new UsageError(failure.message);
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
  return files.find((file) => existsSync(file)) ?? (files[1] as URL);
}
