// Formats coverage for people: a table of files, and what was never executed in each.

import { counted } from '../core/counted.ts';
import { type Coverage, type CoverageTotals, type FileCoverage, percentOf, type Share, totalsOf } from './measure.ts';
import type { BranchCoverage } from './sites.ts';

/** Formats coverage as a table, with what was never executed in each file by line. */
export function coverageText(coverage: Coverage, folder: string): string {
  const { chart, cases, files, totals } = coverage;
  const rows = files.map((file) => [`${folder}${file.path}`, ...matrixOf(totalsOf([file]))]);
  const last = [`all ${files.length} files`, ...matrixOf(totals)];
  const table = [['file', 'actions', '', 'branches', '', 'templates', ''], ...rows, last];
  const [head = [], ...body] = alignedLines(table);
  return [
    `${chart}: ${counted(cases.length, 'case')} (${cases.map(({ name }) => name).join(', ')})`,
    '',
    head,
    ...body.flatMap((line, at) => [line, ...(at < files.length ? missingOf(files[at]!) : [])]),
    ...defaultLines(coverage, folder),
    '',
  ].join('\n');
}

// The first column is text, the others are numbers.
function alignedLines(table: readonly (readonly string[])[]): string[] {
  const widths = (table[0] ?? []).map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  return table.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
}

/** Formats the coverage of many charts as one table, with the number of unread defaults. */
export function coverageTable(charts: readonly { readonly coverage: Coverage; readonly folder: string }[]): string {
  const rows = charts.map(({ coverage, folder }) => {
    const { actions, branches, templates } = coverage.totals;
    const shares = [actions, branches, templates].map((share) => (share.total === 0 ? '' : percentText(share)));
    const failed = coverage.cases.filter(({ failure }) => failure !== undefined).length;
    const cases = `${coverage.cases.length}${failed === 0 ? '' : `, ${failed} failed`}`;
    return [folder.replace(/\/$/, '') || coverage.chart, cases, ...shares, String(coverage.defaults.unread.length)];
  });
  const head = ['chart', 'cases', 'actions', 'branches', 'templates', 'unread defaults'];
  return `${alignedLines([head, ...rows]).join('\n')}\n`;
}

function defaultLines({ defaults: { unread, total } }: Coverage, folder: string): string[] {
  if (unread.length === 0) return [];
  return [
    '',
    `defaults that nothing reads: ${unread.length} of ${total}`,
    ...unread.map(({ path, line, description }) => {
      return `    ${folder}values.yaml:${line} ${path}${description === undefined ? '' : `: ${description}`}`;
    }),
  ];
}

function matrixOf({ actions, branches, templates }: CoverageTotals): string[] {
  return [actions, branches, templates].flatMap((share) =>
    share.total === 0 ? ['', ''] : [`${share.covered}/${share.total}`, percentText(share)],
  );
}

/** Formats a share, such as `83.3 %`; 100 only if nothing is left. */
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
  const missing = unreachedOutcomes(branch);
  return missing.length === 0 ? [] : [`    line ${branch.line}: never ${missing.join(', ')}: ${branch.text}`];
}

/** Returns the unreached outcomes of a branch. One that was never reached has none: it is among the unexecuted actions. */
export function unreachedOutcomes({ outcomes }: BranchCoverage): readonly string[] {
  if (outcomes.every(({ count }) => count === 0)) return [];
  return outcomes.filter(({ count }) => count === 0).map(({ name }) => name);
}

/** Formats line numbers as `3-5, 9`. */
function rangesOf(lines: readonly number[]): string {
  const ranges: [first: number, last: number][] = [];
  for (const line of new Set(lines)) {
    const range = ranges.at(-1);
    if (range !== undefined && line - range[1] <= 1) range[1] = line;
    else ranges.push([line, line]);
  }
  return ranges.map(([first, last]) => (first === last ? String(first) : `${first}-${last}`)).join(', ');
}
