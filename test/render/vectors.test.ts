// Every recorded answer of real Helm is given again, but for those that fixtures/vectors/pending.json names; and those are not.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPending, readVectors, type Vector } from '../support/vectors.ts';

const pending = readPending();
const named = new Set<string>();

for (const [file, vectors] of readVectors()) {
  test(`vectors: ${file}, ${vectors.length} rows`, async () => {
    const broken: string[] = [];
    for (const vector of vectors) {
      named.add(vector.name);
      const difference = await check(vector);
      if (pending.has(vector.name)) {
        if (difference === undefined) broken.push(`${vector.name} passes: take it off the list of pending rows`);
      } else if (difference !== undefined) {
        broken.push(`${vector.name}: ${difference}`);
      }
    }
    assert.deepEqual(broken, []);
  });
}

test('vectors: every pending row is one that exists', () => {
  assert.deepEqual(
    [...pending].filter((name) => !named.has(name)),
    [],
  );
});

async function check(vector: Vector): Promise<string | undefined> {
  try {
    return await vector.check();
  } catch (error) {
    return `crashed: ${error instanceof Error ? error.stack : String(error)}`;
  }
}
