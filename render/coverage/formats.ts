// Coverage in formats of other tools: JSON, lcov's tracefiles, and Cobertura's XML.

import { escapeXml } from '../core/page/escape.ts';
import { type Coverage, type FileCoverage, percentOf, type Share, totalsOf } from './measure.ts';

/** The coverage of a chart, and the folder of its files. */
export interface PlacedCoverage {
  readonly coverage: Coverage;
  /** Prefix of every path, such as `charts/web/`; empty for none. */
  readonly folder: string;
}

export function coverageJson(charts: readonly PlacedCoverage[]): string {
  const shown = charts.map(({ coverage: { chart, cases, totals, files, defaults }, folder }) => ({
    chart,
    cases: cases.map(({ name, failure }) => ({ name, ...(failure === undefined ? {} : { failure: failure.message }) })),
    totals,
    files: files.map(({ source: _, ...file }) => ({ ...file, path: `${folder}${file.path}` })),
    defaults,
  }));
  return `${JSON.stringify({ charts: shown }, null, 2)}\n`;
}

export interface CoveredLine {
  /** The highest count of the line's actions. */
  readonly count: number;
  readonly outcomes: Share;
}

/** Returns the executable lines of a file. One counts as executed if any of its actions was; its branches show whether all were. */
export function coveredLines({ actions, branches }: FileCoverage): ReadonlyMap<number, CoveredLine> {
  const lines = new Map<number, CoveredLine>();
  for (const { line, count } of actions) {
    lines.set(line, { count: Math.max(lines.get(line)?.count ?? 0, count), outcomes: { covered: 0, total: 0 } });
  }
  for (const { line, outcomes } of branches) {
    const { count, outcomes: sum } = lines.get(line) ?? { count: 0, outcomes: { covered: 0, total: 0 } };
    const covered = sum.covered + outcomes.filter((outcome) => outcome.count > 0).length;
    lines.set(line, { count, outcomes: { covered, total: sum.total + outcomes.length } });
  }
  return new Map([...lines].sort(([a], [b]) => a - b));
}

/** Formats coverage as an lcov tracefile, for genhtml and coverage services. */
export function coverageLcov(charts: readonly PlacedCoverage[]): string {
  return charts
    .flatMap(({ coverage, folder }) => coverage.files.map((file) => lcovRecord(`${folder}${file.path}`, file)))
    .join('');
}

// Mirrors: lcov, geninfo(1), "TRACEFILE FORMAT".
function lcovRecord(path: string, file: FileCoverage): string {
  const { templates, branches } = file;
  const lines = [...coveredLines(file)];
  const outcomes = branches.flatMap((branch, block) => {
    // A branch that was never reached has no counts, as opposed to 0.
    const isReached = branch.outcomes.some(({ count }) => count > 0);
    return branch.outcomes.map(({ count }, at) => `BRDA:${branch.line},${block},${at},${isReached ? count : '-'}`);
  });
  const { covered, total } = totalsOf([file]).branches;
  return [
    'TN:',
    `SF:${path}`,
    ...templates.map(({ name, line }) => `FN:${line},${name}`),
    ...templates.map(({ name, count }) => `FNDA:${count},${name}`),
    `FNF:${templates.length}`,
    `FNH:${templates.filter(({ count }) => count > 0).length}`,
    ...outcomes,
    `BRF:${total}`,
    `BRH:${covered}`,
    ...lines.map(([line, { count }]) => `DA:${line},${count}`),
    `LF:${lines.length}`,
    `LH:${lines.filter(([, { count }]) => count > 0).length}`,
    'end_of_record\n',
  ].join('\n');
}

/** Formats coverage as Cobertura XML, with a package for each chart and a class for each file. */
export function coverageCobertura(charts: readonly PlacedCoverage[], time: Date): string {
  const files = charts.flatMap(({ coverage }) => coverage.files);
  const [lines, { branches }] = [lineShare(files), totalsOf(files)];
  const sums = [sumText('lines', lines), sumText('branches', branches)].join(' ');
  const packages = charts.map(
    ({ coverage, folder }) =>
      `    <package name="${escapeXml(coverage.chart)}" ${ratesOf(coverage.files)}>
      <classes>
${coverage.files.map((file) => coberturaClass(`${folder}${file.path}`, file)).join('')}      </classes>
    </package>
`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE coverage SYSTEM "http://cobertura.sourceforge.net/xml/coverage-04.dtd">
<coverage ${ratesOf(files)} ${sums} version="1" timestamp="${time.getTime()}">
  <sources><source>.</source></sources>
  <packages>
${packages.join('')}  </packages>
</coverage>
`;
}

function coberturaClass(path: string, file: FileCoverage): string {
  const lines = [...coveredLines(file)].map(([number, { count, outcomes }]) => {
    if (outcomes.total === 0) return `            <line number="${number}" hits="${count}" branch="false"/>\n`;
    const { covered, total } = outcomes;
    const share = `${Math.floor(percentOf(outcomes))}% (${covered}/${total})`;
    return `            <line number="${number}" hits="${count}" branch="true" condition-coverage="${share}"/>\n`;
  });
  return `        <class name="${escapeXml(path)}" filename="${escapeXml(path)}" ${ratesOf([file])}>
          <methods/>
          <lines>
${lines.join('')}          </lines>
        </class>
`;
}

function lineShare(files: readonly FileCoverage[]): Share {
  const lines = files.flatMap((file) => [...coveredLines(file).values()]);
  return { covered: lines.filter(({ count }) => count > 0).length, total: lines.length };
}

function ratesOf(files: readonly FileCoverage[]): string {
  const rate = (share: Share): string => (percentOf(share) / 100).toFixed(4);
  return `line-rate="${rate(lineShare(files))}" branch-rate="${rate(totalsOf(files).branches)}" complexity="0"`;
}

function sumText(name: string, { covered, total }: Share): string {
  return `${name}-covered="${covered}" ${name}-valid="${total}"`;
}
