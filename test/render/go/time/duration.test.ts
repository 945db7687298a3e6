import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sprintf } from '../../../../render/go/format.ts';
import {
  formatDuration,
  parseDuration,
  roundDuration,
  toDuration,
  truncateDuration,
} from '../../../../render/go/time/duration.ts';
import { GoError } from '../../../../render/go/value.ts';

const printed: [nanoseconds: bigint, want: string][] = [
  [0n, '0s'],
  [1n, '1ns'],
  [1100n, '1.1µs'],
  [2_200_000n, '2.2ms'],
  [3_300_000_000n, '3.3s'],
  [245_000_000_000n, '4m5s'],
  [3_600_000_000_000n, '1h0m0s'],
  [18_367_001_000_000n, '5h6m7.001s'],
  [-90_000_000_000n, '-1m30s'],
  [9223372036854775807n, '2562047h47m16.854775807s'],
  [-9223372036854775808n, '-2562047h47m16.854775808s'],
];
for (const [nanoseconds, want] of printed) {
  test(`${want} is formatted and parsed`, () => {
    assert.equal(formatDuration(nanoseconds), want);
    assert.equal(parseDuration(want), nanoseconds);
  });
}

const read: [text: string, want: bigint | string][] = [
  ['0', 0n],
  ['-0', 0n],
  ['+5s', 5_000_000_000n],
  ['1.5h', 5_400_000_000_000n],
  ['.5s', 500_000_000n],
  ['5.s', 5_000_000_000n],
  ['1h15m30.918273645s', 4_530_918_273_645n],
  ['52763797000ms', 52_763_797_000_000_000n],
  ['10.5us', 10_500n],
  ['10.5μs', 10_500n],
  ['0.3333333333333333333h', 1_200_000_000_000n],
  ['0.100000000000000000000h', 360_000_000_000n],
  ['', 'time: invalid duration ""'],
  ['3', 'time: missing unit in duration "3"'],
  ['-', 'time: invalid duration "-"'],
  ['s', 'time: invalid duration "s"'],
  ['.s', 'time: invalid duration ".s"'],
  ['1d', 'time: unknown unit "d" in duration "1d"'],
  ['1é', 'time: unknown unit "\\xc3\\xa9" in duration "1\\xc3\\xa9"'],
  ['9223372036854775808ns', 'time: invalid duration "9223372036854775808ns"'],
  ['3000000h', 'time: invalid duration "3000000h"'],
  ['1 s', 'time: unknown unit " s" in duration "1 s"'],
];
for (const [text, want] of read) {
  test(`duration ${JSON.stringify(text)}`, () => {
    if (typeof want === 'bigint') assert.equal(parseDuration(text), want);
    else assert.throws(() => parseDuration(text), new GoError(want));
  });
}

test('round and truncate', () => {
  assert.equal(roundDuration(1_500_000_000n, 1_000_000_000n), 2_000_000_000n);
  assert.equal(roundDuration(-1_500_000_000n, 1_000_000_000n), -2_000_000_000n);
  assert.equal(roundDuration(1_499_999_999n, 1_000_000_000n), 1_000_000_000n);
  assert.equal(roundDuration(5n, 0n), 5n);
  assert.equal(truncateDuration(-1_999_999_999n, 1_000_000_000n), -1_000_000_000n);
});

test('a duration is a named int64', () => {
  const value = toDuration(5_400_000_000_000n);
  assert.equal(sprintf('%v %d %T', value, value, value), '1h30m0s 5400000000000 time.Duration');
  assert.equal(value.methods?.get('Hours')?.call(), 1.5);
});
