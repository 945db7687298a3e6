import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatAge } from '../../../emulator/routes/shapes.ts';

const ages: readonly (readonly [number, string])[] = [
  [-5, '0s'],
  [119, '119s'],
  [120, '2m'],
  [135, '2m15s'],
  [3 * 3600 + 600, '3h10m'],
  [47 * 3600, '47h'],
  [2 * 86400 + 3600, '2d1h'],
  [729 * 86400, '729d'],
  [731 * 86400, '2y1d'],
  [365 * 9 * 86400, '9y'],
];
for (const [seconds, want] of ages) {
  test(`${seconds} seconds are ${want}`, () => assert.equal(formatAge(seconds * 1000), want));
}
