// Runs of snapshots: renders every input, compares it with its recorded files and reports what differs; or records the files.

import { join, resolve } from 'node:path';
import {
  callback,
  checkArguments,
  filled,
  flag,
  listOf,
  membersOf,
  optionsOf,
  text,
  wholeNumber,
} from '../core/arguments.ts';
import { ownVersion } from '../core/own-files.node.ts';
import type { PlacedCoverage } from '../coverage/formats.ts';
import { formatIgnoreRule, type IgnoreRule } from '../diff/noise.ts';
import { leftOutText } from '../report/issues.ts';
import type { Report } from '../report/model.ts';
import { type BaseFolder, checkOutBase } from './base.node.ts';
import { openRunCache } from './cache.node.ts';
import type { ComparisonSettings } from './compare-rendering.node.ts';
import { createCoverage, noCoverage } from './coverage.node.ts';
import type { BaseInputs, BaseRevision } from './input.node.ts';
import { checkMatrix } from './matrix.node.ts';
import { type ContextWithRules, contextOf, type InputOptions, inputChecks } from './options.node.ts';
import { hasErrors, hasFault, isBad, type Outcome } from './outcome.ts';
import { type InputSelection, orphans, planRun, type SnapshotPlan } from './plan.node.ts';
import { runJobs } from './pool.node.ts';
import { type RunFacts, type Shard, snapshotReport } from './report.ts';
import { staleText } from './text.ts';

/** How snapshots are compared. */
export interface ComparisonOptions extends InputOptions {
  /** The folder of the snapshots, relative to `cwd`. Default `snapshots`. */
  readonly snapshots?: string | undefined;
  /** Whether every byte counts. Default false: manifests with the same meaning are equal. */
  readonly exact?: boolean | undefined;
  /** Whether the message of a failing rendering says where its values come from. Default false. */
  readonly explain?: boolean | undefined;
  /** Whether outcomes list the random values, which needs another rendering of each case. Default false. */
  readonly random?: boolean | undefined;
  /** Only the cases with a name that contains one of these texts, or matches one with `*`. Default: all. */
  readonly filters?: readonly string[] | undefined;
  /** Only the inputs that can differ from this git revision. Default: all. */
  readonly changedSince?: string | undefined;
  /** A file that decides about all inputs, such as a configuration; a change of it makes all count as changed. Default none. */
  readonly config?: string | undefined;
  /** The folder of a cache of renderings, relative to `cwd`. Default: no cache. */
  readonly cache?: string | undefined;
  /** The number of threads. Default 0: one per core, but none for few inputs or with `coverage`. */
  readonly threads?: number | undefined;
  /** Called with the outcome of each input, in the order of the inputs. Default: none. */
  readonly onOutcome?: ((outcome: Outcome) => void) | undefined;
}

/** Options of `compareSnapshots`. */
export interface SnapshotOptions extends ComparisonOptions {
  /** Whether snapshots are recorded instead of compared. Default false. */
  readonly update?: boolean | undefined;
  /** Only the cases of one shard. Default: all. */
  readonly shard?: Shard | undefined;
  /** Whether the executed template parts are counted. Default false. */
  readonly coverage?: boolean | undefined;
  /** Whether the run ends at the first input that is not as recorded. Default false. */
  readonly bail?: boolean | undefined;
  /** A git revision to report differences from; `none` for none. Default: the target of the CI job's pull request, if there is one. */
  readonly against?: string | undefined;
  /** Returns the inputs and settings of the revision; undefined for the current ones, which are the default. */
  readonly configureBase?: ((folder: BaseFolder) => Promise<BaseInputs | undefined>) | undefined;
  /** Called with each input being processed, and the number of inputs. Default: none. */
  readonly onInput?: ((input: string, total: number) => void) | undefined;
}

/** The result of a run. */
export interface SnapshotRun {
  /** One for each processed input, in the order of the inputs. */
  readonly outcomes: readonly Outcome[];
  /** The same for `formatReport`. */
  readonly report: Report;
  readonly isUpdate: boolean;
  /** The revision of the comparison; empty for none. */
  readonly against: string;
  /** Numbers of inputs: all, those that do not render, those with invalid objects, and those that make the run fail. */
  readonly counts: Readonly<Record<'all' | 'failing' | 'invalid' | 'bad', number>>;
  /** Which snapshots are not as recorded, as a sentence; empty if none. */
  readonly stale: string;
  /** Which inputs were skipped because of `bail`, as a sentence; empty if none. */
  readonly leftOut: string;
  /** The rules of `ignore` that match nothing; empty if only some inputs or cases were compared. */
  readonly unusedRules: readonly string[];
  /** Paths of snapshots without an input; empty if only some inputs were given. */
  readonly orphans: readonly string[];
  /** The coverage of the charts; undefined if it was not counted. */
  readonly coverage: readonly PlacedCoverage[] | undefined;
}

type ComparisonChecks = Parameters<typeof optionsOf<ComparisonOptions>>[0];

export const comparisonChecks: ComparisonChecks = {
  ...inputChecks,
  snapshots: filled,
  exact: flag,
  explain: flag,
  random: flag,
  filters: listOf(text),
  changedSince: filled,
  config: filled,
  cache: filled,
  threads: wholeNumber(0),
  onOutcome: callback,
};

