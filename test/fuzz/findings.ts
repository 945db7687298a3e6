// Writes findings as rows that fail, so that a fix makes them pass.

import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parse, stringify } from 'yaml';
import type { Row } from '../support/rows.ts';
import type { Finding } from './family.ts';
import { rowValues } from './rows.ts';

/** The file of rows found with generated inputs. */
export const foundFile = fileURLToPath(new URL('../../fixtures/functions/found.yaml', import.meta.url));

const heading =
  '# Found by `npm run fuzz`; written by `npm run reference -- record-functions` from the answers of Helm v3.17.3; edit the templates, not the answers.\n';

/** Adds new findings to the file of rows; returns their number. */
export async function writeFindings(findings: readonly Finding[]): Promise<number> {
  const text = await readFile(foundFile, 'utf8').catch(() => '');
  const old = (parse(text) as { readonly rows: readonly Row[] } | null)?.rows ?? [];
  const known = new Set(old.map(({ template }) => template));
  const rows = findings.flatMap(({ row }) => (row === undefined || known.has(row.template) ? [] : [row]));
  const fresh = rows.map(({ template, want }) =>
    want.startsWith('Error: ') ? { template, error: want.slice('Error: '.length) } : { template, want },
  );
  if (fresh.length > 0)
    await writeFile(foundFile, heading + stringify({ values: rowValues, rows: [...old, ...fresh] }, { lineWidth: 0 }));
  return fresh.length;
}
