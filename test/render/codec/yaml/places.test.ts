// Places of members in a text: each row is a text, a path, and the resulting line and column.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emitYaml } from '../../../../render/codec/yaml/emit.ts';
import { listMembers } from '../../../../render/codec/yaml/members.ts';
import { findMember, placeFinder } from '../../../../render/codec/yaml/places.ts';
import { valueOfJson } from '../../../../render/values/patch.ts';
import { fc } from '../../../support/fast-check.ts';

const whole: readonly (readonly [text: string, path: string, line: number, column: number])[] = [
  ['a:\n- b: 1\n- c: 2\n', 'a.1.c', 3, 3],
  ['{a: [1, {b: 2}], c: }', 'c', 1, 18],
  ['{a, c: 1}', 'a', 1, 2],
  ['{? a : 1, : 2, b: 3}', 'b', 1, 16],
  ['? [x]\n: 1\nb: 2', 'b', 3, 1],
  ['"a b": {c.d: 1}\n', 'a b', 1, 1],
  ['- - x\n  - y\n- z\n', '0.1', 2, 5],
  ['- a\n-\n- b\n', '2', 3, 3],
  ['a:\n-\n-\nb: 2', 'b', 4, 1],
  ['a:\n  -\n  - x: 1\nb: 2', 'a.1.x', 3, 5],
  ['[a: 1, b]', '0.a', 1, 2],
  ['a: !!str x\nb: !t &n {c: 1}', 'b.c', 2, 11],
  ['a: |\n  b: 1\nc: "x\n  y"\nd: 1', 'd', 5, 1],
];

for (const [text, path, line, column] of whole) {
  test(`${JSON.stringify(text)} at ${path}`, () => {
    assert.deepEqual(findMember(text, path.split('.')), { line, column, isWhole: true });
    const find = placeFinder(text);
    find([]);
    assert.deepEqual(find(path.split('.')), { line, column, isWhole: true });
  });
}

const partial: readonly (readonly [text: string, path: string, line: number, column: number])[] = [
  ['a: {b: 1}\n', 'a.c', 1, 1],
  ['a: 1\n---\nb: 2', 'b', 1, 1],
  ['a: &x {b: 1}\nc: *x\n', 'c.b', 2, 1],
  ['x: 1\na: [1]\n', 'a.1', 2, 1],
];

for (const [text, path, line, column] of partial) {
  test(`${JSON.stringify(text)} contains only a part of ${path}`, () => {
    assert.deepEqual(findMember(text, path.split('.')), { line, column, isWhole: false });
  });
}

test('very deep nesting has places', () => {
  const text = `${'['.repeat(9000)}x${']'.repeat(9000)}`;
  assert.deepEqual(findMember(text, ['0', '0', '1']), { line: 1, column: 3, isWhole: false });
  assert.equal(findMember(text, Array<string>(8999).fill('0')).column, 1001);
});

test('a list of all places matches a search for each', () => {
  const texts = fc.oneof(
    fc.jsonValue({ maxDepth: 4 }).map((value) => emitYaml(valueOfJson(value as Parameters<typeof valueOfJson>[0]))),
    fc.jsonValue({ maxDepth: 4 }).map((value) => JSON.stringify(value)),
    fc.constantFrom(...[...whole, ...partial].map(([text]) => text)),
  );
  fc.assert(
    fc.property(texts, (text) => {
      const find = placeFinder(text);
      find([]);
      for (const { steps } of listMembers(text)) {
        for (const path of [steps.map(String), [...steps.map(String), 'more']]) {
          assert.deepEqual(find(path), findMember(text, path), path.join(' '));
        }
      }
    }),
  );
});
