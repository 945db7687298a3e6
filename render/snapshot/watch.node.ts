// Compares snapshots, and again after each save what it may have changed.

import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { callback, checkArguments, listOf, optionsOf, text } from '../core/arguments.ts';
import { isRenderError } from '../core/errors.ts';
import { UsageError } from '../core/usage-error.ts';
import { isError } from '../go/realm.ts';
import { isChartInput } from '../inputs/files.node.ts';
import { affects, isAmong } from '../inputs/paths.node.ts';
import { openRunCache } from './cache.node.ts';
import { inputPaths, sharedPaths } from './changed.node.ts';
import { noCoverage } from './coverage.node.ts';
import { type Followed, type FollowedEvent, followFolders } from './follow.node.ts';
import { compareInput, type InputJob, type InputRun } from './input.node.ts';
import { checkMatrix } from './matrix.node.ts';
import { contextOf } from './options.node.ts';
import type { Outcome } from './outcome.ts';
import { planRun } from './plan.node.ts';
import { runJobs } from './pool.node.ts';
import {
  type ComparisonOptions,
  comparisonChecks,
  comparisonOf,
  runOf,
  type SnapshotRun,
  selectionOf,
} from './run.node.ts';

/** Options of `watchSnapshots`. */
export interface WatchOptions extends ComparisonOptions {
  /** Called before inputs are compared again. Default: none. */
  readonly onStart?: (() => void) | undefined;
  /** Called with a difference of a later comparison before its causes are known; `onOutcome` follows. Default: none. */
  readonly onDifference?: ((outcome: Outcome) => void) | undefined;
  /** Called at the end of each comparison, also of the first. Default: none. */
  readonly onEnd?: ((state: WatchState) => void) | undefined;
  /** Called with an error that the user can fix, such as an unreadable file, instead of `onEnd`. Default: none. */
  readonly onFailure?: ((error: Error, state: WatchState) => void) | undefined;
}

/** The state of all inputs after a comparison. */
export interface WatchState {
  /** The latest outcomes of all inputs. */
  readonly run: SnapshotRun;
  /** The time since the first save; undefined for the first comparison. */
  readonly milliseconds: number | undefined;
}

/** A running watch. */
export interface SnapshotWatch {
  /** Ends it; resolves when the comparison in progress has ended. */
  readonly close: () => Promise<void>;
}

const watchOptions = optionsOf<WatchOptions>({
  ...comparisonChecks,
  onStart: callback,
  onDifference: callback,
  onEnd: callback,
  onFailure: callback,
});

// Editors save many files at once, some in two steps.
const settleMs = 20;

/**
 * Compares inputs with their snapshots like `compareSnapshots`, and again after each save of a file that may change one, as
 * `drydock snapshot --watch` does. Resolves after the first comparison. Rejects with UsageError if options and inputs do not fit,
 * ARGUMENT_INVALID.
 * @example
 * const watch = await watchSnapshots(['charts/*'], { onEnd: ({ run }) => console.log(`${run.counts.bad} not as recorded`) });
 * await watch.close();
 */
