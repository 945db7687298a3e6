import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeBase64, encodeBase64 } from '../../../render/go/base64.ts';
import { encodeUtf8 } from '../../../render/go/utf8.ts';
import { GoError } from '../../../render/go/value.ts';

test('bytes are encoded and decoded', () => {
  for (const [text, base64] of [
    ['', ''],
    ['a', 'YQ=='],
    ['ab', 'YWI='],
    ['abc', 'YWJj'],
    ['é😀\udcff', 'w6nwn5iA/w=='],
  ] as const) {
    assert.equal(encodeBase64(encodeUtf8(text)), base64);
    assert.deepEqual(decodeBase64(base64), encodeUtf8(text));
  }
});

test('line breaks are skipped, and unused bits ignored', () => {
  for (const text of ['aGk=\n', 'a\r\nG\nk=', 'aGk\n=\n']) assert.deepEqual(decodeBase64(text), encodeUtf8('hi'));
  for (const text of ['aG==', 'aG=\n=']) assert.deepEqual(decodeBase64(text), encodeUtf8('h'));
});

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
