// JSON of many megabytes is read and written in steps, to the same end as in one go.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepDigits, writeExact, writingExact } from '../../../emulator/http/exact.ts';
import { readingJson } from '../../../emulator/http/long-json.ts';
import { type Json, JsonError, parseJson, readJson } from '../../../emulator/store/json.ts';
import { runSteps } from '../../../emulator/store/steps.ts';
import { fc } from '../../support/fast-check.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

test('what is read in steps is what is read at once', () => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
      const text = JSON.stringify(value);
      assert.deepEqual(runSteps(readingJson(bytesOf(text))), keepDigits(text, parseJson(text)));
    }),
  );
});

test('every digit is kept, and every character on the edge of a piece', () => {
  const text = `{"big":9007199254740993,"one":1.0,"far":1e400,"__proto__":{"a":1},"text":"${'aü€😀\\n\\u20ac'.repeat(5000)}"}`;
  for (const shift of [0, 1, 2, 3]) {
    const shifted = ' '.repeat(shift) + text;
    const value = runSteps(readingJson(bytesOf(shifted)));
    assert.deepEqual(value, keepDigits(text, parseJson(text)));
    assert.equal(writeExact(value), writeExact(keepDigits(text, parseJson(text))));
    assert.ok(Object.hasOwn(value as object, '__proto__'));
  }
});

test('what cannot be read is refused, as it is at once', () => {
  const bad = [
    ...[
      '',
      ' ',
      '{',
      '[1,2',
      '[1,]',
      '{"a":1,}',
      '[1]]',
      '[1] x',
      '"a',
      'nul',
      '01',
      '{"a" 1}',
      '[1 2]',
      '"\u0001"',
      '1 2',
      '-',
    ],
    '['.repeat(201) + ']'.repeat(201),
    `${'{"a":'.repeat(201)}1${'}'.repeat(201)}`,
  ].map(bytesOf);
  bad.push(Uint8Array.of(0x22, 0xc3, 0x22), Uint8Array.of(0x22, 0xff, 0x22), Uint8Array.of(0x22, 0xc3));
  for (const bytes of bad) {
    assert.throws(() => readJson(bytes), JsonError);
    assert.throws(() => runSteps(readingJson(bytes)), JsonError, new TextDecoder().decode(bytes).slice(0, 50));
  }
});

test('what is written in steps is what is written at once, and a newline', () => {
  const rows = Array.from({ length: 100 }, (_, id): Json => ({ id, name: `n${id}`, of: [] }));
  for (const value of [
    { a: { rows, none: [], empty: {} }, b: null, 'c"': 'ü' },
    rows,
    [],
    {},
    'x',
    1.5,
    null,
  ] as Json[]) {
    assert.equal(new TextDecoder().decode(runSteps(writingExact(value))), `${writeExact(value)}\n`);
  }
});
