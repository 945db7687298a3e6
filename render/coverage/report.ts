// The coverage of charts as one report, and what it lacks.

import { coverageCobertura, coverageJson, coverageLcov, type PlacedCoverage } from './formats.ts';
import { coverageHtml } from './html.ts';
import { percentOf, type Share } from './measure.ts';
import { coverageTable, coverageText, percentText } from './text.ts';

/** An output format of coverage. */
export type CoverageFormat = 'text' | 'lcov' | 'cobertura' | 'json' | 'html';

/** Formats a report; the time is that of a Cobertura report. As text, many charts are one table if `isShort`. */
export function formatCoverageReport(
  charts: readonly PlacedCoverage[],
  format: CoverageFormat,
  { time = new Date(), isShort = false }: { readonly time?: Date; readonly isShort?: boolean } = {},
): string {
  switch (format) {
    case 'lcov':
      return coverageLcov(charts);
    case 'cobertura':
      return coverageCobertura(charts, time);
    case 'json':
      return coverageJson(charts);
    case 'html':
      return coverageHtml(charts);
    case 'text':
      if (isShort && charts.length > 1) return coverageTable(charts);
      return charts.map(({ coverage, folder }) => coverageText(coverage, folder)).join('\n');
  }
}

export interface CoverageLimits {
  readonly actions: number;
  readonly branches: number;
}

/** Returns a line for each limit that a chart misses. */
export function shortfalls({ coverage }: PlacedCoverage, limits: CoverageLimits): readonly string[] {
  const { actions, branches } = coverage.totals;
  const short = (what: string, share: Share, limit: number): string[] =>
    percentOf(share) >= limit ? [] : [`${coverage.chart}: ${percentText(share)} of ${what} ran, less than ${limit} %`];
  return [...short('actions', actions, limits.actions), ...short('branches', branches, limits.branches)];
}

function summaryLine({ coverage }: PlacedCoverage): string {
  const { actions, branches } = coverage.totals;
  return `${coverage.chart}: ${percentText(actions)} of actions and ${percentText(branches)} of branches ran\n`;
}

/** Formats the totals of charts: a line for one, a table for several. */
export function coverageSummary(charts: readonly PlacedCoverage[]): string {
  return charts.length > 1 ? coverageTable(charts) : charts.map(summaryLine).join('');
}
