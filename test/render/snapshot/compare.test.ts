// A rendering compared with a snapshot in memory.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyChanges, changedFiles } from '../../../render/snapshot/compare.ts';
import { meaningOf } from '../../../render/snapshot/meaning.ts';

/** Compares texts; returns the statuses by path, and the recorded texts after an update. */
function compare(
  rendered: Readonly<Record<string, string>>,
  recorded: Readonly<Record<string, string>>,
  missing: readonly string[] = [],
): { readonly statuses: object; readonly recorded: object } {
  const files = new Map(Object.entries(recorded));
  const changes = changedFiles(files, new Map(Object.entries(rendered)), missing);
  return {
    statuses: Object.fromEntries(changes.map(({ path, status }) => [path, status])),
    recorded: Object.fromEntries(applyChanges(files, changes)),
  };
}

test('files are as recorded, different, new or obsolete, and an update records the output', () => {
  const rendered = { a: '1\n', b: '3\n', c: '' };
  assert.deepEqual(compare(rendered, { a: '1\n', b: '2\n', d: '4\n' }), {
    statuses: { b: 'different', c: 'new', d: 'obsolete' },
    recorded: rendered,
  });
});

test('line endings of a Windows checkout are no difference', () => {
  assert.deepEqual(compare({ a: 'x\ny\n' }, { a: 'x\r\ny\r\n' }).statuses, {});
  assert.deepEqual(compare({ a: 'x\r\ny\n' }, { a: 'x\r\ny\n' }).statuses, {});
  assert.deepEqual(compare({ a: 'x\r\n' }, { a: 'x\n' }).statuses, { a: 'different' });
});

test('cases that fail keep their recorded snapshot', () => {
  const { statuses, recorded } = compare({ a: '2' }, { a: '1', b: '1' }, ['b']);
  assert.deepEqual([statuses, recorded], [{ a: 'different' }, { a: '2', b: '1' }]);
});

test('documents that are not objects are compared as text', () => {
  for (const [before, after] of [
    ['a text\n', 'another text\n'],
    ['kind: A\n---\n- 1\n', 'kind: A\n---\n- 2\n'],
    ['kind: A\n---\na text\n', 'kind: A\n'],
  ] as const) {
    const { files } = meaningOf([{ path: 'a.yaml', status: 'different', before, after }]);
    assert.match(files[0]?.diff ?? '', /^@@ /, before);
  }
});
