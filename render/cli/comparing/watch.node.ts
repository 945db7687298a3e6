// `drydock snapshot --watch`: compares once, and again after each save what it may have changed.

import { existsSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { counted } from '../../core/counted.ts';
import { isRenderError } from '../../core/errors.ts';
import { ownVersion } from '../../core/own-files.node.ts';
import { isError } from '../../go/realm.ts';
import { readCaseWords } from '../../inputs/cases.node.ts';
import { settingsForChart } from '../../inputs/chart-settings.node.ts';
import { isChartInput, readTextFile } from '../../inputs/files.node.ts';
import { readOrderFile } from '../../inputs/orders.node.ts';
import type { RenderSettings, RunIo } from '../../inputs/settings.ts';
import { validateOrder } from '../../order/validate.ts';
import { type CachedFiles, type CacheEntry, type CacheStore, contentDigest } from '../../snapshot/cache.node.ts';
import { noCoverage } from '../../snapshot/coverage.node.ts';
import { compareInput, type InputJob, type InputRun } from '../../snapshot/input.node.ts';
import { valueSetsOf } from '../../snapshot/matrix.node.ts';
import { isBad, type Outcome } from '../../snapshot/outcome.ts';
import { planRun } from '../../snapshot/plan.node.ts';
import { runJobs } from '../../snapshot/pool.node.ts';
import { snapshotReport } from '../../snapshot/report.ts';
import { printOutcomes } from '../../snapshot/text.ts';
import { type ParsedFlags, UsageError } from '../flags.ts';
import { type FollowedEvent, followFolders } from '../follow.node.ts';
import type { CommandContext } from '../program.ts';
import { renderSettings } from '../settings.ts';
import { listenForStop } from '../stop.node.ts';
import { cacheOf, comparisonOf, selectionOf, textOptions, threadsOf } from './options.node.ts';
import { requestedReports } from './reports.node.ts';

// Editors save many files at once, some in two steps.
const settleMs = 20;

const clearScreen = '\u001b[2J\u001b[3J\u001b[H';

/** Compares, and again after each save until it is stopped. Returns 0. Throws UsageError for incompatible flags. */
export async function watchSnapshots(flags: ParsedFlags, io: CommandContext): Promise<number> {
  checkFlags(flags, io);
  // Before the first line of output, because a reader of it may stop the command at once.
  const stop = listenForStop(io.signal);
  const watch = new Watch(flags, io);
  try {
    await watch.start();
    await stop.wished;
  } finally {
    stop.ignore();
    await watch.close();
  }
  return 0;
}

const others: Readonly<Record<string, string>> = {
  update: 'it compares; record with --update in another terminal, which it notices',
  json: 'it prints after each save: write --report json=FILE',
  shard: 'it is for one machine',
  coverage: 'coverage needs a separate run',
  'coverage-report': 'coverage needs a separate run',
  min: 'coverage needs a separate run',
  'min-branches': 'coverage needs a separate run',
};

function checkFlags(flags: ParsedFlags, io: CommandContext): void {
  for (const [name, why] of Object.entries(others)) {
    const isSet = name === 'update' || name === 'json' || name === 'coverage' ? flags.on(name) : flags.has(name);
    if (isSet) throw new UsageError(`--watch cannot be used with --${name}: ${why}`);
  }
  if (requestedReports(flags, io).takesOutput) {
    throw new UsageError('--watch prints after each save: give --report a file, as in --report html=FILE');
  }
  if (flags.list('values').some((files) => files.split(',').some((file) => file.trim() === '-'))) {
    throw new UsageError('--watch cannot read values from standard input, which can be read only once: name a file');
  }
}

/** An in-memory cache of the session, in front of the cache on disk. Each save creates new renderings, so nothing is written to disk. */
class SessionStore implements CacheStore {
  readonly #entries = new Map<string, CacheEntry>();
  readonly #earlier: CacheStore | undefined;

  constructor(earlier: CacheStore | undefined) {
    this.#earlier = earlier;
  }

  find(key: string): CacheEntry | undefined {
    return this.#entries.get(key) ?? this.#earlier?.find(key);
  }

  put(key: string, { files, facts }: CachedFiles): void {
    const digests = new Map([...files].map(([name, text]) => [name, contentDigest(text)]));
    this.#entries.delete(key);
    this.#entries.set(key, { digests, facts, files: () => files });
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > 500 && oldest !== undefined) this.#entries.delete(oldest);
  }
}

class Watch {
  readonly #flags: ParsedFlags;
  readonly #io: CommandContext;
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

