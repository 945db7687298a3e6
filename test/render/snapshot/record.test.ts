// The record of a snapshot's inputs: written and read unchanged.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatSnapshotRecord, readRecord } from '../../../render/snapshot/record.ts';

const plain = {
  charts: {},
  release: { name: 'r', namespace: 'd' },
  kubeVersion: 'v1.32.0',
  helm: '3.17.3',
  marks: 'AAAA',
};

test('a record stores the lines of a chart once for all its cases', () => {
  const [one, other] = [{ 'web/templates/a.yaml': 'AAAABBBB' }, { 'db/templates/a.yaml': 'CCCC' }];
  const inputs = {
    a: { ...plain, lines: one },
    b: { ...plain, lines: other },
    c: { ...plain, lines: { ...one } },
  };
  const text = formatSnapshotRecord({ key: 'k', inputs });
  assert.equal(text.match(/AAAABBBB/g)?.length, 1);
  assert.deepEqual(readRecord(text, 'record'), { key: 'k', inputs });
});

test('inputs with invalid lines are left out', () => {
  const inputs = { a: { ...plain, lines: { x: 'AAAA' } }, b: { ...plain, lines: {} } };
  const text = formatSnapshotRecord({ key: 'k', inputs });
  for (const torn of [text.replace('"lines":0', '"lines":7'), text.replace('"x":"AAAA"', '"x":"A"')]) {
    assert.deepEqual(Object.keys(readRecord(torn, 'record')?.inputs ?? {}), ['b']);
  }
});
