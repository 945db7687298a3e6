// Rows: one template each, with the result of the real binary. See fixtures/README.md.

import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, stringify } from 'yaml';
import type { HelmVersion } from '../../render/core/helm-version.ts';
import { decodeUtf8 } from '../../render/go/utf8.ts';
import { majorOf } from '../../render/helm/versions.ts';

const fixtures = fileURLToPath(new URL('../../fixtures', import.meta.url));

/** The result of a Helm for a template: its output, or its error. */
export interface RowAnswer {
  readonly want?: string;
  readonly error?: string;
}

/** A row: a template, and the result of Helm 3. */
export interface Row extends RowAnswer {
  readonly template: string;
  /** Replaces the values of the file. */
  readonly values?: string;
  /** The result of Helm 4, if it differs in more than the line breaks of an error. */
  readonly helm4?: RowAnswer;
  /** The results of versions that differ from the recorded version of their major version. */
  readonly others?: readonly (RowAnswer & { readonly versions: readonly HelmVersion[] })[];
}

/** Returns the result of a Helm for a row. */
export function answerOf(row: Row, version: HelmVersion): RowAnswer {
  const own = row.others?.find(({ versions }) => versions.includes(version));
  const { want, error } = own ?? (majorOf(version) === 4 ? (row.helm4 ?? row) : row);
  return { ...(want !== undefined && { want }), ...(error !== undefined && { error }) };
}

/** Returns a result as text, an error after `Error: `. */
export function textOfAnswer({ want = '', error }: RowAnswer): string {
  return error === undefined ? want : `Error: ${error}`;
}

/** One file of rows, which share a chart. */
export interface RowFile {
  readonly path: string;
  readonly values: string;
  /** The files of the chart that templates read. */
  readonly files: Readonly<Record<string, string>>;
  readonly rows: readonly Row[];
}

/** The files of the chart of most rows. */
const commonFiles = { 'f.txt': 'line one\nline two\n', 'd/x.txt': 'x' };

/** Returns every row file of fixtures/{templates,functions,yaml}, in a stable order. */
export async function readRowFiles(): Promise<RowFile[]> {
  const found: RowFile[] = [];
  for (const folder of ['templates', 'functions', 'yaml']) {
    for (const name of (await readdir(join(fixtures, folder))).sort()) {
      const path = join(folder, name);
      const { values = '', files = commonFiles, rows } = parse(await readFile(join(fixtures, path), 'utf8')) as RowFile;
      found.push({ path, values, files, rows });
    }
  }
  return found;
}

/** Writes a row file. */
export async function writeRowFile({ path, values, files, rows }: RowFile): Promise<void> {
  const heading = `# Written by \`npm run reference -- record-functions\` from the answers of Helm v${recordedHelms[3]} (helm4: where v${recordedHelms[4]} differs); edit the templates, not the answers.\n`;
  const document = { values, ...(files !== commonFiles && { files }), rows };
  await writeFile(join(fixtures, path), heading + stringify(document, { lineWidth: 0 }));
}

/** Returns the name of a row, which differences.yaml and failures print. */
export function idOf(path: string, { template, values }: Pick<Row, 'template' | 'values'>): string {
  return `${path}: ${template}${values === undefined ? '' : ` of ${JSON.stringify(values)}`}`;
}

/** Returns the files of the chart for a row. */
export function chartOfRow(
  template: string,
  values: string,
  files: Readonly<Record<string, string>> = commonFiles,
): Record<string, string> {
  return {
    'Chart.yaml': 'apiVersion: v2\nname: c\nversion: 0.1.0\nappVersion: "2.0"\n',
    'values.yaml': values,
    ...files,
    'templates/_row.tpl': template,
    'templates/out.yaml': printerOf('out', '_row.tpl'),
  };
}

/** Returns the files of a chart that prints several rows with the same values, each with the key `r` and its index. */
export function chartOfRows(
  templates: readonly string[],
  values: string,
  files?: Readonly<Record<string, string>>,
): Record<string, string> {
  const chart = chartOfRow('', values, files);
  for (const [at, template] of templates.entries()) chart[`templates/_row${at}.tpl`] = template;
  chart['templates/out.yaml'] = templates.map((_, at) => printerOf(`r${at}`, `_row${at}.tpl`)).join('');
  return chart;
}

// Encoded, so that any text is valid YAML and keeps its white space.
function printerOf(key: string, file: string): string {
  return `${key}: {{ include "c/templates/${file}" . | b64enc }}\n`;
}

/** Reports whether a row may change what other rows of its chart see: named templates, or values. */
export function mutates({ template }: Row): boolean {
  if (/\b(define|block)\b/.test(template)) return true;
  return /\b(set|unset|(mustM|m)erge(Overwrite)?)\b/.test(template) && /\.Values|[$.][ )]/.test(template);
}

/** Extracts the output of a row from a rendered manifest; bytes that are not valid UTF-8 are U+FFFD. */
export function textOfOutput(manifest: string): string {
  const [text] = textsOfOutput(manifest);
  if (text === undefined) throw new Error(`no row in the output: ${manifest}`);
  return text;
}

/** Extracts the outputs of several rows, in their order. */
export function textsOfOutput(manifest: string): string[] {
  return [...manifest.matchAll(/^(?:out|r\d+): ?(\S*)$/gm)].map(([, text = '']) =>
    decodeUtf8(Buffer.from(text, 'base64')).replace(/[\udc80-\udcff]/gu, '\ufffd'),
  );
}

const outer =
  'template: c/templates/out.yaml:1:8: executing "c/templates/out.yaml" at <include "c/templates/_row.tpl" .>: error calling include: ';

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
