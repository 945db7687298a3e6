// What a run of `drydock snapshot` keeps for later ones, and which flags decide what is kept.

import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { IgnoreRule } from '../../../render/diff/noise.ts';
import { digestOf, digestOfParts } from '../caching/digest.node.ts';
import { RenderCache, type RenderingStore } from '../caching/entries.node.ts';
import { KnownInputs } from '../caching/known.node.ts';
import { programDigest } from '../caching/program.node.ts';
import type { ParsedFlags } from '../flags.ts';
import type { CommandContext, CommandIo } from '../io.ts';
import { flagsOf } from '../table/command.ts';
import { snapshotSpec } from '../table/snapshot.ts';
import { noMeaning, type Outcome } from './outcome.ts';

/** What earlier runs kept, and how it is used. */
export interface Keeping {
  readonly cache: RenderingStore;
  /** Where it lies: no part of any chart. */
  readonly folder: string;
  /** The digest of the program that renders. */
  readonly program: string;
  /** Whether nothing shall be rendered: an input that is not kept as a whole is given up. Default false. */
  readonly isAll?: boolean;
  /** Hears of each path whose content decides what is found of an input. Default nobody. */
  readonly onPath?: ((path: string) => void) | undefined;
}

/**
 * Gives what runs keep; undefined with --no-cache, with secrets in clear, where what is asked for is known by rendering alone,
 * and for values of standard input, which can be read once.
 */
export function keepingOf(flags: ParsedFlags, io: CommandIo): Keeping | undefined {
  const isCounted = ['coverage', 'coverage-report', 'min', 'min-branches'].some((name) => flags.has(name));
  const isPair = new Set(flags.list('helm')).size > 1;
  const isStream = flags.list('values').some((files) => files.split(',').some((file) => file.trim() === '-'));
  if (flags.on('no-cache') || flags.on('show-secrets') || isCounted || isPair || isStream) return undefined;
  const folder = resolve(io.cwd, flags.text('cache') || '.drydock/cache');
  return { cache: new RenderCache(folder), folder, program: programDigest() };
}

/** The flags that decide which inputs are rendered and what is told of them, but not what rendering one gives. */
export const indifferentFlags: ReadonlySet<string> = new Set([
  ...['update', 'snapshots', 'filter', 'changed', 'against', 'jobs', 'bail', 'shard', 'watch', 'cache', 'no-cache'],
  ...['lines', 'verbose', 'exact', 'all', 'ignore', 'mask', 'report', 'json', 'explain'],
  ...['coverage', 'coverage-report', 'min', 'min-branches'],
  ...['config', 'no-config', 'no-color', 'quiet'],
  // What a cell is rendered with stands in --kube-version and --api-versions.
  'with-api-versions',
  // What they name is part of the key by its content.
  ...['values', 'with-values', 'charts'],
]);

/** Gives what a command line and the environment say of a rendering, as one text. */
export function decidingText(flags: ParsedFlags, io: CommandIo): string {
  const names = flagsOf(snapshotSpec).map(({ name }) => name);
  const said = names.filter((name) => flags.has(name) && !indifferentFlags.has(name));
  const secretKey = digestOf(io.env.DRYDOCK_SECRET_KEY ?? '');
  return JSON.stringify([secretKey, ...said.map((name) => [name, ...flags.list(name)])]);
}

// ---- Inputs that an earlier run found as recorded, and of which no file has changed since: nothing of them is read.

/** What came of an input beside its outcome. */
export interface Heard {
  /** What was told of it on standard error. */
  readonly told: string;
  /** The paths whose content decided it; empty where that is not known. */
  readonly paths: readonly string[];
}

/** What all inputs of a run share, as far as it matters here. */
interface HeardRun {
  readonly io: CommandContext;
  readonly keeping?: Keeping | undefined;
}

