// Every recorded result of real Helm is reproduced, except those that fixtures/vectors/pending.json names, which must differ.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type RowCheck, testRows } from '../support/row-tests.ts';
import { checkOf, readPending, readVectorFiles } from '../support/vectors.ts';

const pending = readPending();
const ids = new Set<string>();

for (const [file, runs] of readVectorFiles()) {
  const rows = runs.map(checkOf).map((row) => (pending.has(row.id) ? reversed(row) : row));
  for (const { id } of rows) ids.add(id);
  testRows(`vectors: ${file}`, rows);
}

test('vectors: every pending row is one that exists', () => {
  assert.deepEqual(
    [...pending].filter((id) => !ids.has(id)),
    [],
  );
});

function reversed(row: RowCheck): RowCheck {
  const check = async (): Promise<string | undefined> =>
    (await row.check()) === undefined ? 'passes: take it off the list of pending rows' : undefined;
  return { ...row, check };
}
