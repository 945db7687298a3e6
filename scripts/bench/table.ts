// What the bench tells of a run: its table, what got slower since the recorded one, and the table of the page about speed.

import { readFile, writeFile } from 'node:fs/promises';
import type { Figure } from './measure.ts';

/** Is one thing that was measured in both programs. */
export interface Row {
  readonly what: string;
  readonly drydock: Figure;
  readonly helm: Figure;
  /** How many times Helm's figure ours may be. */
  readonly goal: number;
}

/** Is a run of the bench, as it is kept. */
export interface Recorded {
  readonly date: string;
  readonly machine: string;
  readonly node: string;
  readonly helm: string;
  readonly rows: readonly Row[];
}

const ratioOf = ({ drydock, helm }: Row): number => drydock.median / helm.median;
const show = (value: number): string => (value < 10 ? value.toFixed(2) : value.toFixed(0));
const spread = ({ median, least, most }: Figure): string =>
  least === most ? show(median) : `${show(median)} (${show(least)} to ${show(most)})`;

/** Gives the table of a run as Markdown. Times are milliseconds of processor time: median, least and most. */
export function formatRun({ rows }: Recorded): string {
  const lines = rows.map((row) => {
    const cells = [row.what, spread(row.drydock), spread(row.helm), `${ratioOf(row).toFixed(2)} ×`, `${row.goal} ×`];
    return `| ${cells.join(' | ')} |`;
  });
  return ['| what | drydock | Helm | ratio | goal |', '|---|---:|---:|---:|---:|', ...lines].join('\n');
}

/** Gives a line for each row whose ratio is more than 5 % above the recorded one. */
export function compareRuns(recorded: Recorded | undefined, made: Recorded): string[] {
  if (recorded === undefined) return ['no recorded run to compare with'];
  const known = new Map(recorded.rows.map((row) => [row.what, ratioOf(row)]));
  const slower = made.rows.filter((row) => ratioOf(row) > 1.05 * (known.get(row.what) ?? Number.POSITIVE_INFINITY));
  if (slower.length === 0) return [`nothing got slower by more than 5 % since ${recorded.date}`];
  return slower.map(
    (row) => `slower: ${row.what}: ${ratioOf(row).toFixed(2)} ×, was ${known.get(row.what)?.toFixed(2)} ×`,
  );
}

const [from, to] = ['<!-- bench -->', '<!-- /bench -->'];

/** Puts the table of the recorded run into a page, or tells whether it is there. Gives false where a check fails. */
export async function writeTable(page: string, recorded: Recorded, check: boolean): Promise<boolean> {
  const text = await readFile(page, 'utf8');
  const [head, rest] = text.split(from);
  const tail = rest?.split(to)[1];
  if (head === undefined || tail === undefined) throw new Error(`${page} has no ${from} … ${to}`);
  const { date, machine, node, helm } = recorded;
  const made = `${head}${from}\n${formatRun(recorded)}\n\nRecorded ${date} on ${machine}, Node ${node}, Helm ${helm}.\n${to}${tail}`;
  if (made === text) return true;
  if (check) console.error(`${page} is not what the recorded run says: npm run bench -- --table`);
  else await writeFile(page, made);
  return !check;
}
