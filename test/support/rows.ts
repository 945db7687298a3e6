// Rows: one template each, with the result of the real binary. See fixtures/README.md.

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import type { HelmVersion } from '../../render/core/helm-version.ts';

const fixtures = fileURLToPath(new URL('../../fixtures', import.meta.url));

/** The result of a Helm for a template: its output, or its error. */
export interface RowAnswer {
  readonly want?: string;
  readonly error?: string;
}

/** A row: a template, and the result of Helm 3. */
export interface Row extends RowAnswer {
  readonly template: string;
  /** The result of Helm 4, if it differs in more than the line breaks of an error. */
  readonly helm4?: RowAnswer;
}

/** Returns the result of a Helm for a row, an error after `Error: `. */
export function answerOf(row: RowAnswer & Pick<Row, 'helm4'>, helm: 3 | 4): string {
  const { want = '', error } = helm === 4 ? (row.helm4 ?? row) : row;
  return error === undefined ? want : `Error: ${error}`;
}

/** One file of rows; every row has the same values. */
export interface RowFile {
  readonly path: string;
  /** The versions of Helm used for recording. */
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

/** The result of versions for a row that differs from their major version. */
export interface OtherRow {
  readonly path: string;
  readonly template: string;
  readonly versions: readonly HelmVersion[];
  readonly answer: RowAnswer;
}

/** The results of other versions that differ from those recorded for their major version. */
export const otherRowsFile = join(fixtures, 'rows-of-versions.json');

/** Returns the results of other versions by row: its path and its template. */
export async function readOtherRows(): Promise<ReadonlyMap<string, readonly OtherRow[]>> {
  const rows = JSON.parse(await readFile(otherRowsFile, 'utf8')) as readonly OtherRow[];
  const byRow = new Map<string, OtherRow[]>();
  for (const row of rows) {
    const key = `${row.path}: ${row.template}`;
    byRow.set(key, [...(byRow.get(key) ?? []), row]);
  }
  return byRow;
}

/** The template file for a row. */
export const rowTemplate = 'templates/_row.tpl';

/** The template that prints a row: as JSON, so that any text stays valid YAML and white space is kept. */
export const printerTemplate = 'out: {{ include "c/templates/_row.tpl" . | toJson }}\n';

const outer =
  'template: c/templates/out.yaml:1:8: executing "c/templates/out.yaml" at <include "c/templates/_row.tpl" .>: error calling include: ';

/** Returns the files of the chart for a row. */
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

/** Extracts the output of a row from a rendered manifest. */
export function textOfOutput(stdout: string): string {
  const line = stdout.split('\n').find((candidate) => candidate.startsWith('out: '));
  if (line === undefined) throw new Error(`no row in the output: ${stdout}`);
  return JSON.parse(line.slice('out: '.length)) as string;
}

// Helm 4 prints each place of an error on three lines, Helm 3 on one.
const place4 = /(^|\n)([^\n]+:\d+:\d+)\n {2}executing ("[^"\n]*") at <([\s\S]*?)>:\n {4}/g;

/** Returns an error without the parts that every row shares, on one line. */
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

/** The recorded version of each major version. */
export const recordedHelms = { 3: '3.17.3', 4: '4.2.3' } as const satisfies Readonly<Record<3 | 4, HelmVersion>>;
