// The lines that `drydock vendor` prints of charts, of Orders and of chart folders alike.

/** A chart, what happened to it, and what else there is to say of it. */
export interface ChartLine {
  /** Such as `fetched`. */
  readonly word: string;
  readonly name: string;
  readonly version: string;
  readonly detail: string;
}

/** Returns a line for each chart, in columns. */
export function chartLines(charts: readonly ChartLine[]): string {
  const width = Math.max(...charts.map(({ name, version }) => name.length + version.length + 1), 0);
  return charts
    .map(({ word, name, version, detail }) =>
      `${word.padEnd(8)} ${`${name} ${version}`.padEnd(width)}  ${detail}`.trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join('');
}
