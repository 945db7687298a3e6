// Runs many rows with real Helm in few processes: rows that render are in one chart, rows that fail in separate charts, which `helm lint`
// renders one after another. Rows without a clear result are run alone.

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { askBounded } from '../../scripts/dev/tools/helm-binary.ts';
import { writeFiles } from '../../scripts/dev/tools/write-files.ts';
import { chartOfRow, chartOfRows, type RowAnswer, shortenError, textOfOutput, textsOfOutput } from '../support/rows.ts';

/** Helm's results, or undefined for those that a batch does not show. */
export type HelmAnswers = (RowAnswer | undefined)[];

/** Returns Helm's result for one row; undefined if Helm itself crashed. */
export async function askRow(helm: string, folder: string, row: RowInput): Promise<RowAnswer | undefined> {
  const home = join(folder, 'alone');
  await rm(home, { recursive: true, force: true });
  await writeFiles(home, chartOfRow(row.template, row.values, row.files));
  const { exitCode, stdout, stderr } = await askBounded(helm, ['template', 'r', home], { cwd: folder });
  if (exitCode === 0) return { want: textOfOutput(stdout) };
  return exitCode > 0 && stderr.startsWith('Error: ') ? { error: shortenError(stderr) } : undefined;
}

/** A row with its values, and the files of its chart. */
export interface RowInput {
  readonly template: string;
  readonly values: string;
  readonly files?: Readonly<Record<string, string>>;
}

const rowName = /_row(\d+)\.tpl/;

/** Runs a batch, and each half of it if Helm crashed, so that one row does not lose the results of the others. */
type AskAll = (rows: readonly RowInput[]) => Promise<HelmAnswers | undefined>;

async function askHalves(rows: readonly RowInput[], ask: AskAll): Promise<HelmAnswers> {
  if (rows.length === 0) return [];
  const answers = await ask(rows);
  if (answers !== undefined) return answers;
  if (rows.length === 1) return [undefined];
  const half = rows.length >> 1;
  return [...(await askHalves(rows.slice(0, half), ask)), ...(await askHalves(rows.slice(half), ask))];
}

/** Returns the output of rows with the same values and files that probably render, from one chart; failing rows have no result. */
export async function askRendering(helm: string, folder: string, rows: readonly RowInput[]): Promise<HelmAnswers> {
  return askHalves(rows, (some) => askTogether(helm, folder, some));
}

async function askTogether(helm: string, folder: string, rows: readonly RowInput[]): Promise<HelmAnswers | undefined> {
  const answers: HelmAnswers = rows.map(() => undefined);
  let open = rows.map((_, at) => at);
  for (let tries = 0; open.length > 0 && tries < 40; tries++) {
    const home = join(folder, 'together');
    await rm(home, { recursive: true, force: true });
    const templates = open.map((at) => rows[at]!.template);
    await writeFiles(home, chartOfRows(templates, rows[0]!.values, rows[0]!.files));
    const { exitCode, stdout, stderr } = await askBounded(helm, ['template', 'r', home], { cwd: folder });
    if (exitCode === 0) {
      for (const [i, want] of textsOfOutput(stdout).entries()) answers[open[i]!] = { want };
      return answers;
    }
    if (exitCode < 0) return undefined;
    const line = Number(/templates\/out\.yaml:(\d+)/.exec(stderr)?.[1] ?? 0);
    const failed = open[line > 0 ? line - 1 : Number(rowName.exec(stderr)?.[1])];
    if (failed === undefined) return answers;
    open = open.filter((at) => at !== failed);
  }
  return answers;
}

const lintRow = /^\[ERROR\] templates\/: ([\s\S]*?)(?=\n\n==> Linting |\n\nError: |\n\n\d+ chart\(s\) linted|\n\[)/m;

/** Extracts the error of a row from lint's output for its chart, in the words of `helm template`. */
function errorInLint(output: string): RowAnswer | undefined {
  const error = lintRow.exec(`${output}\n\n==> Linting `)?.[1];
  return error === undefined ? undefined : { error: shortenError(error) };
}

/** Returns the errors of rows that probably fail, each from a separate chart; rows that render have no result. */
export async function askFailing(helm: string, folder: string, rows: readonly RowInput[]): Promise<HelmAnswers> {
  return askHalves(rows, (some) => askEach(helm, folder, some));
}

async function askEach(helm: string, folder: string, rows: readonly RowInput[]): Promise<HelmAnswers | undefined> {
  const home = join(folder, 'each');
  await rm(home, { recursive: true, force: true });
  for (const [at, row] of rows.entries()) {
    await writeFiles(join(home, `${at}`), chartOfRow(row.template, row.values, row.files));
  }
  const { exitCode, stdout, stderr } = await askBounded(helm, ['lint', ...rows.map((_, at) => `each/${at}`)], {
    cwd: folder,
    // For hundreds of small charts in a short process, less garbage collection saves a third of the time.
    env: { GOGC: '400' },
  });
  if (exitCode < 0) return undefined;
  const answers: HelmAnswers = rows.map(() => undefined);
  for (const part of `${stdout}\n\n${stderr}`.split(/^==> Linting each\//m).slice(1)) {
    answers[Number.parseInt(part, 10)] = errorInLint(part);
  }
  return answers;
}
