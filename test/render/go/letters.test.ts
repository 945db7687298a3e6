import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  isLetter,
  isLower,
  isPunct,
  isSpace,
  isTitle,
  isUpper,
  lettersEnd,
  toLower,
  toTitle,
  toUpper,
} from '../../../render/go/letters.ts';

test('mappings give one character', () => {
  const rows: readonly (readonly [char: string, upper: string, lower: string, title: string])[] = [
    ['a', 'A', 'a', 'A'],
    ['ß', 'ß', 'ß', 'ß'],
    ['ŉ', 'ŉ', 'ŉ', 'ŉ'],
    ['İ', 'İ', 'i', 'İ'],
    ['ı', 'I', 'ı', 'I'],
    ['ǅ', 'Ǆ', 'ǆ', 'ǅ'],
    ['ǳ', 'Ǳ', 'ǳ', 'ǲ'],
    ['ა', 'Ა', 'ა', 'ა'],
    ['ᾀ', 'ᾈ', 'ᾀ', 'ᾈ'],
    ['ῳ', 'ῼ', 'ῳ', 'ῼ'],
    ['Σ', 'Σ', 'σ', 'Σ'],
    ['𐐨', '𐐀', '𐐨', '𐐀'],
  ];
  for (const [char, upper, lower, title] of rows) {
    assert.deepEqual([toUpper(char), toLower(char), toTitle(char)], [upper, lower, title], char);
  }
});

test('characters newer than Unicode 15.0 are no letters', () => {
  assert.ok(!isLetter('\u{10d50}') && !isUpper('\ua7cb'));
  assert.ok(isLower('\u0295'));
  assert.equal(lettersEnd('$a_é1\u0661\u1c89', 1), 6);
  assert.equal(toUpper('ƛ'), 'ƛ');
  assert.equal(toLower('\ua7cb'), '\ua7cb');
});

test('character classes', () => {
  assert.ok(isSpace('\u0085') && isSpace('\u00a0') && !isSpace('\ufeff'));
  assert.ok(isTitle('ǅ') && !isUpper('ǅ'));
  assert.ok(isPunct('!') && isPunct('_') && !isPunct('+') && !isPunct('$'));
});
