// Coverage output of `drydock coverage` and `drydock snapshot --coverage`: reports, limits, exit codes.

import { writeFileSync } from 'node:fs';
import { dirname, extname, resolve } from 'node:path';
import type { CoverageFormat } from '../../api/coverage.ts';
import { makeFolder } from '../../core/make-folder.node.ts';
import { coverageCobertura, coverageJson, coverageLcov, type PlacedCoverage } from '../../coverage/formats.ts';
import { coverageHtml } from '../../coverage/html.ts';
import { percentOf, type Share } from '../../coverage/measure.ts';
import { coverageTable, coverageText, percentText } from '../../coverage/text.ts';
import { type ParsedFlags, UsageError } from '../flags.ts';
import type { CommandContext } from '../io.ts';

/** The minimum coverage, in percent. */
export interface CoverageLimits {
  readonly actions: number;
  readonly branches: number;
}

/** Parses --min and --min-branches. Throws UsageError. */
export function limitsOf(flags: ParsedFlags): CoverageLimits {
  const read = (name: string): number => {
    const percent = Number(flags.text(name) ?? 0);
    if (percent >= 0 && percent <= 100) return percent;
    throw new UsageError(`--${name} takes a number from 0 to 100`);
  };
  return { actions: read('min'), branches: read('min-branches') };
}

/** Formats a report. As text, many charts are one table if `isShort`. */
export function formatCoverageReport(
  charts: readonly PlacedCoverage[],
  format: CoverageFormat,
  isShort = false,
): string {
  switch (format) {
    case 'lcov':
      return coverageLcov(charts);
    case 'cobertura':
      return coverageCobertura(charts, new Date());
    case 'json':
      return coverageJson(charts);
    case 'html':
      return coverageHtml(charts);
    case 'text':
      if (isShort && charts.length > 1) return coverageTable(charts);
      return charts.map(({ coverage, folder }) => coverageText(coverage, folder)).join('\n');
  }
}

const endings: Readonly<Record<string, CoverageFormat>> = {
  '.html': 'html',
  '.info': 'lcov',
  '.json': 'json',
  '.lcov': 'lcov',
  '.txt': 'text',
  '.xml': 'cobertura',
};

/** Returns the format for the name of a file. Throws UsageError for another extension. */
export function formatOfFile(file: string): CoverageFormat {
  const format = endings[extname(file).toLowerCase()];
  if (format !== undefined) return format;
  throw new UsageError(`--coverage-report takes a file that ends in ${Object.keys(endings).join(', ')}, not "${file}"`);
}

/** Returns a line for each limit that a chart misses. */
export function shortfalls({ coverage }: PlacedCoverage, limits: CoverageLimits): readonly string[] {
  const { actions, branches } = coverage.totals;
  const short = (what: string, share: Share, limit: number): string[] =>
    percentOf(share) >= limit ? [] : [`${coverage.chart}: ${percentText(share)} of ${what} ran, less than ${limit} %`];
  return [...short('actions', actions, limits.actions), ...short('branches', branches, limits.branches)];
}

/** Formats the totals of a chart on one line. */
export function summaryLine({ coverage }: PlacedCoverage): string {
  const { actions, branches } = coverage.totals;
  return `${coverage.chart}: ${percentText(actions)} of actions and ${percentText(branches)} of branches ran\n`;
}

/** The coverage that a run of `snapshot` or `merge-reports` reports. */
export interface RequestedCoverage {
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
      if (!io.quiet) print(covered.length > 1 ? coverageTable(covered) : covered.map(summaryLine).join(''));
      if (isPart) return false;
      const short = covered.flatMap((item) => shortfalls(item, limits));
      for (const message of short) io.stderr(`Error: ${message}\n`);
      return short.length > 0;
    },
  };
}
