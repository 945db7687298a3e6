// The coverage of charts as one report, and what it lacks.

import { checkArguments, flag, having, kind, listOf, membersOf, oneOf, optionsOf, text } from '../core/arguments.ts';
import { coverageCobertura, coverageJson, coverageLcov, type PlacedCoverage } from './formats.ts';
import { coverageHtml } from './html.ts';
import { type Coverage, type CoverageTotals, percentOf, type Share } from './measure.ts';
import { coverageTable, coverageText, percentText } from './text.ts';

/** An output format of coverage. */
export type CoverageFormat = 'text' | 'lcov' | 'cobertura' | 'json' | 'html';

/** Options of `formatCoverageReport`. */
export interface CoverageReportOptions {
  /** The time in a Cobertura report. Default: now. */
  readonly time?: Date | undefined;
  /** Whether many charts are one table with their totals, as text. Default false. */
  readonly isShort?: boolean | undefined;
}

const coverageFormats = ['text', 'lcov', 'cobertura', 'json', 'html'] as const satisfies readonly CoverageFormat[];
const share = having<Share>('a share', { covered: kind('a number', isNumber), total: kind('a number', isNumber) });
const placed = membersOf<PlacedCoverage>(
  {
    coverage: having<Coverage>('coverage, as returned by coverChart', {
      chart: text,
      totals: having<CoverageTotals>('totals', { actions: share, branches: share }),
      cases: listOf(having('a case', { name: text })),
      files: listOf(having('a file', { path: text, source: text })),
    }),
    folder: text,
  },
  ['coverage', 'folder'],
);
const charts = listOf(placed);
const reportOptions = optionsOf<CoverageReportOptions>({ time: kind('a Date', isDate), isShort: flag });
const percent = kind('a number from 0 to 100', (value) => isNumber(value) && value >= 0 && value <= 100);

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function isDate(value: unknown): boolean {
  return value instanceof Date && isNumber(value.getTime());
}

/**
 * Formats the coverage of several charts, such as that of a `SnapshotRun`, as one report. Throws ARGUMENT_INVALID.
 * @example
 * writeFileSync('coverage.lcov', formatCoverageReport(run.coverage ?? [], 'lcov'));
 */
export function formatCoverageReport(
  covered: readonly PlacedCoverage[],
  format: CoverageFormat,
  options: CoverageReportOptions = {},
): string {
  checkArguments(
    'formatCoverageReport',
    ['covered', covered, charts],
    ['format', format, oneOf(coverageFormats)],
    ['options', options, reportOptions],
  );
  const { time = new Date(), isShort = false } = options;
  switch (format) {
    case 'lcov':
      return coverageLcov(covered);
    case 'cobertura':
      return coverageCobertura(covered, time);
    case 'json':
      return coverageJson(covered);
    case 'html':
      return coverageHtml(covered);
    case 'text':
      if (isShort && covered.length > 1) return coverageTable(covered);
      return covered.map(({ coverage, folder }) => coverageText(coverage, folder)).join('\n');
  }
}

/** The least coverage of each chart, in percent from 0 to 100. */
export interface CoverageLimits {
  readonly actions: number;
  readonly branches: number;
}

const limitsArgument = membersOf<CoverageLimits>({ actions: percent, branches: percent }, ['actions', 'branches']);

/**
 * Returns a sentence for each limit that the coverage of a chart is below. Throws ARGUMENT_INVALID.
 * @example
 * const missed = (run.coverage ?? []).flatMap((chart) => listShortfalls(chart, { actions: 90, branches: 80 }));
 */
export function listShortfalls(chart: PlacedCoverage, limits: CoverageLimits): readonly string[] {
  checkArguments('listShortfalls', ['chart', chart, placed], ['limits', limits, limitsArgument]);
  const { coverage } = chart;
  const { actions, branches } = coverage.totals;
  const short = (what: string, share: Share, limit: number): string[] =>
    percentOf(share) >= limit ? [] : [`${coverage.chart}: ${percentText(share)} of ${what} ran, less than ${limit} %`];
  return [...short('actions', actions, limits.actions), ...short('branches', branches, limits.branches)];
}

function summaryLine({ coverage }: PlacedCoverage): string {
  const { actions, branches } = coverage.totals;
  return `${coverage.chart}: ${percentText(actions)} of actions and ${percentText(branches)} of branches ran\n`;
}

/**
 * Formats the totals of charts: a line for one, a table for several. Throws ARGUMENT_INVALID.
 * @example
 * console.log(formatCoverageTotals(run.coverage ?? []));
 */
export function formatCoverageTotals(covered: readonly PlacedCoverage[]): string {
  checkArguments('formatCoverageTotals', ['covered', covered, charts]);
  return covered.length > 1 ? coverageTable(covered) : covered.map(summaryLine).join('');
}
