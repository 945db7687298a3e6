// `drydock merge-reports`: merges the reports of a run's shards, and fails if a shard is missing.

import { writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { makeFolder } from '../../core/make-folder.node.ts';
import { formatReport } from '../../report/format.ts';
import { mergeReports } from '../../snapshot/merge.node.ts';
import type { Outcome } from '../../snapshot/outcome.ts';
import { printOutcomes } from '../../snapshot/text.ts';
import { type ParsedFlags, UsageError } from '../flags.ts';
import type { CommandContext } from '../program.ts';
import { requestedCoverage } from '../rendering/coverage.node.ts';
import { textOptions } from './options.node.ts';
import { requestedReports } from './reports.node.ts';

/** Merges reports. Returns 0 if everything is as recorded, and 1 otherwise, also if a shard is missing. Throws UsageError. */
export async function mergeReportsCommand(flags: ParsedFlags, io: CommandContext): Promise<number> {
  if (flags.args.length === 0) {
    throw new UsageError(
      '"drydock merge-reports" takes the reports of shards, each written by drydock snapshot --report json=FILE',
    );
  }
  const reports = requestedReports(flags, io);
  const run = await mergeReports(flags.args, { cwd: io.cwd });
  const { outcomes, report, against, isUpdate, missing } = run;
  const isSilent = flags.on('json') || reports.takesOutput;
  if (flags.on('json')) io.stdout(formatReport(report, 'json'));
  reports.write(report);
  if (!isSilent) printOutcomes(outcomes, { ...textOptions(flags, against), update: isUpdate }, io);
  if (!isSilent && run.stale !== '') io.stderr(`${run.stale}\n`);
  const durations = flags.text('durations');
  if (durations !== undefined && missing === '') writeDurations(resolve(io.cwd, durations), outcomes);
  const isShort = requestedCoverage(flags, io).report(run.coverage, isSilent ? io.stderr : io.stdout);
  if (run.leftOut !== '') io.stderr(`${run.leftOut}\n`);
  if (missing !== '') io.stderr(`Error: ${missing}\n`);
  return missing !== '' || isShort || run.counts.bad > 0 ? 1 : 0;
}

// By snapshot and case, as a later run looks them up.
function writeDurations(file: string, outcomes: readonly Outcome[]): void {
  const entries = outcomes.flatMap(({ cases, name }) => {
    return cases.map((one) => [`${name}/${one.name}`, Math.max(1, Math.round(one.milliseconds))] as const);
  });
  makeFolder(dirname(file));
  const sorted = entries.sort(([a], [b]) => (a < b ? -1 : 1));
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
}
