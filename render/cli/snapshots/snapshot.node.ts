// `drydock snapshot`: renders Orders and charts and compares them with recorded files in the repository, for CI.

import { join, resolve } from 'node:path';
import { didYouMean } from '../../core/suggest.ts';
import { orderOutputs } from '../../snapshot/order-files.ts';
import { type BaseRevision, checkOutBase } from '../diffing/base.node.ts';
import { readRule, ruleText } from '../diffing/sides.node.ts';
import { type ParsedFlags, UsageError } from '../flags.ts';
import type { CommandContext } from '../io.ts';
import { ownVersion } from '../own-files.node.ts';
import { progressOf } from '../progress.ts';
import { type RequestedReports, requestedReports } from '../reporting/out.node.ts';
import { leftOutText } from '../reporting/outcomes.ts';
import { formatReport } from '../reporting/report.ts';
import { SnapshotCoverage } from './coverage.node.ts';
import { orphans } from './inputs.node.ts';
import { checkMatrix } from './matrix.node.ts';
import { hasErrors, hasFault, isBad, type Outcome } from './outcome.ts';
import { planRun } from './plan.node.ts';
import { runJobs } from './pool.node.ts';
import { snapshotReport } from './report.ts';
import { openRunCache } from './run-cache.node.ts';
import { printOutcomes, staleText, textOptions } from './text.ts';

type Rules = ReturnType<typeof readRule>[];

/** Compares Orders and charts with their snapshots. Returns 0 if all are as recorded, 1 otherwise. Throws UsageError. */
export async function snapshotCommand(flags: ParsedFlags, io: CommandContext): Promise<number> {
  checkOutputs(flags);
  checkMatrix(flags, io.cwd);
  if (flags.on('watch')) return (await import('./watch.node.ts')).watchSnapshots(flags, io);
  const rules = flags.list('ignore').map(readRule);
  const reports = requestedReports(flags, io);
  const against = await checkOutBase(flags, io);
  try {
    return await compareAll(flags, io, { rules, reports, base: against?.base });
  } finally {
    against?.remove();
  }
}

interface SnapshotRun {
  readonly rules: Rules;
  readonly reports: RequestedReports;
  readonly base: BaseRevision | undefined;
}

async function compareAll(
  flags: ParsedFlags,
  io: CommandContext,
  { rules, reports, base }: SnapshotRun,
): Promise<number> {
  const coverage = new SnapshotCoverage(flags, io);
  const { jobs, names, isWhole, shard } = await planRun(flags, io, base);
  const isSilent = flags.on('json') || reports.takesOutput;
  const progress = progressOf(io, jobs.length);
  const stderr = (text: string): void => {
    progress.clear();
    io.stderr(text);
  };
  const outcomes: Outcome[] = [];
  const streams = { ...io, stderr };
  // Returns whether to continue.
  const take = (outcome: Outcome): boolean => {
    progress.clear();
    outcomes.push(outcome);
    return !(flags.on('bail') && isBad(outcome, flags.on('update')));
  };
  await runJobs(
    jobs,
    { flags, io: streams, coverage, rules, cache: openRunCache(flags, io), base },
    { take, onInput: progress.show },
  );
  progress.clear();
  const isUpdate = flags.on('update');
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
  if (isWhole && !io.quiet) printOrphans(names, flags, io);
  // A subset of inputs does not show the total coverage.
  const isShort = coverage.report(isSilent ? io.stderr : io.stdout, shard !== undefined);
  return isShort || outcomes.some((outcome) => isBad(outcome, isUpdate)) ? 1 : 0;
}

function printUnused(outcomes: readonly Outcome[], rules: Rules, flags: ParsedFlags, io: CommandContext): void {
  // A subset of inputs does not show what others use.
  if (flags.on('update') || flags.has('shard') || flags.has('changed') || flags.has('filter')) return;
  for (const rule of rules) {
    const text = ruleText(rule);
    const isUnused = outcomes.every(({ meaning }) => meaning.unusedRules.some((one) => ruleText(one) === text));
    if (isUnused) io.stderr(`${io.err.yellow('Warning:')} --ignore ${JSON.stringify(text)} fits nothing\n`);
  }
}

function printEnd(outcomes: readonly Outcome[], jobs: number, flags: ParsedFlags, io: CommandContext): void {
  const isUpdate = flags.on('update');
  const old = isUpdate ? [] : outcomes.filter(({ isOld }) => isOld);
  if (old.length > 0 && !io.quiet) {
    const which = old.map(({ snapshot }) => snapshot).join(', ');
    io.stderr(
      `${io.err.yellow('Note:')} recorded by an older drydock, before CRDs were part of a snapshot; --update renews it: ${which}\n`,
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
    ...(faulty > 0 ? [`${faulty} of ${jobs} inputs have objects at fault`] : []),
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
function printOrphans(names: readonly string[], flags: ParsedFlags, io: CommandContext): void {
  const folder = flags.text('snapshots') || 'snapshots';
  for (const name of orphans(resolve(io.cwd, folder), names)) {
    io.stderr(
      `${io.err.yellow('Note:')} ${join(folder, name)} belongs to no input of this run; remove it if nothing makes it any more\n`,
    );
  }
}
