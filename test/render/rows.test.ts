// Every row of fixtures/{templates,functions,yaml} gives what the real binary gave; fixtures/differences.yaml lists, with a
// reason, the rows that may differ: an unlisted difference fails, and so does a listed row that no longer differs.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { parse } from 'yaml';
import { RenderError } from '../../render/errors.ts';
import { loadChart, seededHost, template } from '../../render/index.ts';
import { recordedHelms } from '../support/helms.ts';
import { testRows } from '../support/row-tests.ts';
import { answerOf, chartOfRow, type Row, readRowFiles, shortenError, textOfOutput } from '../support/rows.ts';

interface Difference {
  readonly row: string;
  readonly reason: string;
  /** The Helm from which the row differs. Default both. */
  readonly helm?: 3 | 4;
}

const listed = parse(await readFile(new URL('../../fixtures/differences.yaml', import.meta.url), 'utf8')) as
  | readonly Difference[]
  | null;
const differing = new Map((listed ?? []).map(({ row, helm }) => [row, helm ?? ('both' as const)]));

function render(row: Row, values: string, helm: 3 | 4): string {
  const version = recordedHelms[helm];
  const encoder = new TextEncoder();
  const files = Object.entries(chartOfRow(row.template, values)).map(
    ([name, text]) => [name, encoder.encode(text)] as const,
  );
  try {
    const chart = loadChart(new Map(files), { helm: version });
    return textOfOutput(template(chart, { releaseName: 'r', namespace: 'default', helm: version, host: seededHost() }));
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    return `Error: ${shortenError(error.message)}`;
  }
}

const ids = new Set<string>();
for (const { path, helms, rows, values } of await readRowFiles()) {
  const checks = rows.map((row) => ({
    id: path,
    text: row.template,
    check: () => differenceOf(row, values, { differs: differing.get(idOf(path, row)), helms }),
  }));
  for (const row of rows) ids.add(idOf(path, row));
  testRows(path, checks);
}

function idOf(path: string, row: Row): string {
  return `${path}: ${row.template}`;
}

interface Asked {
  /** The Helm from which it is listed to differ. */
  readonly differs: 3 | 4 | 'both' | undefined;
  readonly helms: readonly (3 | 4)[];
}

function differenceOf(row: Row, values: string, { differs, helms }: Asked): string | undefined {
  for (const helm of helms) {
    const difference = differenceFrom(row, { values, mayDiffer: differs === helm || differs === 'both', helm });
    if (difference !== undefined) return difference;
  }
  return undefined;
}

function differenceFrom(
  row: Row,
  { values, mayDiffer, helm }: { readonly values: string; readonly mayDiffer: boolean; readonly helm: 3 | 4 },
): string | undefined {
  const want = answerOf(row, helm);
  const got = render(row, values, helm);
  if (mayDiffer) return got === want ? 'is listed in differences.yaml but no longer differs' : undefined;
  return got === want ? undefined : `Helm ${helm}\n  want ${JSON.stringify(want)}\n  got  ${JSON.stringify(got)}`;
}

test('every listed difference names a row and a reason', () => {
  for (const { row, reason } of listed ?? []) {
    assert.ok(ids.has(row), `no row ${row}`);
    assert.ok(reason.length > 10, `${row}: say why it differs`);
  }
});