/** Gives what works on an input, and what is heard of it then. */
export function listening<Run extends HeardRun>(run: Run): { readonly run: Run; readonly heard: () => Heard } {
  let told = '';
  const paths = new Set<string>();
  const stderr = (text: string): void => {
    told += text;
    run.io.stderr(text);
  };
  const keeping = run.keeping && { ...run.keeping, onPath: (path: string) => void paths.add(path) };
  return { run: { ...run, io: { ...run.io, stderr }, keeping }, heard: () => ({ told, paths: [...paths] }) };
}

// Which inputs are of interest, and how many at once: no matter for any of them.
const choosing: ReadonlySet<string> = new Set([
  'filter',
  'changed',
  'against',
  'shard',
  'jobs',
  'bail',
  'watch',
  'report',
  'json',
  'verbose',
]);

interface Found {
  readonly outcome: Omit<Outcome, 'meaning'>;
  readonly told: string;
}

interface KnownRun extends HeardRun {
  readonly flags: ParsedFlags;
  readonly rules: readonly IgnoreRule[];
  readonly keeping: Keeping;
  readonly base?: { readonly commit: string; readonly flags: unknown } | undefined;
}

interface KnownJob {
  readonly input: string;
  readonly name: string;
  readonly cases?: readonly string[] | undefined;
}

/** The inputs that earlier runs of the same command line found as recorded. */
export class Known {
  readonly #run: KnownRun;
  readonly #inputs: KnownInputs;

  constructor(run: KnownRun) {
    const { flags, io, keeping, base } = run;
    const names = flagsOf(snapshotSpec).map(({ name }) => name);
    const said = names.filter((name) => flags.has(name) && !choosing.has(name)).map((name) => [name, flags.list(name)]);
    // Where it is read out its random parts are listed.
    const isRead = flags.on('json') || flags.list('report').length > 0;
    const against = [base?.commit, base?.flags];
    const asked = [
      decidingText(flags, io),
      JSON.stringify([said, flags.chartSettings, isRead, against]),
      io.err.yellow('told'),
      io.cwd,
    ];
    this.#run = run;
    this.#inputs = new KnownInputs(keeping.folder, digestOfParts([keeping.program, ...asked]));
  }

  /** Gives the outcome of an input if it must be that of an earlier run, and tells what was told then; undefined for others. */
  find(job: KnownJob): Outcome | undefined {
    const found = this.#inputs.find(nameOf(job)) as Found | undefined;
    if (found === undefined) return undefined;
    if (found.told !== '') this.#run.io.stderr(found.told);
    return { ...found.outcome, meaning: { ...noMeaning, unusedRules: this.#run.rules } };
  }

  /** Takes up the outcome of an input that is as recorded. */
  add(job: KnownJob, outcome: Outcome, { told, paths }: Heard): void {
    if (paths.length === 0 || !isAsRecorded(outcome)) return;
    const { meaning: _, ...rest } = outcome;
    const own = [...paths, ...pathsIn(resolve(this.#run.io.cwd, outcome.snapshot))];
    this.#inputs.add(nameOf(job), own, { outcome: rest, told } satisfies Found);
  }

  /** Keeps what was taken up for later runs. */
  write(): void {
    this.#inputs.write();
  }
}

function nameOf({ input, name, cases }: KnownJob): string {
  return JSON.stringify([input, name, cases ?? '']);
}

function isAsRecorded({ isFault, cases, meaning, isOld, against }: Outcome): boolean {
  const isSame = cases.every(({ status }) => status === 'same');
  const isAsBefore = against === undefined || (against.fault === '' && isEmpty(against.meaning));
  return isSame && !isFault && !isOld && isEmpty(meaning) && isAsBefore;
}

function isEmpty({ objects, ignored, files, alike }: Outcome['meaning']): boolean {
  return [objects, ignored, files, alike].every((list) => list.length === 0);
}

function pathsIn(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  return [
    folder,
    ...entries.flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? pathsIn(path) : [path];
    }),
  ];
}