  constructor(flags: ParsedFlags, io: CommandContext) {
    this.#flags = flags;
    this.#io = io;
    const cache = cacheOf(flags, io);
    const store = new SessionStore(cache?.store);
    this.#run = {
      settings: renderSettings(flags),
      comparison: comparisonOf(flags),
      io,
      coverage: noCoverage,
      cache: cache && { ...cache, store },
    };
    this.#places = new Places(flags, this.#run);
  }

  /** Compares everything, and watches the inputs' files. Throws UsageError for inputs that cannot be read at all. */
  async start(): Promise<void> {
    await this.#plan();
    const followed = await followFolders(this.#places.bases(), {
      ignored: (path) => !this.#places.isFollowed(resolve(path)),
      onEvent: (event, path) => this.#hear(event, resolve(path)),
      onFailure: (message) => this.#io.stderr(`Error: not all is watched any more: ${message}\n`),
    });
    this.#unfollow = followed.close;
    const cache = cacheOf(this.#flags, this.#io);
    const take = (outcome: Outcome): boolean => {
      this.#take(outcome);
      return !this.#isClosed;
    };
    await runJobs(this.#jobs, { ...this.#run, cache }, { threads: threadsOf(this.#flags), take });
    this.#writeReports();
    this.#tellEnd('');
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#settling);
    await this.#unfollow();
    await this.#working;
  }

  async #plan(): Promise<void> {
    const { jobs } = await planRun(selectionOf(this.#flags, this.#io), this.#run);
    await this.#places.learn(jobs);
    this.#jobs = jobs;
    this.#isPlanned = true;
  }

  #hear(event: FollowedEvent, path: string): void {
    if (this.#isClosed) return;
    if (this.#saved.size === 0) this.#firstSaved = performance.now();
    this.#saved.add(path);
    // New files may be new inputs and cases.
    if (event !== 'change' || this.#flags.has('changed')) this.#isPlanned = false;
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
      if (wanted.some(({ input }) => !isChartInput(input, this.#io.cwd))) await this.#places.learn(this.#jobs);
      this.#tellEnd(`${Math.round(performance.now() - start)} ms`);
      this.#writeReports();
    } catch (error) {
      if (!isOfUser(error)) throw error;
      this.#isPlanned = false;
      this.#io.stderr(`Error: ${error.message}\n`);
      this.#tellEnd('');
    }
  }

  /** Returns the inputs that were removed since the last save, and records those that are back. */
  #lose(jobs: readonly InputJob[]): InputJob[] {
    return jobs.filter(({ input, name }) => {
      const wasLost = this.#lost.delete(input);
      if (existsSync(resolve(this.#io.cwd, input))) return false;
      this.#lost.add(input);
      this.#outcomes.delete(name);
      return !wasLost;
    });
  }

  // On a terminal a difference is shown as soon as it is found, and again with its causes.
  async #compareAll(jobs: readonly InputJob[], lost: readonly InputJob[]): Promise<void> {
    const isDrawn = this.#io.isTerminal?.stdout === true;
    const clear = (): void => (isDrawn ? this.#io.stdout(clearScreen) : undefined);
    let held: (() => void)[] = [];
    const show = (): void => {
      for (const line of held) line();
      held = [];
    };
    const io = { ...this.#io, stderr: (text: string) => void held.push(() => this.#io.stderr(text)) };
    const onDifference = (outcome: Outcome): void => {
      clear();
      printOutcomes([outcome], textOptions(this.#flags), this.#io);
    };
    for (const job of jobs) {
      const outcome = await compareInput(job, { ...this.#run, io, ...(isDrawn && { onDifference }) });
      held.push(() => this.#take(outcome));
      if (!isDrawn) show();
    }
    for (const { input } of lost) held.push(() => this.#tellLost(input));
    clear();
    show();
  }

  #tellLost(input: string): void {
    this.#io.stderr(`Warning: ${input} is missing; its snapshot is kept, and compared when it is back\n`);
  }

  #take(outcome: Outcome): void {
    this.#outcomes.set(outcome.name, outcome);
    printOutcomes([outcome], textOptions(this.#flags), this.#io);
  }

  #tellEnd(time: string): void {
    if (this.#io.quiet) return;
    const all = [...this.#outcomes.values()];
    const bad = all.filter((outcome) => isBad(outcome, false)).length;
    const how = bad === 0 ? 'all as recorded' : `${bad} of ${all.length} not as recorded`;
    const inputs = counted(all.length, 'input');
    const rest = all.length === 0 && this.#lost.size > 0 ? [] : [inputs, how];
    const gone = this.#lost.size === 0 ? [] : [`${this.#lost.size} gone`];
    const parts = [...rest, ...gone, ...(time === '' ? [] : [time]), 'watching; Ctrl-C ends'];
    this.#io.stdout(this.#io.out.dim(`${parts.join(' · ')}\n`));
  }

  #writeReports(): void {
    const reports = requestedReports(this.#flags, this.#io);
    const facts = {
      version: ownVersion(),
      time: new Date(),
      isUpdate: false,
      shard: undefined,
      coverage: undefined,
      leftOut: [],
      against: '',
    };
    reports.write(snapshotReport([...this.#outcomes.values()], facts));
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
  readonly #settings: RenderSettings;
  readonly #io: RunIo;
  readonly #own = new Map<string, readonly string[]>();
  #shared: readonly string[] = [];
  readonly #roots: readonly string[];
  readonly #snapshots: string;
  readonly #cache: string;

  constructor(flags: ParsedFlags, { settings, comparison, io }: InputRun) {
    this.#settings = settings;
    this.#io = io;
    this.#snapshots = resolve(io.cwd, comparison.snapshots);
    this.#cache = resolve(io.cwd, flags.text('cache') || '.drydock/cache');
    // For a pattern its fixed prefix: new files there may match.
    const bases = flags.args.map((word) => resolve(io.cwd, word.replace(/(?:^|[\\/])[^\\/]*[*?[{].*$/s, '')));
    this.#roots = [...bases, this.#snapshots];
  }

  /** Determines the paths of jobs. Unreadable files are left to the rendering, which reports them. */
  async learn(jobs: readonly InputJob[]): Promise<void> {
    const settings = this.#settings;
    const io = this.#io;
    const filesOf = (own: RenderSettings): string[] => {
      const named = [...own.values.flatMap((list) => list.split(',')), ...valueSetsOf(own).flat()];
      const files = named.map((file) => resolve(io.cwd, file));
      return [...files, ...files.flatMap(clusterFiles)];
    };
    this.#shared = [...filesOf(settings), ...settings.charts.map((path) => resolve(io.cwd, path))];
    for (const job of jobs) {
      const path = resolve(io.cwd, job.input);
      const own = settingsForChart(settings, job.input, io.cwd);
      const found = isChartInput(job.input, io.cwd) ? [] : await this.#chartsOf(job.input);
      this.#own.set(job.name, [path, ...found, ...filesOf(own), join(this.#snapshots, `${job.name}.snap`)]);
    }
  }

  /** The folders to watch: the parents of watched ones, so that a deleted and recreated folder is noticed. */
  bases(): string[] {
    const above = this.#all().map((path) => {
      let folder = dirname(path);
      while (!existsSync(folder) && folder !== dirname(folder)) folder = dirname(folder);
      return folder;
    });
    return [...new Set(above)].filter((path) => !above.some((other) => other !== path && isBelow(path, other)));
  }

  isFollowed(path: string): boolean {
    if (path === this.#cache || /[\\/](?:\.git|node_modules)(?:[\\/]|$)/.test(path)) return false;
    return this.#all().some((root) => isBelow(path, root) || isBelow(root, path));
  }

  /** Reports whether a save may affect a job. */
  isOf({ name }: InputJob, saved: readonly string[]): boolean {
    const own = [...(this.#own.get(name) ?? []), ...this.#shared];
    return saved.some((path) => own.some((root) => isBelow(path, root) || isBelow(root, path)));
  }

  #all(): readonly string[] {
    return [...this.#roots, ...this.#shared, ...[...this.#own.values()].flat()];
  }

  async #chartsOf(input: string): Promise<string[]> {
    const silent = { ...this.#io, stderr: () => {} };
    // A missing chart may be added beside the Order.
    const beside = dirname(resolve(this.#io.cwd, input));
    try {
      const order = await readOrderFile(input, this.#settings, silent);
      const { order: valid } = validateOrder(order.text.value);
      const found: string[] = [];
      for (const selection of valid.spec.packages) {
        const { name, version, sourceRef } = selection.chart;
        const chart = await order.options.registry.resolve({ name, version, sourceRef });
        found.push(order.pathOf({ selection, chart }) ?? beside);
      }
      return found;
    } catch {
      return [beside];
    }
  }
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

// The objects for a case's `lookup`.
function clusterFiles(file: string): string[] {
  try {
    const folder = dirname(file);
    return readCaseWords(readTextFile(file, folder), file).cluster.map((name) => resolve(folder, name));
  } catch {
    return [];
  }
}
