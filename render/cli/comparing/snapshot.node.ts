// `drydock snapshot`: renders Orders and charts and compares them with recorded files in the repository, for CI.

import { join, resolve } from 'node:path';
import { ownVersion } from '../../core/own-files.node.ts';
import { didYouMean } from '../../core/suggest.ts';
import { formatIgnoreRule, type IgnoreRule } from '../../diff/noise.ts';
import { formatReport } from '../../report/format.ts';
import { leftOutText } from '../../report/issues.ts';
import { checkOutBase } from '../../snapshot/base.node.ts';
import type { ComparisonSettings } from '../../snapshot/compare-rendering.node.ts';
import { createCoverage, noCoverage } from '../../snapshot/coverage.node.ts';
import type { BaseRevision } from '../../snapshot/input.node.ts';
import { checkMatrix } from '../../snapshot/matrix.node.ts';
import { orderOutputs } from '../../snapshot/order-files.ts';
import { hasErrors, hasFault, isBad, type Outcome } from '../../snapshot/outcome.ts';
import { orphans, planRun } from '../../snapshot/plan.node.ts';
import { runJobs } from '../../snapshot/pool.node.ts';
import { snapshotReport } from '../../snapshot/report.ts';
import { printOutcomes, staleText } from '../../snapshot/text.ts';
import { type ParsedFlags, UsageError } from '../flags.ts';
import { progressOf } from '../output.ts';
import type { CommandContext } from '../program.ts';
import { requestedCoverage } from '../rendering/coverage.node.ts';
import { renderSettings } from '../settings.ts';
import { configureBase } from './base.node.ts';
import { cacheOf, comparisonOf, selectionOf, textOptions, threadsOf } from './options.node.ts';
import { type RequestedReports, requestedReports } from './reports.node.ts';

/** Compares Orders and charts with their snapshots. Returns 0 if all are as recorded, 1 otherwise. Throws UsageError. */
export async function snapshotCommand(flags: ParsedFlags, io: CommandContext): Promise<number> {
  checkOutputs(flags);
  checkMatrix(renderSettings(flags), io.cwd);
  if (flags.on('watch')) return (await import('./watch.node.ts')).watchSnapshots(flags, io);
  const comparison = comparisonOf(flags);
  const reports = requestedReports(flags, io);
  const against = await checkOutBase(flags.text('against'), io, (cwd, files) =>
    configureBase(cwd, files, { flags, io }),
  );
  try {
    return await compareAll(flags, io, { comparison, reports, base: against?.base });
  } finally {
    against?.remove();
  }
}

interface SnapshotRun {
  readonly comparison: ComparisonSettings;
  readonly reports: RequestedReports;
  readonly base: BaseRevision | undefined;
}

async function compareAll(
  flags: ParsedFlags,
  io: CommandContext,
  { comparison, reports, base }: SnapshotRun,
): Promise<number> {
  const settings = renderSettings(flags);
  const { isUpdate, rules } = comparison;
  const requested = requestedCoverage(flags, io);
  const coverage = requested.isOn ? createCoverage(io.cwd) : noCoverage;
  const selection = { ...selectionOf(flags, io), base };
  const { jobs, names, isWhole, shard } = await planRun(selection, { settings, comparison, io });
  const isSilent = flags.on('json') || reports.takesOutput;
  const progress = progressOf(io, jobs.length);
  const stderr = (text: string): void => {
    progress.clear();
    io.stderr(text);
  };
  const outcomes: Outcome[] = [];
  // Returns whether to continue.
  const take = (outcome: Outcome): boolean => {
    progress.clear();
    outcomes.push(outcome);
    return !(flags.on('bail') && isBad(outcome, isUpdate));
  };
  await runJobs(
    jobs,
    { settings, comparison, io: { ...io, stderr }, coverage, cache: cacheOf(flags, io), base },
    { threads: threadsOf(flags), take, onInput: progress.show },
  );
  progress.clear();
  const leftOut = jobs.slice(outcomes.length).map(({ input }) => input);
  const against = base?.name ?? '';
  const facts = {
    version: ownVersion(),
    time: new Date(),
    isUpdate,
    shard,
    coverage: coverage.data(),
    leftOut,
    against,
  };
  const report = snapshotReport(outcomes, facts);
  if (flags.on('json')) io.stdout(formatReport(report, 'json'));
  reports.write(report);
  // Skipped inputs might use them.
  if (leftOut.length === 0) printUnused(outcomes, rules, flags, io);
  if (!isSilent) printOutcomes(outcomes, textOptions(flags, against), io);
  if (!isSilent) printEnd(outcomes, jobs.length, flags, io);
  if (leftOut.length > 0) io.stderr(`${leftOutText(report)}\n`);
  if (isWhole) printOrphans(names, comparison.snapshots, io);
  // A subset of inputs does not show the total coverage.
  const isShort = requested.report(coverage.data(), isSilent ? io.stderr : io.stdout, shard !== undefined);
  return isShort || outcomes.some((outcome) => isBad(outcome, isUpdate)) ? 1 : 0;
}

function printUnused(
  outcomes: readonly Outcome[],
  rules: readonly IgnoreRule[],
  flags: ParsedFlags,
  io: CommandContext,
): void {
  // A subset of inputs does not show what others use.
  if (flags.on('update') || flags.has('shard') || flags.has('changed') || flags.has('filter')) return;
  for (const rule of rules) {
    const text = formatIgnoreRule(rule);
    const isUnused = outcomes.every(({ meaning }) => meaning.unusedRules.some((one) => formatIgnoreRule(one) === text));
    if (isUnused) io.stderr(`Warning: --ignore ${JSON.stringify(text)} matches nothing\n`);
  }
}

function printEnd(outcomes: readonly Outcome[], jobs: number, flags: ParsedFlags, io: CommandContext): void {
  const isUpdate = flags.on('update');
  const old = isUpdate ? [] : outcomes.filter(({ isOld }) => isOld);
  if (old.length > 0) {
    const which = old.map(({ snapshot }) => snapshot).join(', ');
    io.stderr(
      `Note: recorded by an older drydock, before CRDs were part of a snapshot; --update renews it: ${which}\n`,
    );
  }
  if (jobs === 0 && !io.quiet) io.stdout('nothing to render\n');
  if (jobs > 1) printCounts(outcomes, jobs, io);
  const stale = staleText(outcomes, isUpdate);
  if (stale !== '') io.stderr(`${stale}\n`);
}

function printCounts(outcomes: readonly Outcome[], jobs: number, io: CommandContext): void {
  const failing = outcomes.filter(hasFault).length;
  const faulty = outcomes.filter(hasErrors).length;
  const counts = [
    ...(failing > 0 ? [`${failing} of ${jobs} inputs do not render`] : []),
    ...(faulty > 0 ? [`${faulty} of ${jobs} inputs have invalid objects`] : []),
  ];
  if (counts.length > 0) io.stderr(`${counts.join(', ')}.\n`);
}

function checkOutputs(flags: ParsedFlags): void {
  for (const output of flags.list('output')) {
    if (!(orderOutputs as readonly string[]).includes(output)) {
      throw new UsageError(
        `--output takes ${orderOutputs.join(', ')}, not "${output}"${didYouMean(output, orderOutputs)}`,
      );
    }
  }
}

// Recorded snapshots without an input. Such folders are reported but not removed.
function printOrphans(names: readonly string[], folder: string, io: CommandContext): void {
  for (const name of orphans(resolve(io.cwd, folder), names)) {
    io.stderr(`Note: no input of this run has the snapshot ${join(folder, name)}; remove it if it is obsolete\n`);
  }
}
