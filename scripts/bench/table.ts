// The results of a benchmark run: the table, and regressions against the recorded run.

/** The time of several runs: median, spread, and for whole processes the elapsed time. */
export interface Figure {
  readonly median: number;
  readonly least: number;
  readonly most: number;
  readonly runs: number;
  readonly clock?: number;
}

/** The name of a part of a run. */
export type Section = 'whole' | 'snapshot' | 'page' | 'emulator';

/** One measurement. */
export interface Row {
  readonly section: Section;
  readonly what: string;
  /** The unit of all figures in the row: milliseconds by default. */
  readonly unit?: 'MB' | 'KB' | 'µs';
  readonly drydock: Figure;
  /** The figure of the program that drydock is compared with, if there is one. */
  readonly other?: Figure;
  /** The maximum: as a multiple of the other program's figure if there is one, otherwise of our own figure. */
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

/** Returns the figure that the goal applies to: a multiple of the other program's, or our own. */
const measureOf = ({ drydock, other }: Row): number => drydock.median / (other?.median ?? 1);

const show = (value: number): string => (value < 10 ? value.toFixed(2) : value.toFixed(0));

function spread({ unit }: Row, { median, least, most, clock }: Figure): string {
  const range = least === most ? '' : ` (${show(least)} to ${show(most)})`;
  return `${show(median)}${unit === undefined ? '' : ` ${unit}`}${range}${clock === undefined ? '' : `, clock ${show(clock)}`}`;
}

/** Returns the table of a run as Markdown. Times are milliseconds of processor time: median, minimum and maximum. */
export function formatRun({ rows }: Pick<Recorded, 'rows'>): string {
  const lines = rows.map((row) => {
    const { other, goal, unit } = row;
    const sign = other === undefined ? ` ${unit ?? 'ms'}` : ' ×';
    const ratio = other === undefined ? '' : `${show(measureOf(row))} ×`;
    const met = goal === undefined ? '' : `${show(goal)}${sign}${measureOf(row) <= goal ? ', met' : ''}`;
    return `| ${[row.what, spread(row, row.drydock), other ? spread(row, other) : '', ratio, met].join(' | ')} |`;
  });
  return ['| what | drydock | compared with | ratio | goal |', '|---|---:|---:|---:|---:|', ...lines].join('\n');
}

/** Returns a line for each row whose figure, relative to the other program's if available, is more than 5 % above the recorded one. */
export function compareRuns(recorded: Recorded, made: Recorded): string[] {
  const known = new Map(recorded.rows.map((row) => [row.what, row]));
  const slower = made.rows.flatMap((row) => {
    const old = known.get(row.what);
    return old !== undefined && measureOf(row) > 1.05 * measureOf(old)
      ? [`slower: ${row.what}: ${show(measureOf(row))}, was ${show(measureOf(old))}`]
      : [];
  });
  return slower.length === 0 ? [`nothing is more than 5 % slower than on ${recorded.date}`] : slower;
}