const snapshotOptions = optionsOf<SnapshotOptions>({
  ...comparisonChecks,
  update: flag,
  shard: membersOf<Shard>({ index: wholeNumber(1), total: wholeNumber(1) }, ['index', 'total']),
  coverage: flag,
  bail: flag,
  against: text,
  configureBase: callback,
  onInput: callback,
});

/**
 * Renders Orders and charts and compares each with its recorded snapshot, as `drydock snapshot` does. `inputs` are files of Orders, chart
 * folders, archives, folders of charts, and patterns, relative to `cwd`; their names name the snapshots. Nothing is written unless `update`
 * is set. An input that does not render is an outcome, and its message goes to `stderr`. Rejects with UsageError if options and inputs do
 * not fit, with MANIFEST_INVALID for an incomplete snapshot, ARGUMENT_INVALID.
 * @example
 * const { outcomes, counts } = await compareSnapshots(['charts/*'], { settings: { values: ['prod.yaml'] }, threads: 1 });
 * if (counts.bad > 0) console.log(outcomes.filter(({ meaning }) => meaning.files.length > 0).map(({ input }) => input));
 */
export async function compareSnapshots(inputs: readonly string[], options: SnapshotOptions = {}): Promise<SnapshotRun> {
  checkArguments('compareSnapshots', ['inputs', inputs, listOf(text)], ['options', options, snapshotOptions]);
  const context = contextOf(options);
  const { settings, io } = context;
  checkMatrix(settings, io.cwd);
  const against = await checkOutBase(options.against, io, { inputs, settings, configure: options.configureBase });
  try {
    return await compareAll(inputs, options, { ...context, base: against?.base });
  } finally {
    against?.remove();
  }
}

export function comparisonOf(
  { snapshots, update, exact, all, explain, random }: SnapshotOptions,
  rules: readonly IgnoreRule[],
): ComparisonSettings {
  return {
    snapshots: snapshots ?? 'snapshots',
    isUpdate: update ?? false,
    isExact: exact ?? false,
    isAll: all ?? false,
    rules,
    explainsFailures: explain ?? false,
    listsRandom: random ?? false,
  };
}

export function selectionOf(
  inputs: readonly string[],
  { filters = [], changedSince, config, shard }: SnapshotOptions,
): InputSelection {
  return { inputs, filters, changedSince, config, shard };
}

async function compareAll(
  inputs: readonly string[],
  options: SnapshotOptions,
  { settings, rules, io, base }: ContextWithRules & { readonly base: BaseRevision | undefined },
): Promise<SnapshotRun> {
  const comparison = comparisonOf(options, rules);
  const { isUpdate } = comparison;
  const coverage = options.coverage === true ? createCoverage(io.cwd) : noCoverage;
  const selection = { ...selectionOf(inputs, options), base };
  const plan = await planRun(selection, { settings, comparison, io });
  const { jobs, shard } = plan;
  const outcomes: Outcome[] = [];
  // Returns whether to continue.
  const take = (outcome: Outcome): boolean => {
    outcomes.push(outcome);
    options.onOutcome?.(outcome);
    return !(options.bail === true && isBad(outcome, isUpdate));
  };
  const cache = openRunCache(options.cache, settings, io.cwd);
  await runJobs(
    jobs,
    { settings, comparison, io, coverage, cache, base },
    { threads: options.threads ?? 0, take, onInput: (input) => options.onInput?.(input, jobs.length) },
  );
  const leftOut = jobs.slice(outcomes.length).map(({ input }) => input);
  const isPart =
    isUpdate || shard !== undefined || selection.changedSince !== undefined || selection.filters.length > 0;
  return runOf(outcomes, {
    isUpdate,
    shard,
    coverage: coverage.data(),
    leftOut,
    against: base?.name ?? '',
    // Skipped inputs might use them.
    unusedRules: isPart || leftOut.length > 0 ? [] : unusedRules(outcomes, rules),
    orphans: orphansOf(plan, comparison.snapshots, io.cwd),
  });
}

function unusedRules(outcomes: readonly Outcome[], rules: readonly IgnoreRule[]): string[] {
  const meanings = outcomes.flatMap(({ meaning, against }) => [meaning, against?.meaning ?? meaning]);
  return rules
    .map(formatIgnoreRule)
    .filter((rule) => meanings.every((meaning) => meaning.unusedRules.some((one) => formatIgnoreRule(one) === rule)));
}

function orphansOf({ isWhole, names }: SnapshotPlan, folder: string, cwd: string): string[] {
  return isWhole ? orphans(resolve(cwd, folder), names).map((name) => join(folder, name)) : [];
}

export function runOf(
  outcomes: readonly Outcome[],
  facts: RunFacts & Partial<Pick<SnapshotRun, 'unusedRules' | 'orphans'>>,
): SnapshotRun {
  const { isUpdate, against, coverage, unusedRules = [], orphans = [] } = facts;
  const report = snapshotReport(outcomes, { ...facts, version: ownVersion(), time: new Date() });
  return {
    outcomes,
    report,
    isUpdate,
    against,
    counts: {
      all: outcomes.length + facts.leftOut.length,
      failing: outcomes.filter(hasFault).length,
      invalid: outcomes.filter(hasErrors).length,
      bad: outcomes.filter((outcome) => isBad(outcome, isUpdate)).length,
    },
    stale: staleText(outcomes, isUpdate),
    leftOut: leftOutText(report),
    unusedRules,
    orphans,
    coverage,
  };
}
