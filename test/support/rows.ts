// Rows: one template text each, with what the real binary made of it. See fixtures/README.md.

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import type { HelmVersion } from '../../render/core/helm-version.ts';

const fixtures = fileURLToPath(new URL('../../fixtures', import.meta.url));

/** What a Helm makes of a template: the text it gives, or the error it dies of. */
export interface RowAnswer {
  readonly want?: string;
  readonly error?: string;
}

/** One row: a template, and what Helm 3 makes of it. */
export interface Row extends RowAnswer {
  readonly template: string;
  /** What Helm 4 makes of it, where that differs in more than the lines over which it tells an error. */
  readonly helm4?: RowAnswer;
}

/** Returns the answer of a Helm to a row, an error after `Error: `. */
export function answerOf(row: RowAnswer & Pick<Row, 'helm4'>, helm: 3 | 4): string {
  const { want = '', error } = helm === 4 ? (row.helm4 ?? row) : row;
  return error === undefined ? want : `Error: ${error}`;
}

/** One file of rows; every row sees the same values. */
export interface RowFile {
  readonly path: string;
  /** The Helms that were asked. */
  readonly helms: readonly (3 | 4)[];
  readonly values: string;
  readonly rows: readonly Row[];
}

/** Returns every row file of fixtures/{templates,functions,yaml}, in a stable order. */
export async function readRowFiles(): Promise<RowFile[]> {
  const files: RowFile[] = [];
  for (const folder of ['templates', 'functions', 'yaml']) {
    for (const name of (await readdir(join(fixtures, folder)).catch(() => [])).sort()) {
      const path = join(folder, name);
      const file = parse(await readFile(join(fixtures, path), 'utf8')) as Partial<RowFile> & Pick<RowFile, 'rows'>;
      files.push({ path, helms: file.helms ?? [3], values: file.values ?? '', rows: file.rows });
    }
  }
  return files;
}

/** The answer of versions to a row that is not the one recorded for their major version. */
export interface OtherRow {
  readonly path: string;
  readonly template: string;
  readonly versions: readonly HelmVersion[];
  readonly answer: RowAnswer;
}

/** The answers of other versions that differ from those recorded for their major version. */
export const otherRowsFile = join(fixtures, 'rows-of-versions.json');

/** Returns the answers of other versions by row: its path and its template. */
export async function readOtherRows(): Promise<ReadonlyMap<string, readonly OtherRow[]>> {
  const rows = JSON.parse(await readFile(otherRowsFile, 'utf8')) as readonly OtherRow[];
  const byRow = new Map<string, OtherRow[]>();
  for (const row of rows) {
    const key = `${row.path}: ${row.template}`;
    byRow.set(key, [...(byRow.get(key) ?? []), row]);
  }
  return byRow;
}

/** The template file that a row's text becomes. */
export const rowTemplate = 'templates/_row.tpl';

/** The template that prints a row: as JSON, so that any text stays valid YAML and its white space is kept. */
export const printerTemplate = 'out: {{ include "c/templates/_row.tpl" . | toJson }}\n';

const outer =
  'template: c/templates/out.yaml:1:8: executing "c/templates/out.yaml" at <include "c/templates/_row.tpl" .>: error calling include: ';

/** Returns the files of the little chart that a row is rendered in. */
export function chartOfRow(template: string, values: string): Record<string, string> {
  return {
    'Chart.yaml': 'apiVersion: v2\nname: c\nversion: 0.1.0\nappVersion: "2.0"\n',
    'values.yaml': values,
    'f.txt': 'line one\nline two\n',
    'd/x.txt': 'x',
    [rowTemplate]: template,
    'templates/out.yaml': printerTemplate,
  };
}

/** Returns a row's text out of a rendered manifest. */
export function textOfOutput(stdout: string): string {
  const line = stdout.split('\n').find((candidate) => candidate.startsWith('out: '));
  if (line === undefined) throw new Error(`no row in the output: ${stdout}`);
  return JSON.parse(line.slice('out: '.length)) as string;
}

// Helm 4 tells each place of an error over three lines; Helm 3 tells all of them in one.
const place4 = /(^|\n)([^\n]+:\d+:\d+)\n {2}executing ("[^"\n]*") at <([\s\S]*?)>:\n {4}/g;

/** Returns an error text without the parts that every row shares, in one line where Helm 4 has several. */
export function shortenError(stderr: string): string {
  return stderr
    .replace(/^Error: /, '')
    .replace(place4, (_, before, place, name, node) => {
      return `${before === '' ? '' : ' '}template: ${place}: executing ${name} at <${node}>: `;
    })
    .replace(/\n\nUse --debug flag to render out invalid YAML\n?$/, '')
    .replace(outer, '')
    .trimEnd();
}
