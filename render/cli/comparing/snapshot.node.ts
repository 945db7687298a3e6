// `drydock snapshot`: renders Orders and charts and compares them with recorded files in the repository, for CI.

import { didYouMean } from '../../core/suggest.ts';
import { orderOutputs } from '../../inputs/settings.ts';
import { formatReport } from '../../report/format.ts';
import { compareSnapshots, type SnapshotRun } from '../../snapshot/run.node.ts';
import { printOutcomes } from '../../snapshot/text.ts';
import { type ParsedFlags, UsageError } from '../flags.ts';
import { type Progress, progressOf } from '../output.ts';
import type { CommandContext } from '../program.ts';
import { requestedCoverage } from '../rendering/coverage.node.ts';
import { configureBase } from './base.node.ts';
import { comparisonOptions, textOptions } from './options.node.ts';
import { requestedReports } from './reports.node.ts';
import { shardOf } from './shard.ts';

/** Compares Orders and charts with their snapshots. Returns 0 if all are as recorded, 1 otherwise. Throws UsageError. */
export async function snapshotCommand(flags: ParsedFlags, io: CommandContext): Promise<number> {
  checkOutputs(flags);
  if (flags.on('watch')) return (await import('./watch.node.ts')).watchCommand(flags, io);
  const reports = requestedReports(flags, io);
  const coverage = requestedCoverage(flags, io);
  const shard = shardOf(flags.text('shard'), io.env);
  let progress: Progress | undefined;
  const stderr = (text: string): void => {
    progress?.clear();
    io.stderr(text);
  };
  const run = await compareSnapshots(flags.args, {
    ...comparisonOptions(flags, { ...io, stderr }),
    update: flags.on('update'),
    random: flags.on('update') || flags.on('json') || flags.list('report').length > 0,
    shard,
    coverage: coverage.isOn,
    bail: flags.on('bail'),
    against: flags.text('against'),
    configureBase: (folder) => configureBase(folder, flags, io),
    onInput: (input, total) => {
      progress ??= progressOf(io, total);
      progress.show(input);
    },
    onOutcome: () => progress?.clear(),
  });
  progress?.clear();
  const isSilent = flags.on('json') || reports.takesOutput;
  if (flags.on('json')) io.stdout(formatReport(run.report, 'json'));
  reports.write(run.report);
  for (const rule of run.unusedRules) io.stderr(`Warning: --ignore ${JSON.stringify(rule)} matches nothing\n`);
  if (!isSilent) {
    printOutcomes(run.outcomes, textOptions(flags, run.against), io);
    printEnd(run, io);
  }
  if (run.leftOut !== '') io.stderr(`${run.leftOut}\n`);
  for (const path of run.orphans) {
    io.stderr(`Note: no input of this run has the snapshot ${path}; remove it if it is obsolete\n`);
  }
  // A subset of inputs does not show the total coverage.
  const isShort = coverage.report(run.coverage, isSilent ? io.stderr : io.stdout, shard !== undefined);
  return isShort || run.counts.bad > 0 ? 1 : 0;
}

function printEnd({ counts, stale }: SnapshotRun, io: CommandContext): void {
  if (counts.all === 0 && !io.quiet) io.stdout('nothing to render\n');
  if (counts.all > 1) printCounts(counts, io);
  if (stale !== '') io.stderr(`${stale}\n`);
}

function printCounts({ all, failing, invalid }: SnapshotRun['counts'], io: CommandContext): void {
  const counts = [
    ...(failing > 0 ? [`${failing} of ${all} inputs do not render`] : []),
    ...(invalid > 0 ? [`${invalid} of ${all} inputs have invalid objects`] : []),
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
