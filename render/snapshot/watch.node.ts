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
import { type FollowedEvent, followFolders } from './follow.node.ts';
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
  /** Called with an input that was deleted or moved. Default: none. */
  readonly onLost?: ((input: string) => void) | undefined;
  /** Called at the end of each comparison, also of the first. Default: none. */
  readonly onEnd?: ((state: WatchState) => void) | undefined;
  /** Called with an error that the user can fix, such as an unreadable file, instead of `onEnd`. Default: none. */
  readonly onFailure?: ((error: Error, state: WatchState) => void) | undefined;
}

/** The state of all inputs after a comparison. */
export interface WatchState {
  /** The latest outcomes of all inputs. */
  readonly run: SnapshotRun;
  /** The number of deleted or moved inputs. */
  readonly lost: number;
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
  onLost: callback,
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
  const run = {
    settings,
    comparison: comparisonOf(options, rules),
    io,
    coverage: noCoverage,
    cache: openRunCache(options, settings, io.cwd),
  };
  const watch = new Watch(inputs, options, run);
  try {
    await watch.start();
  } catch (error) {
    await watch.close();
    throw error;
  }
  return { close: () => watch.close() };
}

class Watch {
  readonly #inputs: readonly string[];
  readonly #options: WatchOptions;
  readonly #run: InputRun;
  readonly #outcomes = new Map<string, Outcome>();
  readonly #saved = new Set<string>();
  /** Deleted or moved inputs. */
  readonly #lost = new Set<string>();
  readonly #places: Places;
  #jobs: readonly InputJob[] = [];
  #isPlanned = false;
  #firstSaved = 0;
  #settling: ReturnType<typeof setTimeout> | undefined;
  #working: Promise<void> = Promise.resolve();
  #isClosed = false;
  #unfollow: () => Promise<void> = async () => {};

  constructor(inputs: readonly string[], options: WatchOptions, run: InputRun) {
    this.#inputs = inputs;
    this.#options = options;
    this.#run = run;
    this.#places = new Places(inputs, options.cache, run);
  }

  /** Compares everything, and watches the inputs' files. Throws UsageError for inputs that cannot be read at all. */
  async start(): Promise<void> {
    await this.#plan();
    const followed = await followFolders(this.#places.bases(), {
      ignored: (path) => !this.#places.isFollowed(resolve(path)),
      onEvent: (event, path) => this.#hear(event, resolve(path)),
      onFailure: (message) => this.#run.io.stderr(`Error: not all is watched any more: ${message}\n`),
    });
    this.#unfollow = followed.close;
    const take = (outcome: Outcome): boolean => {
      this.#take(outcome);
      return !this.#isClosed;
    };
    await runJobs(this.#jobs, this.#run, { threads: this.#options.threads ?? 0, take });
    this.#options.onEnd?.(this.#state(undefined));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#settling);
    await this.#unfollow();
    await this.#working;
  }

