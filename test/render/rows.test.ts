// Every row of fixtures/{templates,functions,yaml} gives the result of the real binary; fixtures/differences.yaml lists the exceptions with
// reasons: an unlisted difference fails, and so does a listed row that no longer differs.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { parse } from 'yaml';
import { RenderError } from '../../render/core/errors.ts';
import { type HelmVersion, newestHelm } from '../../render/core/helm-version.ts';
import { majorOf } from '../../render/helm/versions.ts';
import { loadChart, seededHost, template } from '../../render/index.ts';
import { testRows } from '../support/row-tests.ts';
import {
  answerOf,
  chartOfRow,
  type Row,
  readOtherRows,
  readRowFiles,
  recordedHelms,
  shortenError,
  textOfOutput,
} from '../support/rows.ts';

interface Difference {
  readonly row?: string;
  /** Several rows with one reason. */
  readonly rows?: readonly string[];
  readonly reason: string;
  /** The major version, or the exact version, from which the rows differ. Default both major versions. */
  readonly helm?: 3 | 4 | HelmVersion;
}

const listed = parse(await readFile(new URL('../../fixtures/differences.yaml', import.meta.url), 'utf8')) as
  | readonly Difference[]
  | null;
const listedRows = ({ row, rows = [] }: Difference): readonly string[] => (row === undefined ? rows : [row, ...rows]);
const differing = (id: string, version: HelmVersion): boolean =>
  (listed ?? []).some(
    (one) => listedRows(one).includes(id) && (one.helm === undefined || [version, majorOf(version)].includes(one.helm)),
  );

function render(row: Row, values: string, version: HelmVersion): string {
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

const others = await readOtherRows();
const ids = new Set<string>();
for (const { path, helms, rows, values } of await readRowFiles()) {
  const checks = rows.map((row) => ({
    id: path,
    text: row.template,
    check: () => differenceOf(row, values, idOf(path, row), helms),
  }));
  for (const row of rows) ids.add(idOf(path, row));
  testRows(path, checks);
}

function idOf(path: string, row: Row): string {
  return `${path}: ${row.template}`;
}

// Every row in the recorded and the newest version of each major, and in each version with a different result.
function differenceOf(row: Row, values: string, id: string, helms: readonly (3 | 4)[]): string | undefined {
  const other = others.get(id) ?? [];
  const usual = helms.flatMap((major) => [recordedHelms[major], newestHelm(major)]);
  for (const version of new Set([...usual, ...other.flatMap(({ versions }) => versions)])) {
    const major = majorOf(version);
    const own = other.find(({ versions }) => versions.includes(version));
    const want = own === undefined ? answerOf(row, major) : answerOf(own.answer, 3);
    const got = render(row, values, version);
    if (differing(id, version)) {
      if (got === want) return `is listed in differences.yaml but no longer differs from Helm ${version}`;
    } else if (got !== want) return `Helm ${version}\n  want ${JSON.stringify(want)}\n  got  ${JSON.stringify(got)}`;
  }
  return undefined;
}

test('every listed difference names a row and a reason', () => {
  for (const difference of listed ?? []) {
    for (const row of listedRows(difference)) assert.ok(ids.has(row), `no row ${row}`);
    assert.ok(difference.reason.length > 10, 'say why they differ');
  }
});
