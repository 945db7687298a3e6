// Runs many rows with real Helm in few processes: rows that render are in one chart, rows that fail in separate charts, which `helm lint`
// renders one after another. Rows without a clear result are run alone.

import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { askBounded } from '../../scripts/dev/tools/helm-binary.ts';
import { writeFiles } from '../../scripts/dev/tools/write-files.ts';
import { chartOfRow, rowTemplate, shortenError, textOfOutput } from '../support/rows.ts';

/** Helm's result for each row; undefined if the batch does not show it. */
export type HelmAnswers = (string | undefined)[];

/** Returns Helm's result for one row: its output, or its error after `Error: `; undefined if Helm itself crashed. */
export async function askRow(helm: string, folder: string, row: RowInput): Promise<string | undefined> {
  const home = join(folder, 'alone');
  await rm(home, { recursive: true, force: true });
  await writeFiles(home, chartOfRow(row.template, row.values));
  const { exitCode, stdout, stderr } = await askBounded(helm, ['template', 'r', home], { cwd: folder });
  if (exitCode === 0) return textOfOutput(stdout);
  return exitCode > 0 && stderr.startsWith('Error: ') ? `Error: ${shortenError(stderr)}` : undefined;
}

/** A row with its values. */
export interface RowInput {
  readonly template: string;
  readonly values: string;
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

/** Returns the output of rows that probably render, from one chart; failing rows have no result. */
export async function askRendering(helm: string, folder: string, rows: readonly RowInput[]): Promise<HelmAnswers> {
  return askHalves(rows, (some) => askTogether(helm, folder, some));
}

async function askTogether(helm: string, folder: string, rows: readonly RowInput[]): Promise<HelmAnswers | undefined> {
  const answers: HelmAnswers = rows.map(() => undefined);
  let open = rows.map((_, at) => at);
  for (let tries = 0; open.length > 0 && tries < 40; tries++) {
    const home = join(folder, 'together');
    await rm(home, { recursive: true, force: true });
    const printer = open.map((at) => `r${at}: {{ include "c/templates/_row${at}.tpl" . | toJson }}\n`).join('');
    const files: Record<string, string> = { ...chartOfRow('', rows[0]?.values ?? ''), 'templates/out.yaml': printer };
    for (const at of open) files[`templates/_row${at}.tpl`] = (rows[at] as RowInput).template;
    await writeFiles(home, files);
    const { exitCode, stdout, stderr } = await askBounded(helm, ['template', 'r', home], { cwd: folder });
    if (exitCode === 0) {
      for (const line of stdout.split('\n')) {
        const [, at, text] = /^r(\d+): (.*)$/.exec(line) ?? [];
        if (at !== undefined) answers[Number(at)] = JSON.parse(text as string) as string;
      }
      return answers;
    }
    if (exitCode < 0) return undefined;
    const line = Number(/templates\/out\.yaml:(\d+)/.exec(stderr)?.[1] ?? 0);
    const failed = line > 0 ? open[line - 1] : Number(rowName.exec(stderr)?.[1] ?? Number.NaN);
    if (failed === undefined || Number.isNaN(failed)) return answers;
    open = open.filter((at) => at !== failed);
  }
  return answers;
}

const lintRow = /^\[ERROR\] templates\/: ([\s\S]*?)(?=\n\n==> Linting |\n\nError: |\n\n\d+ chart\(s\) linted|\n\[)/m;
const lintYaml = /^\[ERROR\] templates\/out\.yaml: unable to parse YAML: (.*)$/m;

/** Extracts the error of a row from lint's output for its chart, worded as by `helm template`. */
function errorInLint(output: string): string | undefined {
  const yaml = lintYaml.exec(output)?.[1];
  if (yaml !== undefined) return `Error: YAML parse error on c/templates/out.yaml: ${yaml}`;
  const error = lintRow.exec(`${output}\n\n==> Linting `)?.[1];
  return error === undefined ? undefined : `Error: ${shortenError(error)}`;
}

/** Returns the errors of rows that probably fail, each from a separate chart; rows that render have no result. */
export async function askFailing(helm: string, folder: string, rows: readonly RowInput[]): Promise<HelmAnswers> {
  return askHalves(rows, (some) => askEach(helm, folder, some));
}

async function askEach(helm: string, folder: string, rows: readonly RowInput[]): Promise<HelmAnswers | undefined> {
  const home = join(folder, 'each');
  await rm(home, { recursive: true, force: true });
  for (const [at, row] of rows.entries()) {
    const inner = join(home, `${at}`);
    const { 'Chart.yaml': chart = '', 'values.yaml': values = '', ...more } = chartOfRow(row.template, row.values);
    await mkdir(join(inner, 'templates'), { recursive: true });
    await writeFile(join(inner, 'Chart.yaml'), chart);
    await writeFile(join(inner, 'values.yaml'), values);
    await writeFile(join(inner, rowTemplate), row.template);
    await writeFile(join(inner, 'templates/out.yaml'), more['templates/out.yaml'] ?? '');
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
