// Asks real Helm many rows in few processes: those that render stand in one chart, those that fail in charts of their own,
// which `helm lint` renders one after the other. What is doubtful is asked alone.

import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import type { Answer } from '../../test/support/golden.ts';
import { chartOfRow, rowTemplate, shortenError, textOfOutput } from '../../test/support/rows.ts';
import { helmEnvironment } from '../tools/helm-binary.ts';

/** What Helm said, or undefined where a batch does not tell. */
export type HelmAnswers = (string | undefined)[];

async function writeFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
}

/**
 * Gives what Helm answers within a time and a memory that it never needs for what is small; exit code -1 when it did not end well.
 * Some inputs make Helm take all memory there is: that is for no one to compare.
 */
export async function askBounded(helm: string, args: readonly string[], cwd: string, seconds = 20): Promise<Answer> {
  const { exitCode, stdout, stderr } = await execa('sh', ['-c', 'ulimit -v 4000000; exec "$0" "$@"', helm, ...args], {
    cwd,
    reject: false,
    stripFinalNewline: false,
    env: helmEnvironment,
    maxBuffer: 1 << 28,
    timeout: seconds * 1000,
    killSignal: 'SIGKILL',
  });
  return { exitCode: exitCode ?? -1, stdout, stderr };
}

/** Gives what Helm makes of one row: its text, or its error after `Error: `; undefined when Helm itself did not end well. */
export async function askRow(helm: string, folder: string, row: RowInput): Promise<string | undefined> {
  const home = join(folder, 'alone');
  await rm(home, { recursive: true, force: true });
  await writeFiles(home, chartOfRow(row.template, row.values));
  const { exitCode, stdout, stderr } = await askBounded(helm, ['template', 'r', home], folder);
  if (exitCode === 0) return textOfOutput(stdout);
  return stderr.startsWith('Error: ') ? `Error: ${shortenError(stderr)}` : undefined;
}

/** Is a row and the values that it sees. */
export interface RowInput {
  readonly template: string;
  readonly values: string;
}

const rowName = /_row(\d+)\.tpl/;

/** Gives the texts of rows that are thought to render, asked in one chart; one that fails has no answer. */
export async function askRendering(helm: string, folder: string, rows: readonly RowInput[]): Promise<HelmAnswers> {
  const answers: HelmAnswers = rows.map(() => undefined);
  let open = rows.map((_, at) => at);
  for (let tries = 0; open.length > 0 && tries < 40; tries++) {
    const home = join(folder, 'together');
    await rm(home, { recursive: true, force: true });
    const printer = open.map((at) => `r${at}: {{ include "c/templates/_row${at}.tpl" . | toJson }}\n`).join('');
    const files: Record<string, string> = { ...chartOfRow('', rows[0]?.values ?? ''), 'templates/out.yaml': printer };
    for (const at of open) files[`templates/_row${at}.tpl`] = (rows[at] as RowInput).template;
    await writeFiles(home, files);
    const { exitCode, stdout, stderr } = await askBounded(helm, ['template', 'r', home], folder);
    if (exitCode === 0) {
      for (const line of stdout.split('\n')) {
        const [, at, text] = /^r(\d+): (.*)$/.exec(line) ?? [];
        if (at !== undefined) answers[Number(at)] = JSON.parse(text as string) as string;
      }
      return answers;
    }
    const line = Number(/templates\/out\.yaml:(\d+)/.exec(stderr)?.[1] ?? 0);
    const failed = line > 0 ? open[line - 1] : Number(rowName.exec(stderr)?.[1] ?? Number.NaN);
    if (failed === undefined || Number.isNaN(failed)) return answers;
    open = open.filter((at) => at !== failed);
  }
  return answers;
}

const lintRow = /^\[ERROR\] templates\/: ([\s\S]*?)(?=\n\n==> Linting |\n\nError: |\n\n\d+ chart\(s\) linted|\n\[)/m;

/** Gives the errors of rows that are thought to fail, each from a chart of its own; one that renders has no answer. */
export async function askFailing(helm: string, folder: string, rows: readonly RowInput[]): Promise<HelmAnswers> {
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
  const { stdout, stderr } = await askBounded(helm, ['lint', ...rows.map((_, at) => `each/${at}`)], folder);
  const answers: HelmAnswers = rows.map(() => undefined);
  for (const part of `${stdout}\n\n${stderr}`.split(/^==> Linting each\//m).slice(1)) {
    const at = Number.parseInt(part, 10);
    const error = lintRow.exec(`${part}\n\n==> Linting `)?.[1];
    if (error !== undefined) answers[at] = `Error: ${shortenError(error)}`;
  }
  return answers;
}
