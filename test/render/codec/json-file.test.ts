// JSON in files: errors have their line and column, in every JavaScript engine.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readJson } from '../../../render/codec/json-file.ts';

const faults: readonly [text: string, at: string][] = [
  ['{\n  "a": }', '2:8'],
  ['{"a": 1', '1:8'],
  ['[1,\n 2\n 3]', '3:2'],
  ['\ufeff{"a" 1}', '1:6'],
  ['', '1:1'],
  ['{} x', '1:4'],
];
for (const [text, at] of faults) {
  test(`the error in ${JSON.stringify(text)} is at ${at}`, () => {
    assert.match(readJson('a.json', text).fault ?? '', new RegExp(`^a\\.json:${at}: \\w`));
  });
}

test('a byte order mark is valid', () =>
  assert.deepEqual(readJson('a.json', '\ufeff{"a": [1]}'), { value: { a: [1] } }));
