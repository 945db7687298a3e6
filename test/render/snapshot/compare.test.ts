// A rendering compared with a snapshot in memory.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CompareOptions, changedFiles, writeChanges } from '../../../render/snapshot/compare.ts';

/** Compares texts; returns the statuses by path and the new recorded texts. */
function compare(
  rendered: Readonly<Record<string, string>>,
  recorded: Readonly<Record<string, string>>,
  options: CompareOptions = {},
): { readonly statuses: object; readonly recorded: object } {
  let files: ReadonlyMap<string, string> = new Map(Object.entries(recorded));
  const store = {
    read: () => files,
    write: (all: ReadonlyMap<string, string>) => {
      files = all;
    },
  };
  const changes = changedFiles(files, new Map(Object.entries(rendered)), options);
  if (options.update) writeChanges(changes, store);
  return {
    statuses: Object.fromEntries(changes.map(({ path, status }) => [path, status])),
    recorded: Object.fromEntries([...files].sort()),
  };
}

test('files are as recorded, different, new or obsolete; nothing is written', () => {
  const recorded = { a: '1\n', b: '2\n', d: '4\n' };
  assert.deepEqual(compare({ a: '1\n', b: '3\n', c: '' }, recorded), {
    statuses: { b: 'different', c: 'new', d: 'obsolete' },
    recorded,
  });
});

test('line endings of a Windows checkout are no difference', () => {
  assert.deepEqual(compare({ a: 'x\ny\n' }, { a: 'x\r\ny\r\n' }).statuses, {});
  assert.deepEqual(compare({ a: 'x\r\ny\n' }, { a: 'x\r\ny\n' }).statuses, {});
  assert.deepEqual(compare({ a: 'x\r\n' }, { a: 'x\n' }).statuses, { a: 'different' });
});

test('a masked value includes all its lines', () => {
  const text = (words: string): string =>
    `data:\n  ca: |\n    ${words}\n\n    more\n\n  key: "${words}\n    ${words}"\n- ca: >-\n    ${words}\n  other: 1\n`;
  const { recorded } = compare({ a: text('one') }, {}, { mask: ['ca', 'key'], update: true });
  assert.deepEqual(recorded, {
    a: 'data:\n  ca: <masked>\n\n  key: <masked>\n- ca: <masked>\n  other: 1\n',
  });
  assert.deepEqual(compare({ a: text('two') }, { a: text('one') }, { mask: ['ca', 'key'] }).statuses, {});
});

test('masked keys are ignored at any depth', () => {
  const text = (version: string): string =>
    `labels:\n  helm.sh/chart: web-${version}\n  "version": "${version}"\n- version: ${version}\n  helmXsh/chart: 1\n`;
  const mask = ['helm.sh/chart', 'version'];
  assert.deepEqual(compare({ a: text('1') }, { a: text('2') }, { mask }).statuses, {});
  assert.deepEqual(compare({ a: text('1') }, {}, { mask, update: true }).recorded, {
    a: 'labels:\n  helm.sh/chart: <masked>\n  "version": <masked>\n- version: <masked>\n  helmXsh/chart: 1\n',
  });
  assert.deepEqual(compare({ a: 'helmXsh/chart: 1\n' }, { a: 'helmXsh/chart: 2\n' }, { mask }).statuses, {
    a: 'different',
  });
});
