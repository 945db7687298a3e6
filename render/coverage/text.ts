// Coverage for people: a table of the files, and under each what never ran.

import {
  type Coverage,
  type CoverageTotals,
  type FileCoverage,
  percentOf,
  type Share,
  type SubchartDefaults,
  totalsOf,
} from './measure.ts';
import type { BranchCoverage } from './sites.ts';

/** Gives coverage as a table, with what never ran under each file, as lines of the file. */
export function coverageText(coverage: Coverage, folder: string): string {
  const { chart, cases, files, totals } = coverage;
  const rows = files.map((file) => [`${folder}${file.path}`, ...cellsOf(totalsOf([file]))]);
  const last = [`all ${files.length} files`, ...cellsOf(totals)];
  const table = [['file', 'actions', '', 'branches', '', 'templates', ''], ...rows, last];
  const widths = last.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
      .trimEnd();
  const [head = [], ...body] = table;
  return [
    `${chart}: ${cases.length} ${cases.length === 1 ? 'case' : 'cases'} (${cases.map(({ name }) => name).join(', ')})`,
    '',
    line(head),
    ...body.flatMap((row, at) => [line(row), ...(at < files.length ? missingOf(files[at]!) : [])]),
    ...defaultLines(coverage, folder),
    '',
  ].join('\n');
}

function defaultLines(coverage: Coverage, folder: string): string[] {
  const all = allDefaults(coverage);
  const unread = all.flatMap((one) => one.unread.map((value) => ({ ...value, folder: one.folder })));
  if (unread.length === 0) return [];
  return [
    '',
    `defaults that nothing reads: ${unread.length} of ${all.reduce((sum, { total }) => sum + total, 0)}`,
    ...unread.map(({ path, line, description, folder: inner }) => {
      return `    ${folder}${inner}values.yaml:${line} ${path}${description === undefined ? '' : `: ${description}`}`;
    }),
  ];
}

/** Gives the defaults of a chart and, where they count, of its sub-charts. */
export function allDefaults({ defaults, subchartDefaults }: Coverage): readonly SubchartDefaults[] {
  return [{ folder: '', ...defaults }, ...subchartDefaults];
}

function cellsOf({ actions, branches, templates }: CoverageTotals): string[] {
  return [actions, branches, templates].flatMap((share) =>
    share.total === 0 ? ['', ''] : [`${share.covered}/${share.total}`, percentText(share)],
  );
}

/** Gives a share as a text such as `83.3 %`; 100 only where nothing is left. */
export function percentText(share: Share): string {
  return `${(Math.floor(percentOf(share) * 10) / 10).toFixed(1)} %`;
}

function missingOf({ actions, branches, templates }: FileCoverage): string[] {
  const never = actions.filter(({ count }) => count === 0).map(({ line }) => line);
  const uncalled = templates.filter(({ count }) => count === 0).map(({ name }) => name);
  return [
    ...(never.length === 0 ? [] : [`    never ran: ${rangesOf(never)}`]),
    ...(uncalled.length === 0 ? [] : [`    never called: ${uncalled.join(', ')}`]),
    ...branches.flatMap(oneSided),
  ];
}

function oneSided(branch: BranchCoverage): string[] {
  const missing = missedWays(branch);
  return missing.length === 0 ? [] : [`    line ${branch.line}: never ${missing.join(', ')}: ${branch.text}`];
}

/** Gives the ways that a branch never went. One that was never reached has none: it is among the actions that never ran. */
export function missedWays({ outcomes }: BranchCoverage): readonly string[] {
  if (outcomes.every(({ count }) => count === 0)) return [];
  return outcomes.filter(({ count }) => count === 0).map(({ name }) => name);
}

/** Gives line numbers as `3-5, 9`. */
function rangesOf(lines: readonly number[]): string {
  const ranges: [first: number, last: number][] = [];
  for (const line of new Set(lines)) {
    const range = ranges.at(-1);
    if (range !== undefined && line - range[1] <= 1) range[1] = line;
    else ranges.push([line, line]);
  }
  return ranges.map(([first, last]) => (first === last ? String(first) : `${first}-${last}`)).join(', ');
}
