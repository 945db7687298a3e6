// The places of errors in base64, of which the recorded rows have few.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeBase64 } from '../../../render/go/base64.ts';
import { GoError } from '../../../render/go/value.ts';

test('an error names the same byte as Go', () => {
  const rows: readonly (readonly [string, number])[] = [
    ['aGk', 0],
    ['a b', 1],
    ['aGk\n', 1],
    ['=', 0],
    ['a=', 1],
    ['aG=', 3],
    ['aG=x', 2],
    ['aG==x', 4],
    ['YQ=\n', 4],
    ['YWJj!', 4],
  ];
  for (const [text, place] of rows) {
    assert.throws(
      () => decodeBase64(text),
      new GoError(`illegal base64 data at input byte ${place}`),
      JSON.stringify(text),
    );
  }
});