export async function watchSnapshots(inputs: readonly string[], options: WatchOptions = {}): Promise<SnapshotWatch> {
  checkArguments('watchSnapshots', ['inputs', inputs, listOf(text)], ['options', options, watchOptions]);
  const { settings, rules, io } = contextOf(options);
  checkMatrix(settings, io.cwd);
  const cache = openRunCache(options.cache, settings, io.cwd);
  const run: InputRun = { settings, comparison: comparisonOf(options, rules), io, coverage: noCoverage, cache };
  const outcomes = new Map<string, Outcome>();
  const saved = new Set<string>();
  let jobs: readonly InputJob[] = [];
  let places = noPlaces;
  let isPlanned = false;
  let isClosed = false;
  let firstSaved = 0;
  let settling: ReturnType<typeof setTimeout> | undefined;
  let working: Promise<void> = Promise.resolve();
  let followed: Followed | undefined;

  const plan = async (): Promise<void> => {
    const known = places.all;
    ({ jobs } = await planRun(selectionOf(inputs, options), run));
    places = await placesOf(inputs, jobs, run);
    isPlanned = true;
    followed?.add([...places.all].filter((path) => !known.has(path)));
  };
  const take = (outcome: Outcome): boolean => {
    outcomes.set(outcome.name, outcome);
    options.onOutcome?.(outcome);
    return !isClosed;
  };
  const state = (milliseconds: number | undefined): WatchState => {
    const facts = { isUpdate: false, shard: undefined, coverage: undefined, leftOut: [], against: '' };
    return { run: runOf([...outcomes.values()], facts), milliseconds };
  };
  const compare = async (): Promise<void> => {
    const paths = [...saved];
    if (paths.length === 0 || isClosed) return;
    const start = firstSaved;
    saved.clear();
    try {
      const known = new Set(jobs.map(jobText));
      if (!isPlanned) await plan();
      const wanted = jobs.filter((job) => !known.has(jobText(job)) || places.isOf(job, paths));
      const gone = [...outcomes.keys()].filter((name) => !jobs.some((job) => job.name === name));
      for (const name of gone) outcomes.delete(name);
      if (wanted.length === 0 && gone.length === 0) return;
      options.onStart?.();
      for (const job of wanted) take(await compareInput(job, { ...run, onDifference: options.onDifference }));
      // The files of an Order may be elsewhere now.
      if (wanted.some(({ input }) => !isChartInput(input, io.cwd))) await plan();
      options.onEnd?.(state(performance.now() - start));
    } catch (error) {
      if (!isOfUser(error)) throw error;
      isPlanned = false;
      // They are compared with the next save.
      for (const path of paths) saved.add(path);
      options.onFailure?.(error, state(undefined));
    }
  };
  const onEvent = (event: FollowedEvent, path: string): void => {
    if (isClosed) return;
    if (saved.size === 0) firstSaved = performance.now();
    saved.add(resolve(path));
    // New files may be new inputs and cases.
    if (event !== 'change' || options.changedSince !== undefined) isPlanned = false;
    clearTimeout(settling);
    settling = setTimeout(() => {
      working = working.then(compare);
    }, settleMs);
  };

  await plan();
  followed = await followFolders(basesOf(places.all), {
    ignored: (path) => !places.isFollowed(resolve(path)),
    onEvent,
    onFailure: (message) => io.stderr(`Error: not all is watched any more: ${message}\n`),
  });
  const close = async (): Promise<void> => {
    isClosed = true;
    clearTimeout(settling);
    await followed?.close();
    await working;
  };
  try {
    const first = runJobs(jobs, run, { threads: options.threads ?? 0, take });
    // Saves are compared afterwards, so that no earlier outcome replaces a later one.
    working = first.then(
      () => {},
      () => {},
    );
    await first;
    options.onEnd?.(state(undefined));
  } catch (error) {
    await close();
    throw error;
  }
  return { close };
}

function jobText({ input, name, cases }: InputJob): string {
  return JSON.stringify([input, name, cases]);
}

// The user fixes it and saves again.
function isOfUser(error: unknown): error is Error {
  return error instanceof UsageError || isRenderError(error) || (isError(error) && 'syscall' in error);
}

interface Places {
  readonly all: ReadonlySet<string>;
  readonly isFollowed: (path: string) => boolean;
  /** Reports whether a save may affect a job. */
  readonly isOf: (job: InputJob, saved: readonly string[]) => boolean;
}

const noPlaces: Places = { all: new Set(), isFollowed: () => false, isOf: () => false };

// Unreadable files are left to the rendering, which reports them.
async function placesOf(inputs: readonly string[], jobs: readonly InputJob[], run: InputRun): Promise<Places> {
  const { cwd } = run.io;
  // For a pattern its fixed prefix: new files there may match.
  const roots = inputs.map((word) => resolve(cwd, word.replace(/(?:^|[\\/])[^\\/]*[*?[{].*$/s, '')));
  const shared = sharedPaths(run.settings, cwd).paths;
  const own = new Map<string, ReadonlySet<string>>();
  for (const job of jobs) {
    const found = await inputPaths(job, run);
    // A missing chart may be added beside the Order.
    own.set(job.name, new Set([...(found?.paths ?? [dirname(resolve(cwd, job.input))]), ...shared]));
  }
  const all = new Set([
    ...roots,
    resolve(cwd, run.comparison.snapshots),
    ...[...own.values()].flatMap((paths) => [...paths]),
  ]);
  return {
    all,
    isFollowed: (path) =>
      path !== run.cache?.folder && !/[\\/](?:\.git|node_modules)(?:[\\/]|$)/.test(path) && affects(path, all),
    isOf: ({ name }, saved) => saved.some((path) => affects(path, own.get(name) ?? shared)),
  };
}

/** The folders to watch: the parents of watched ones, so that a deleted and recreated folder is noticed. */
function basesOf(all: ReadonlySet<string>): string[] {
  const above = [...all].map((path) => {
    let folder = dirname(path);
    while (!existsSync(folder) && folder !== dirname(folder)) folder = dirname(folder);
    return folder;
  });
  const folders = new Set(above);
  return [...folders].filter((path) => path === dirname(path) || !isAmong(dirname(path), folders));
}
