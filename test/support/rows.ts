// Rows: one template text each, with what the real binary made of it. See fixtures/README.md.

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

const fixtures = fileURLToPath(new URL('../../fixtures', import.meta.url));

/** One row: a template, and the text it gives or the error it dies of. */
export interface Row {
  readonly template: string;
  readonly want?: string;
  readonly error?: string;
}

/** One file of rows; every row sees the same values. */
export interface RowFile {
  readonly path: string;
  readonly values: string;
  readonly rows: readonly Row[];
}

/** Gives every row file of fixtures/{templates,functions,yaml}, in a stable order. */
export async function readRowFiles(): Promise<RowFile[]> {
  const files: RowFile[] = [];
  for (const folder of ['templates', 'functions', 'yaml']) {
    for (const name of (await readdir(join(fixtures, folder)).catch(() => [])).sort()) {
      const path = join(folder, name);
      const file = parse(await readFile(join(fixtures, path), 'utf8')) as { values?: string; rows: Row[] };
      files.push({ path, values: file.values ?? '', rows: file.rows });
    }
  }
  return files;
}

/** The template file that a row's text becomes. */
export const rowTemplate = 'templates/_row.tpl';

/** The template that prints a row: as JSON, so that any text stays valid YAML and its white space is kept. */
export const printerTemplate = 'out: {{ include "c/templates/_row.tpl" . | toJson }}\n';

const outer =
  'template: c/templates/out.yaml:1:8: executing "c/templates/out.yaml" at <include "c/templates/_row.tpl" .>: error calling include: ';

/** Gives the files of the little chart that a row is rendered in. */
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

/** Gives a row's text out of a rendered manifest. */
export function textOfOutput(stdout: string): string {
  const line = stdout.split('\n').find((candidate) => candidate.startsWith('out: '));
  if (line === undefined) throw new Error(`no row in the output: ${stdout}`);
  return JSON.parse(line.slice('out: '.length)) as string;
}

/** Gives an error text without the parts that every row shares. */
export function shortenError(stderr: string): string {
  return stderr
    .replace(/^Error: /, '')
    .replace(/\n\nUse --debug flag to render out invalid YAML\n?$/, '')
    .replace(outer, '')
    .trimEnd();
}
