// `drydock coverage`: the executed actions and branches of a chart's templates over all of its cases; and the coverage output of `drydock snapshot --coverage`.

import { writeFileSync } from 'node:fs';
import { dirname, extname, resolve } from 'node:path';
import { makeFolder } from '../../core/make-folder.node.ts';
import { expandPatterns } from '../../core/paths.node.ts';
import type { PlacedCoverage } from '../../coverage/formats.ts';
import {
  type CoverageFormat,
  type CoverageLimits,
  formatCoverageReport,
  formatCoverageTotals,
  listShortfalls,
} from '../../coverage/report.ts';
import { coverChartPath } from '../../inputs/coverage.node.ts';
import { type ParsedFlags, UsageError } from '../flags.ts';
import { progressOf } from '../output.ts';
import type { CommandContext } from '../program.ts';
import { formatOf, renderSettings, surroundings } from '../settings.ts';

/** Parses --min and --min-branches. Throws UsageError. */
function limitsOf(flags: ParsedFlags): CoverageLimits {
  const read = (name: string): number => {
    const percent = Number(flags.text(name) ?? 0);
    if (percent >= 0 && percent <= 100) return percent;
    throw new UsageError(`--${name} takes a number from 0 to 100`);
  };
  return { actions: read('min'), branches: read('min-branches') };
}

/** Prints the limits that charts miss. Returns whether there are any. */
function printShortfalls(
  covered: readonly PlacedCoverage[],
  limits: CoverageLimits,
  { stderr }: Pick<CommandContext, 'stderr'>,
): boolean {
  const short = covered.flatMap((item) => listShortfalls(item, limits));
  for (const message of short) stderr(`Error: ${message}\n`);
  return short.length > 0;
}

const endings: Readonly<Record<string, CoverageFormat>> = {
  '.html': 'html',
  '.info': 'lcov',
  '.json': 'json',
  '.lcov': 'lcov',
  '.txt': 'text',
  '.xml': 'cobertura',
};

// Throws UsageError for another extension.
function formatOfFile(file: string): CoverageFormat {
  const format = endings[extname(file).toLowerCase()];
  if (format !== undefined) return format;
  throw new UsageError(`--coverage-report takes a file that ends in ${Object.keys(endings).join(', ')}, not "${file}"`);
}

/** The coverage that a run of `snapshot` or `merge-reports` reports. */
interface RequestedCoverage {
  /** Whether any flag requests it. */
  readonly isOn: boolean;
  /** Writes the reports, and prints the totals and what is missing. Returns whether coverage is below its limits. */
  readonly report: (
    covered: readonly PlacedCoverage[] | undefined,
    print: (text: string) => void,
    isPart?: boolean,
  ) => boolean;
}

/** Reads the flags for coverage. Throws UsageError for an invalid limit or report. */
export function requestedCoverage(flags: ParsedFlags, io: CommandContext): RequestedCoverage {
  const limits = limitsOf(flags);
  const reports = flags.list('coverage-report').map((file) => [file, formatOfFile(file)] as const);
  return {
    isOn: flags.on('coverage') || ['coverage-report', 'min', 'min-branches'].some((name) => flags.has(name)),
    report: (covered, print, isPart = false) => {
      if (covered === undefined) return false;
      for (const [file, format] of reports) {
        const target = resolve(io.cwd, file);
        makeFolder(dirname(target));
        writeFileSync(target, formatCoverageReport(covered, format));
      }
      if (!io.quiet) print(formatCoverageTotals(covered));
      return !isPart && printShortfalls(covered, limits, io);
    },
  };
}

/** Prints the coverage of charts. Returns 1 if a case fails or the coverage is too low, else 0. Throws UsageError, RenderError. */
export async function coverageCommand(flags: ParsedFlags, io: CommandContext): Promise<number> {
  const charts = await expandPatterns(flags.args, io.cwd);
  if (charts.length === 0) throw new UsageError('"drydock coverage" takes chart folders or .tgz archives');
  const format = formatOf<CoverageFormat>(flags);
  const limits = limitsOf(flags);
  const options = {
    ...surroundings(io),
    settings: renderSettings(flags),
    subcharts: flags.on('subcharts'),
    upgrade: flags.on('upgrade'),
  };
  const progress = progressOf(io, charts.length);
  const covered: PlacedCoverage[] = [];
  for (const chart of charts) {
    progress.show(chart);
    covered.push(await coverChartPath(chart, options));
    progress.clear();
  }
  io.stdout(formatCoverageReport(covered, format, { isShort: !flags.on('verbose') }));
  const failed = printFailures(covered, io);
  const isShort = printShortfalls(covered, limits, io);
  return failed || isShort ? 1 : 0;
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
