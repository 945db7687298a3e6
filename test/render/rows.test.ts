// Every row of fixtures/{templates,functions,yaml} gives the result of the real binary; fixtures/differences.yaml lists the exceptions with
// reasons: an unlisted difference fails, and so does a listed row that no longer differs.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { parse } from 'yaml';
import { RenderError } from '../../render/core/errors.ts';
import { type HelmVersion, newestHelm } from '../../render/core/helm-version.ts';
import { randomPrime } from '../../render/functions/certificates/keys.ts';
import { majorOf } from '../../render/helm/versions.ts';
import { loadChart, realHost, seededHost, template } from '../../render/index.ts';
import { testRows } from '../support/row-tests.ts';
import {
  answerOf,
  chartOfRow,
  chartOfRows,
  idOf,
  mutates,
  type Row,
  type RowFile,
  readRowFiles,
  recordedHelms,
  shortenError,
  textOfAnswer,
  textOfOutput,
  textsOfOutput,
} from '../support/rows.ts';

interface Difference {
  readonly row?: string;
  /** Several rows with one reason. */
  readonly rows?: readonly string[];
  readonly reason: string;
  /** The major version, or the exact version, from which the rows differ. Default both major versions. */
  readonly helm?: 3 | 4 | HelmVersion;
}

const listed = parse(
  await readFile(new URL('../../fixtures/differences.yaml', import.meta.url), 'utf8'),
) as readonly Difference[];
const listedRows = ({ row, rows = [] }: Difference): readonly string[] => (row === undefined ? rows : [row, ...rows]);
const differing = (id: string, version: HelmVersion): boolean =>
  listed.some(
    (one) => listedRows(one).includes(id) && (one.helm === undefined || [version, majorOf(version)].includes(one.helm)),
  );

const usual = ([3, 4] as const).flatMap((major) => [recordedHelms[major], newestHelm(major)]);
const primes = new Map<number, bigint[]>();

// No row compares two keys, so two primes of each size are enough; generating one takes up to half a second.
function anyPrime(bits: number): bigint {
  const known = primes.get(bits) ?? [];
  const prime = known.length < 2 ? randomPrime(realHost('UTC'), bits) : known.shift()!;
  primes.set(bits, [...known, prime]);
  return prime;
}

// scrypt takes half a second, and is the same in every version.
const isSlow = ({ template }: Row): boolean => template.includes('derivePassword');

/** Returns the manifest of a chart, or the error. */
function render(files: Readonly<Record<string, string>>, version: HelmVersion): string | RenderError {
  try {
    return template(loadChart(files, { helm: version }), {
      releaseName: 'r',
      namespace: 'default',
      helm: version,
      host: { ...seededHost(), randomPrime: anyPrime },
    });
  } catch (error) {
    if (error instanceof RenderError) return error;
    throw error;
  }
}

/** Renders the rows that should succeed: those with the same values in one chart, which is faster than a chart for each. */
function renderTogether({ path, rows, values: usual, files }: RowFile, version: HelmVersion): ReadonlyMap<Row, string> {
  const texts = new Map<Row, string>();
  const shared = rows.filter((row) => answerOf(row, version).error === undefined && !mutates(row) && !isSlow(row));
  for (const values of new Set(shared.map((row) => row.values))) {
    const some = shared.filter((row) => row.values === values && !differing(idOf(path, row), version));
    const templates = some.map((row) => row.template);
    const output = render(chartOfRows(templates, values ?? usual, files), version);
    if (typeof output !== 'string') continue;
    for (const [at, text] of textsOfOutput(output).entries()) texts.set(some[at]!, text);
  }
  return texts;
}

function renderAlone(row: Row, { values, files }: RowFile, version: HelmVersion): string {
  const output = render(chartOfRow(row.template, row.values ?? values, files), version);
  return typeof output === 'string' ? textOfOutput(output) : `Error: ${shortenError(output.message)}`;
}

const ids = new Set<string>();
for (const file of await readRowFiles()) {
  const { path, rows } = file;
  const together = new Map<HelmVersion, ReadonlyMap<Row, string>>();
  const renderRow = (row: Row, version: HelmVersion): string => {
    if (!together.has(version))
      together.set(version, usual.includes(version) ? renderTogether(file, version) : new Map());
    const text = together.get(version)!.get(row);
    return text === textOfAnswer(answerOf(row, version)) ? text : renderAlone(row, file, version);
  };
  testRows(
    path,
    rows.map((row) => ({ id: path, text: row.template, check: () => differenceOf(row, path, renderRow) })),
  );
  for (const row of rows) ids.add(idOf(path, row));
}

type RenderRow = (row: Row, version: HelmVersion) => string;

// Every row in the recorded and the newest version of each major, and in each version with a different result.
function differenceOf(row: Row, path: string, render: RenderRow): string | undefined {
  const id = idOf(path, row);
  const everywhere = isSlow(row) ? usual.slice(0, 1) : usual;
  for (const version of new Set([...everywhere, ...(row.others ?? []).flatMap(({ versions }) => versions)])) {
    const want = textOfAnswer(answerOf(row, version));
    const got = render(row, version);
    if (differing(id, version)) {
      if (got === want) return `is listed in differences.yaml but no longer differs from Helm ${version}`;
    } else if (got !== want) return `Helm ${version}\n  want ${JSON.stringify(want)}\n  got  ${JSON.stringify(got)}`;
  }
  return undefined;
}

test('every listed difference names a row and a reason', () => {
  for (const difference of listed) {
    for (const row of listedRows(difference)) assert.ok(ids.has(row), `no row ${row}`);
    assert.ok(difference.reason.length > 10, 'say why they differ');
  }
});
