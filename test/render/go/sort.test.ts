// Go's unstable sort. The first of equal items was recorded from real Helm 3.17.3, which sorts its indexes with it.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { sortAsGo } from '../../../render/go/sort.ts';

interface Item {
  readonly key: number;
  readonly name: string;
}

const isNewer = (a: Item, b: Item): boolean => b.key < a.key;

function itemsOf(text: string): Item[] {
  return text.split(' ').map((name) => ({ key: Number(name.split('.')[0]), name }));
}

/** Returns the first item of each key. */
function firsts(items: readonly Item[]): Record<number, string> {
  return Object.fromEntries([...items].reverse().map(({ key, name }) => [key, name]));
}

test("the order of equal items is Helm's after an unbalanced partition", () => {
  const items = itemsOf(
    '0.9806 2.22674 2.36133 0.31790 2.43681 2.58131 2.58642 1.322 1.23654 0.40228 2.18467 0.62426 1.14624 1.51041 1.47878 1.12910 1.37258 0.56835 0.36200 0.62676',
  );
  assert.deepEqual(firsts(sortAsGo(items, isNewer)), { 0: '0.31790', 1: '1.51041', 2: '2.18467' });
});

test('every item is there once, in order, for all lengths and patterns', () => {
  const patterns: readonly ((index: number, length: number) => number)[] = [
    (index) => createHash('sha256').update(String(index)).digest().readUInt16BE(0),
    (index) => index % 3,
    (index) => index,
    (index, length) => length - index,
    (index, length) => Math.min(index, length - index),
    () => 0,
  ];
  for (const length of [0, 1, 2, 12, 13, 50, 51, 200, 1000]) {
    for (const pattern of patterns) {
      const items = Array.from({ length }, (_, index) => ({ key: pattern(index, length), name: String(index) }));
      const sorted = sortAsGo(items, isNewer);
      assert.equal(new Set(sorted).size, length);
      for (let i = 1; i < length; i++) assert(!isNewer(sorted[i] as Item, sorted[i - 1] as Item));
    }
  }
});
