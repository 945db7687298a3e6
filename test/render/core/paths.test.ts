import assert from 'node:assert/strict';
import { test } from 'node:test';
import { joinPath, splitPath } from '../../../render/core/paths.ts';

test('a path is parsed into the steps that it was formatted from', () => {
  const paths: readonly (readonly (string | number)[])[] = [
    ['spec', 'containers', 0, 'image'],
    ['metadata', 'annotations', 'a.b/c'],
    ['labels', 'x]"[\\'],
    [0, 1],
    ['', 'a'],
    ['a\nb'],
  ];
  for (const steps of paths) {
    const text = steps.reduce<string>(joinPath, '');
    assert.deepEqual(splitPath(text), steps.map(String), text);
  }
});

test('a backslash keeps the dot after it', () => {
  assert.deepEqual(splitPath('annotations.a\\.b[0]'), ['annotations', 'a.b', '0']);
  assert.deepEqual(splitPath('a["\\x"]'), ['a', '\\x']);
  assert.deepEqual(splitPath(''), []);
});
