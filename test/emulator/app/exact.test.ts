// Numbers that JavaScript would round keep their digits.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepDigits, writeExact } from '../../../emulator/app/exact.ts';
import { type Json, JsonError, parseJsonText, readJsonValue } from '../../../emulator/store/json.ts';
import { fc } from '../../support/fast-check.ts';

test('text is written as it was read', () => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
      const text = JSON.stringify(value);
      assert.equal(writeExact(keepDigits(text, parseJsonText(text))), text);
    }),
  );
  for (const text of [
    '{"big":9007199254740993,"one":1.0,"far":1e400,"__proto__":{"a":-1.50}}',
    '["\\"1.0","\\\\",1.0,"a\\\\\\"2.0",-0]',
    '1.0',
  ]) {
    assert.equal(writeExact(keepDigits(text, parseJsonText(text))), text);
  }
});

test('a string of many megabytes is parsed', () => {
  for (const piece of ['a', '\\n', '1.0']) {
    const text = `{"a":"${piece.repeat(5 * 1024 * 1024)}","b":1.0}`;
    const value = keepDigits(text, parseJsonText(text)) as { readonly b: Json };
    assert.equal(writeExact(value.b), '1.0');
  }
});

test('invalid JSON is refused', () => {
  const bad = ['', '{', '[1,2', '[1,]', '[1] x', '"a', 'nul', '01', '{"a" 1}', '"\u0001"', '-'];
  const deep = '['.repeat(201) + ']'.repeat(201);
  for (const text of [...bad, deep])
    assert.throws(() => readJsonValue(new TextEncoder().encode(text)), JsonError, text);
  for (const bytes of [
    [0x22, 0xff, 0x22],
    [0x22, 0xc3],
  ]) {
    assert.throws(() => readJsonValue(Uint8Array.from(bytes)), JsonError);
  }
});
