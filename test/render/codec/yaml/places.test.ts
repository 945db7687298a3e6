// Places of members in a text: each row is a text, a path, and the resulting line and column.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findMember } from '../../../../render/codec/yaml/places.ts';

const rows: readonly (readonly [text: string, path: string, line: number, column: number, isWhole: boolean])[] = [
  ['a:\n- b: 1\n- c: 2\n', 'a.1.c', 3, 3, true],
  ['{a: [1, {b: 2}], c: }', 'c', 1, 18, true],
  ['{a, c: 1}', 'a', 1, 2, true],
  ['{? a : 1, : 2, b: 3}', 'b', 1, 16, true],
  ['? [x]\n: 1\nb: 2', 'b', 3, 1, true],
  ['"a b": {c.d: 1}\n', 'a b', 1, 1, true],
  ['- - x\n  - y\n- z\n', '0.1', 2, 5, true],
  ['- a\n-\n- b\n', '2', 3, 3, true],
  ['a:\n-\n-\nb: 2', 'b', 4, 1, true],
  ['a:\n  -\n  - x: 1\nb: 2', 'a.1.x', 3, 5, true],
  ['[a: 1, b]', '0.a', 1, 2, true],
  ['a: !!str x\nb: !t &n {c: 1}', 'b.c', 2, 11, true],
  ['a: |\n  b: 1\nc: "x\n  y"\nd: 1', 'd', 5, 1, true],
  // Only a part of the path exists.
  ['a: {b: 1}\n', 'a.c', 1, 1, false],
  ['a: 1\n---\nb: 2', 'b', 1, 1, false],
  ['a: &x {b: 1}\nc: *x\n', 'c.b', 2, 1, false],
  ['x: 1\na: [1]\n', 'a.1', 2, 1, false],
  // The text is not valid.
  ['- a\n: b\n', '1', 1, 1, false],
];

test('places of members', () => {
  for (const [text, path, line, column, isWhole] of rows) {
    assert.deepEqual({ text, path, ...findMember(text, path.split('.')) }, { text, path, line, column, isWhole });
  }
});

test('very deep nesting has places', () => {
  const text = `${'['.repeat(9000)}x${']'.repeat(9000)}`;
  assert.deepEqual(findMember(text, ['0', '0', '1']), { line: 1, column: 3, isWhole: false });
  assert.equal(findMember(text, Array<string>(8999).fill('0')).column, 1001);
});
