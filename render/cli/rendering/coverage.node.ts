// `drydock coverage`: the executed actions and branches of a chart's templates over all of its cases.

import { coverChart } from '../../api/coverage.ts';
import { loadChartPath } from '../../chart/directory.node.ts';
import { seededHost } from '../../core/host.ts';
import type { PlacedCoverage } from '../../coverage/formats.ts';
import { type CoverageFormat, formatCoverageReport } from '../../coverage/report.ts';
import { chooseVersions, skippedNote } from '../../engine/kube-versions.ts';
import { helmOf } from '../../helm/versions.ts';
import { readCases } from '../../inputs/case-options.node.ts';
import { settingsForChart } from '../../inputs/chart-settings.node.ts';
import { folderPrefix, locateChart } from '../../inputs/files.node.ts';
import { expandPatterns } from '../../inputs/patterns.node.ts';
import { helmVersionOf } from '../../inputs/settings.ts';
import { type ParsedFlags, UsageError } from '../flags.ts';
import type { CommandContext } from '../io.ts';
import { progressOf } from '../progress.ts';
import { renderSettings } from '../settings.ts';
import { limitsOf, printShortfalls } from './coverage-report.node.ts';

/** Prints the coverage of charts. Returns 1 if a case fails or the coverage is too low, else 0. Throws UsageError, RenderError. */
export async function coverageCommand(flags: ParsedFlags, io: CommandContext): Promise<number> {
  const charts = await expandPatterns(flags.args, io.cwd);
  if (charts.length === 0) throw new UsageError('"drydock coverage" takes chart folders or .tgz archives');
  const format = formatOf(flags);
  const limits = limitsOf(flags);
  const progress = progressOf(io, charts.length);
  const covered: PlacedCoverage[] = [];
  for (const chart of charts) {
    progress.show(chart);
    covered.push(await cover(chart, flags, io));
    progress.clear();
  }
  io.stdout(formatCoverageReport(covered, format, { isShort: !flags.on('verbose') }));
  const failed = printFailures(covered, io);
  const isShort = printShortfalls(covered, limits, io);
  return failed || isShort ? 1 : 0;
}

function formatOf(flags: ParsedFlags): CoverageFormat {
  const format = flags.text('format');
  if (flags.on('json') && format !== undefined && format !== 'json') {
    throw new UsageError(`--json cannot be used with --format ${format}`);
  }
  return flags.on('json') ? 'json' : ((format ?? 'text') as CoverageFormat);
}

async function cover(word: string, flags: ParsedFlags, io: CommandContext): Promise<PlacedCoverage> {
  const path = locateChart(word, io.cwd);
  const settings = settingsForChart(renderSettings(flags), path, io.cwd);
  const chart = await loadChartPath(path, { helm: helmVersionOf(settings), onWarning: () => {} });
  const { kubeVersion: range } = chart.metadata;
  const flagged = settings.kubeVersions;
  const { accepted, refused } = chooseVersions([range], flagged, helmOf(helmVersionOf(settings)));
  if (accepted.length > 0 && refused.length > 0) io.stderr(`Note: ${word}: ${skippedNote(range, refused)}\n`);
  const versions = accepted.length > 0 ? accepted : flagged;
  const upgrades = flags.on('upgrade') ? [false, true] : [false];
  const targets = versions.flatMap((kubeVersion = '') =>
    upgrades.map((isUpgrade) => ({
      kubeVersion,
      apiVersions: settings.apiVersions,
      isUpgrade,
      suffix: [flagged.length === 0 ? '' : kubeVersion, isUpgrade ? 'upgrade' : '']
        .filter((word) => word !== '')
        .join(' '),
    })),
  );
  const found = await readCases(path, settings, targets, io);
  const cases = found.map((one) => ({ ...one, set: settings.set, subchartNotes: true, host: seededHost() }));
  const coverage = coverChart(chart, { cases, subcharts: flags.on('subcharts') });
  return { coverage, folder: folderPrefix(path, io.cwd) };
}

function printFailures(charts: readonly PlacedCoverage[], io: CommandContext): boolean {
  let failed = false;
  for (const { coverage } of charts) {
    for (const { name, failure } of coverage.cases) {
      if (failure === undefined) continue;
      failed = true;
      const hint = failure.hint === undefined ? '' : `\n${failure.hint}`;
      io.stderr(`Error: ${coverage.chart}, case ${name}: ${failure.message}${hint}\n`);
    }
  }
  return failed;
}