  async #plan(): Promise<void> {
    const { jobs } = await planRun(selectionOf(this.#inputs, this.#options), this.#run);
    await this.#places.learn(jobs);
    this.#jobs = jobs;
    this.#isPlanned = true;
  }

  #hear(event: FollowedEvent, path: string): void {
    if (this.#isClosed) return;
    if (this.#saved.size === 0) this.#firstSaved = performance.now();
    this.#saved.add(path);
    // New files may be new inputs and cases.
    if (event !== 'change' || this.#options.changedSince !== undefined) this.#isPlanned = false;
    clearTimeout(this.#settling);
    this.#settling = setTimeout(() => {
      this.#working = this.#working.then(() => this.#compare());
    }, settleMs);
  }

  async #compare(): Promise<void> {
    const saved = [...this.#saved];
    if (saved.length === 0 || this.#isClosed) return;
    const start = this.#firstSaved;
    this.#saved.clear();
    try {
      const known = new Set(this.#jobs.map(jobText));
      if (!this.#isPlanned) await this.#plan();
      const wanted = this.#jobs.filter((job) => !known.has(jobText(job)) || this.#places.isOf(job, saved));
      const gone = [...this.#outcomes.keys()].filter((name) => !this.#jobs.some((job) => job.name === name));
      for (const name of gone) this.#outcomes.delete(name);
      const lost = this.#lose(wanted);
      const present = wanted.filter(({ input }) => !this.#lost.has(input));
      if (present.length === 0 && gone.length === 0 && lost.length === 0) return;
      await this.#compareAll(present, lost);
      // The files of an Order may be elsewhere now.
      if (wanted.some(({ input }) => !isChartInput(input, this.#run.io.cwd))) await this.#places.learn(this.#jobs);
      this.#options.onEnd?.(this.#state(performance.now() - start));
    } catch (error) {
      if (!isOfUser(error)) throw error;
      this.#isPlanned = false;
      this.#options.onFailure?.(error, this.#state(undefined));
    }
  }

  /** Returns the inputs that were removed since the last save, and records those that are back. */
  #lose(jobs: readonly InputJob[]): InputJob[] {
    return jobs.filter(({ input, name }) => {
      const wasLost = this.#lost.delete(input);
      if (existsSync(resolve(this.#run.io.cwd, input))) return false;
      this.#lost.add(input);
      this.#outcomes.delete(name);
      return !wasLost;
    });
  }

  async #compareAll(jobs: readonly InputJob[], lost: readonly InputJob[]): Promise<void> {
    const { onStart, onDifference, onLost } = this.#options;
    onStart?.();
    for (const job of jobs) this.#take(await compareInput(job, { ...this.#run, onDifference }));
    for (const { input } of lost) onLost?.(input);
  }

  #take(outcome: Outcome): void {
    this.#outcomes.set(outcome.name, outcome);
    this.#options.onOutcome?.(outcome);
  }

  #state(milliseconds: number | undefined): WatchState {
    const facts = { isUpdate: false, shard: undefined, coverage: undefined, leftOut: [], against: '' };
    return { run: runOf([...this.#outcomes.values()], facts), lost: this.#lost.size, milliseconds };
  }
}

function jobText({ input, name, cases }: InputJob): string {
  return JSON.stringify([input, name, cases]);
}

// The user fixes it and saves again.
function isOfUser(error: unknown): error is Error {
  return error instanceof UsageError || isRenderError(error) || (isError(error) && 'syscall' in error);
}

/** The paths that determine the inputs. */
class Places {
  readonly #run: InputRun;
  readonly #roots: readonly string[];
  readonly #cache: string | undefined;
  readonly #own = new Map<string, ReadonlySet<string>>();
  #shared: ReadonlySet<string> = new Set();
  #all: ReadonlySet<string> = new Set();

  constructor(inputs: readonly string[], cache: string | undefined, run: InputRun) {
    const { cwd } = run.io;
    this.#run = run;
    this.#cache = cache === undefined ? undefined : resolve(cwd, cache);
    // For a pattern its fixed prefix: new files there may match.
    const bases = inputs.map((word) => resolve(cwd, word.replace(/(?:^|[\\/])[^\\/]*[*?[{].*$/s, '')));
    this.#roots = [...bases, resolve(cwd, run.comparison.snapshots)];
  }

  /** Determines the paths of jobs. Unreadable files are left to the rendering, which reports them. */
  async learn(jobs: readonly InputJob[]): Promise<void> {
    const { settings, io } = this.#run;
    this.#shared = sharedPaths(settings, io.cwd).paths;
    for (const job of jobs) {
      const found = await inputPaths(job, this.#run);
      // A missing chart may be added beside the Order.
      this.#own.set(job.name, found?.paths ?? new Set([dirname(resolve(io.cwd, job.input))]));
    }
    this.#all = new Set([...this.#roots, ...this.#shared, ...[...this.#own.values()].flatMap((paths) => [...paths])]);
  }

  /** The folders to watch: the parents of watched ones, so that a deleted and recreated folder is noticed. */
  bases(): string[] {
    const above = [...this.#all].map((path) => {
      let folder = dirname(path);
      while (!existsSync(folder) && folder !== dirname(folder)) folder = dirname(folder);
      return folder;
    });
    const folders = new Set(above);
    return [...folders].filter((path) => path === dirname(path) || !isAmong(dirname(path), folders));
  }

  isFollowed(path: string): boolean {
    if (path === this.#cache || /[\\/](?:\.git|node_modules)(?:[\\/]|$)/.test(path)) return false;
    return affects(path, this.#all);
  }

  /** Reports whether a save may affect a job. */
  isOf({ name }: InputJob, saved: readonly string[]): boolean {
    const paths = new Set([...(this.#own.get(name) ?? []), ...this.#shared]);
    return saved.some((path) => affects(path, paths));
  }
}
