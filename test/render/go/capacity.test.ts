// The capacity of Go slices, and the elements beyond their length.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exact, grown, roomBehind, withCapacity, withRoom } from '../../../render/go/capacity.ts';
import { int, stringSlice, typedSlice } from '../../../render/go/value.ts';

test('a list that grew item by item has a power of two as capacity, filled with zero values', () => {
  assert.deepEqual(roomBehind(['a', 'b', 'c']), [null]);
  assert.deepEqual(roomBehind([]), []);
  assert.deepEqual([...roomBehind(stringSlice(['a', 'b', 'c', 'd', 'e']))], ['', '', '']);
  assert.deepEqual(roomBehind(typedSlice('[]int', [1, 2, 3].map(int))), [int(0)]);
});

test('a recorded capacity takes precedence', () => {
  assert.deepEqual(roomBehind(exact(['a', 'b', 'c'])), []);
  assert.deepEqual(roomBehind(withRoom(['a'], ['b'])), ['b']);
  assert.deepEqual(roomBehind(withCapacity(['a'], 3)), [null, null]);
});

test('growth follows the size classes', () => {
  const rows: [capacity: number, length: number, isInts: boolean, want: number][] = [
    [0, 1, false, 1],
    [0, 3, false, 3],
    [5, 6, false, 10],
    [17, 18, false, 35],
    [17, 18, true, 36],
    [512, 513, true, 848],
    [3000, 3001, false, 4096],
  ];
  for (const [capacity, length, isInts, want] of rows) assert.equal(grown(capacity, length, isInts), want);
});
