import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  byteLength,
  decodeUtf8,
  encodeUtf8,
  isValidUtf8,
  joinBytes,
  runeCount,
  sliceBytes,
  toValidUtf8,
} from '../../../render/go/utf8.ts';

const rows: [name: string, bytes: number[], text: string, runes: number][] = [
  ['empty', [], '', 0],
  ['ascii', [0x61, 0x00, 0x7f], 'a\0\x7f', 3],
  ['two bytes', [0xc3, 0xa9], 'é', 1],
  ['three bytes', [0xe6, 0x97, 0xa5], '日', 1],
  ['four bytes', [0xf0, 0x9f, 0x98, 0x80], '😀', 1],
  ['byte order mark', [0xef, 0xbb, 0xbf], '\ufeff', 1],
  ['stray byte', [0x61, 0xff, 0x62], 'a\udcffb', 3],
  ['cut character', [0xe6, 0x97], '\udce6\udc97', 2],
  ['overlong', [0xc0, 0x80], '\udcc0\udc80', 2],
  ['surrogate', [0xed, 0xa0, 0x80], '\udced\udca0\udc80', 3],
  ['beyond U+10FFFF', [0xf4, 0x90, 0x80, 0x80], '\udcf4\udc90\udc80\udc80', 4],
  ['stray after astral', [0xf0, 0x9f, 0x98, 0x80, 0x80], '😀\udc80', 2],
];

for (const [name, bytes, text, runes] of rows) {
  test(`bytes and text: ${name}`, () => {
    assert.equal(decodeUtf8(Uint8Array.from(bytes)), text);
    assert.deepEqual([...encodeUtf8(text)], bytes);
    assert.equal(byteLength(text), bytes.length);
    assert.equal(runeCount(text), runes);
  });
}

test('a slice cuts characters as in Go', () => {
  assert.equal(sliceBytes('日本', 0, 4), '日\udce6');
  assert.equal(sliceBytes('日本', 1), '\udc97\udca5本');
  assert.equal(sliceBytes('abc', 1, 2), 'b');
});

test('surrogate halves are joined again', () => {
  assert.equal(joinBytes(['\udce6', '\udc97\udca5']), '日');
});

test('validity is checked', () => {
  assert.equal(isValidUtf8('😀é'), true);
  assert.equal(isValidUtf8('a\udc80'), false);
  assert.equal(toValidUtf8('a\udcc3\udc80b😀'), 'a\ufffd\ufffdb😀');
  assert.deepEqual([...encodeUtf8('\ud800x\udc80')], [0xef, 0xbf, 0xbd, 0x78, 0x80]);
});
