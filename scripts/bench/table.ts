// The results of a benchmark run: the table, and regressions against the recorded run.

import type { Figure } from './measure.ts';

/** The parts of a run, in order. */
export const sections = ['whole', 'cold', 'again', 'many', 'page'] as const;

/** The name of a part of a run. */
export type Section = (typeof sections)[number];

/** One measurement. */
export interface Row {
  readonly section: Section;
  readonly what: string;
  /** The unit of all figures in the row: milliseconds by default; `times` are multiples of Helm's own time. */
  readonly unit?: 'MB' | 'KB' | 'times';
  readonly drydock: Figure;
  /** Helm's figure; absent if Helm has no equivalent. */
  readonly helm?: Figure;
  /** The maximum: as a multiple of Helm's figure if there is one, otherwise of our own figure. */
  readonly goal?: number;
}

/** A benchmark run, as stored. */
export interface Recorded {
  readonly date: string;
  readonly machine: string;
  readonly node: string;
  readonly helm: string;
  readonly rows: readonly Row[];
}

/** Returns the figure that the goal applies to: a multiple of Helm's, or our own. */
const measureOf = ({ drydock, helm }: Row): number => drydock.median / (helm?.median ?? 1);

const show = (value: number): string => (value < 10 ? value.toFixed(2) : value.toFixed(0));

function spread({ unit }: Row, { median, least, most, clock }: Figure): string {
  const sign = unit === undefined ? '' : unit === 'times' ? ' ×' : ` ${unit}`;
  const range = least === most ? '' : ` (${show(least)} to ${show(most)})`;
  return `${show(median)}${sign}${range}${clock === undefined ? '' : `, clock ${show(clock)}`}`;
}

/** Returns the table of a run as Markdown. Times are milliseconds of processor time: median, minimum and maximum. */
export function formatRun({ rows }: Pick<Recorded, 'rows'>): string {
  const lines = rows.map((row) => {
    const { helm, goal, unit } = row;
    const sign = helm === undefined && unit !== 'times' ? ` ${unit ?? 'ms'}` : ' ×';
    const ratio = helm === undefined ? '' : `${show(measureOf(row))} ×`;
    const met = goal === undefined ? '' : `${goal}${sign}${measureOf(row) <= goal ? ', met' : ''}`;
    return `| ${[row.what, spread(row, row.drydock), helm ? spread(row, helm) : '', ratio, met].join(' | ')} |`;
  });
  return ['| what | drydock | Helm | ratio | goal |', '|---|---:|---:|---:|---:|', ...lines].join('\n');
}

/** Returns a line for each row whose figure, relative to Helm's if available, is more than 5 % above the recorded one. */
export function compareRuns(recorded: Recorded | undefined, made: Recorded): string[] {
  if (recorded === undefined) return ['no recorded run to compare with'];
  const known = new Map(recorded.rows.map((row) => [row.what, row]));
  const slower = made.rows.flatMap((row) => {
    const old = known.get(row.what);
    return old !== undefined && measureOf(row) > 1.05 * measureOf(old)
      ? [`slower: ${row.what}: ${show(measureOf(row))}, was ${show(measureOf(old))}`]
      : [];
  });
  return slower.length === 0 ? [`nothing is more than 5 % slower than on ${recorded.date}`] : slower;
}

/** Returns the run with the rows of an earlier run for the parts that were not selected. */
export function completed(made: Recorded, earlier: Recorded | undefined, parts: readonly Section[]): Recorded {
  const others = earlier?.rows.filter(({ section }) => !parts.includes(section)) ?? [];
  const rows = sections.flatMap((part) => [...made.rows, ...others].filter(({ section }) => section === part));
  return { ...made, rows };
}
