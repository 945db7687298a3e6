// Merges the reports of a run's shards into the result of the whole run.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { checkArguments, filled, listOf, optionsOf } from '../core/arguments.ts';
import { attempt } from '../core/catch.ts';
import { groupBy } from '../core/group-by.ts';
import { expandPatterns } from '../core/paths.node.ts';
import { uniqueBy } from '../core/unique-by.ts';
import { UsageError } from '../core/usage-error.ts';
import type { PlacedCoverage } from '../coverage/formats.ts';
import { joinCoverage } from '../coverage/measure.ts';
import { joinMeanings } from './meaning.ts';
import type { Outcome } from './outcome.ts';
import { type ReadReport, readReport } from './report.ts';
import { runOf, type SnapshotRun } from './run.node.ts';

/** Options of `mergeReports`. */
export interface MergeOptions {
  /** The base of relative paths. Default: the current folder. */
  readonly cwd?: string | undefined;
}

/** The result of a run whose shards were merged. */
export interface MergedRun extends SnapshotRun {
  /** What is wrong with the set of shards, such as a missing one; empty if they are complete and of one run. */
  readonly missing: string;
}

const mergeOptions = optionsOf<MergeOptions>({ cwd: filled });

/**
 * Merges the JSON reports of a run's shards, as `drydock merge-reports` does. `files` are paths and patterns of reports written by
 * `formatReport(run.report, 'json')`. Rejects with UsageError for a file that is not such a report, ARGUMENT_INVALID.
 * @example
 * const { counts, missing } = await mergeReports(['reports/*.json']);
 * process.exitCode = missing !== '' || counts.bad > 0 ? 1 : 0;
 */
export async function mergeReports(files: readonly string[], options: MergeOptions = {}): Promise<MergedRun> {
  checkArguments('mergeReports', ['files', files, listOf(filled)], ['options', options, mergeOptions]);
  const cwd = resolve(options.cwd ?? '.');
  const found = await expandPatterns(files, cwd);
  const shards = found.map((file) => readShard(file, cwd));
  const order = shards[0]?.shard?.order ?? [];
  const outcomes = shards.flatMap((one) => one.outcomes);
  const covered = shards.flatMap((one) => one.coverage ?? []);
  const isCovered = shards.some(({ coverage }) => coverage !== undefined);
  const run = runOf(joinOutcomes(outcomes, order), {
    isUpdate: shards.some(({ isUpdate }) => isUpdate),
    shard: undefined,
    coverage: isCovered ? joinCovered(covered, order) : undefined,
    leftOut: uniqueBy(shards.flatMap(({ leftOut }) => leftOut)),
    against: shards.find(({ against }) => against !== '')?.against ?? '',
  });
  return { ...run, missing: missingShards(shards) };
}

interface ShardReport extends ReadReport {
  readonly file: string;
}

function readShard(file: string, cwd: string): ShardReport {
  const text = attempt(() => readFileSync(resolve(cwd, file), 'utf8'), Error, undefined);
  if (text === undefined) throw new UsageError(`${file} cannot be read: name the reports of all shards`);
  const report = readReport(attempt((): unknown => JSON.parse(text), SyntaxError, undefined));
  if (report !== undefined) return { ...report, file };
  throw new UsageError(`${file} is not a complete report of drydock snapshot: write one with --report json=${file}`);
}

// Returns what is wrong with the set of shards; empty if they are complete and of one run.
function missingShards(shards: readonly ShardReport[]): string {
  const whole = shards.filter(({ shard }) => shard === undefined);
  if (whole.length === shards.length) return '';
  if (whole.length > 0) return `${whole[0]?.file} is the report of a whole run, and others are of shards`;
  const [first] = shards;
  const other = shards.find(({ shard }) => shard?.plan !== first?.shard?.plan || shard?.total !== first?.shard?.total);
  if (other !== undefined) {
    return `${first?.file} and ${other.file} are shards of different runs: they were not given the same inputs, cases, flags and durations`;
  }
  const total = first?.shard?.total ?? 0;
  const indexes = shards.map(({ shard }) => shard?.index ?? 0);
  const twice = shards.find(({ shard }, at) => indexes.indexOf(shard?.index ?? 0) !== at);
  if (twice !== undefined) return `shard ${twice.shard?.index} of ${total} was given twice, by ${twice.file} too`;
  const gone = Array.from({ length: total }, (_, at) => at + 1).filter((index) => !indexes.includes(index));
  if (gone.length === 0) return '';
  const subject = gone.length === 1 ? `shard ${gone[0]} of ${total} is` : `shards ${gone.join(', ')} of ${total} are`;
  return `${subject} missing: without a report, what was found there is not known`;
}

type Order = NonNullable<ReadReport['shard']>['order'];

function joinOutcomes(outcomes: readonly Outcome[], order: Order): Outcome[] {
  const bySnapshot = groupBy(outcomes, ({ snapshot }) => snapshot);
  const names = [...new Set(order.map(([snapshot]) => snapshot))];
  const at = ({ name }: Outcome): number => names.indexOf(name);
  const joined = [...bySnapshot.values()].map((parts) => {
    const [first] = parts;
    const cases = order.filter(([name]) => name === first.name).map(([, name]) => name);
    return parts.reduce((a, b) => joinTwo(a, b, cases));
  });
  return joined.sort((a, b) => at(a) - at(b));
}

function joinTwo(a: Outcome, b: Outcome, order: readonly string[]): Outcome {
  return {
    ...a,
    isFault: a.isFault || b.isFault,
    cases: [...a.cases, ...b.cases].sort((one, other) => order.indexOf(one.name) - order.indexOf(other.name)),
    files: a.files + b.files,
    manifests: a.manifests + b.manifests,
    meaning: joinMeanings([a.meaning, b.meaning]),
    written: a.written + b.written,
    removed: a.removed + b.removed,
    warnings: uniqueBy([...a.warnings, ...b.warnings]),
    sources: uniqueBy([...a.sources, ...b.sources]),
    against: joinChanges(a.against, b.against),
    random: uniqueBy([...a.random, ...b.random]),
    findings: [...a.findings, ...b.findings].sort((one, other) => order.indexOf(one.case) - order.indexOf(other.case)),
  };
}

function joinChanges(a: Outcome['against'], b: Outcome['against']): Outcome['against'] {
  if (a === undefined || b === undefined) return a ?? b;
  const faults = [a.fault, b.fault].filter((fault) => fault !== '');
  return {
    // A shard whose cases are all new, or all removed, does not represent the input.
    status: a.status === b.status ? a.status : 'both',
    fault: uniqueBy(faults).join('\n'),
    meaning: joinMeanings([a.meaning, b.meaning]),
    standing: [...a.standing, ...b.standing],
    warnings: uniqueBy([...a.warnings, ...b.warnings]),
    faults: uniqueBy([...a.faults, ...b.faults]),
  };
}

function joinCovered(all: readonly PlacedCoverage[], order: Order): PlacedCoverage[] {
  const names = order.map(([, name]) => name);
  const byFolder = groupBy(all, ({ folder }) => folder);
  const sorted = [...byFolder].map(([folder, parts]) => {
    const coverage = parts.map((one) => one.coverage).reduce(joinCoverage);
    const cases = [...coverage.cases].sort((a, b) => names.indexOf(a.name) - names.indexOf(b.name));
    return { folder, coverage: { ...coverage, cases } };
  });
  return sorted.sort((a, b) => (a.folder < b.folder ? -1 : 1));
}
