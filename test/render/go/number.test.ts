import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  formatFloat,
  parseBool,
  parseFloat64,
  parseInt64,
  parseUint64,
  quote,
  quoteRune,
  quoteToAscii,
} from '../../../render/go/number.ts';
import { GoError } from '../../../render/go/value.ts';

// Callers recognize the error by its name.
const refusal = (name: string, text: string, reason: string): GoError =>
  new GoError(
    `strconv.${name}: parsing "${text}": ${reason}`,
    reason === 'value out of range' ? { kind: 'range' } : {},
  );

test('formatFloat writes the shortest float32', () => {
  assert.equal(formatFloat(Math.fround(0.1), 'g', -1, 32), '0.1');
  assert.equal(formatFloat(Math.fround(16777216), 'g', -1, 32), '1.6777216e+07');
});

const readFloats: [text: string, want: number | string][] = [
  ['1', 1],
  ['+1.5e3', 1500],
  ['.5', 0.5],
  ['5.', 5],
  ['-0', -0],
  ['1_000.5', 1000.5],
  ['0x1p-2', 0.25],
  ['0x1.8p1', 3],
  ['-0x.8p0', -0.5],
  ['0x1p-1074', 5e-324],
  ['0x1p-1075', 0],
  ['0x1.8p-1075', 5e-324],
  ['inf', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
  ['NaN', Number.NaN],
  ['', 'invalid syntax'],
  ['x', 'invalid syntax'],
  ['1__0', 'invalid syntax'],
  ['1_', 'invalid syntax'],
  ['_', 'invalid syntax'],
  ['.', 'invalid syntax'],
  ['1e', 'invalid syntax'],
  ['0x1', 'invalid syntax'],
  ['infi', 'invalid syntax'],
  [' 1', 'invalid syntax'],
  ['1e400', 'value out of range'],
  ['0x1p1024', 'value out of range'],
];
for (const [text, want] of readFloats) {
  test(`parseFloat64 ${JSON.stringify(text)}`, () => {
    if (typeof want === 'number') assert.equal(parseFloat64(text), want);
    else assert.throws(() => parseFloat64(text), refusal('ParseFloat', text, want));
  });
}

const ints: [text: string, base: number, want: bigint | string][] = [
  ['0', 0, 0n],
  ['-12', 0, -12n],
  ['+5', 10, 5n],
  ['0x1F', 0, 31n],
  ['0o17', 0, 15n],
  ['017', 0, 15n],
  ['0b11', 0, 3n],
  ['-0b11', 0, -3n],
  ['1_000', 0, 1000n],
  ['0x_f', 0, 15n],
  ['zz', 36, 1295n],
  ['9223372036854775807', 0, 9223372036854775807n],
  ['-9223372036854775808', 0, -9223372036854775808n],
  ['08', 0, 'invalid syntax'],
  ['', 10, 'invalid syntax'],
  ['-', 10, 'invalid syntax'],
  ['1_000', 10, 'invalid syntax'],
  ['0x', 0, 'invalid syntax'],
  ['1.0', 0, 'invalid syntax'],
  ['9223372036854775808', 0, 'value out of range'],
  ['99999999999999999999x', 10, 'value out of range'],
];
for (const [text, base, want] of ints) {
  test(`parseInt64 ${JSON.stringify(text)} base ${base}`, () => {
    if (typeof want === 'bigint') assert.equal(parseInt64(text, base), want);
    else assert.throws(() => parseInt64(text, base), refusal('ParseInt', text, want));
  });
}

test('parseUint64 accepts 64 bits and no sign', () => {
  assert.equal(parseUint64('18446744073709551615', 10), 18446744073709551615n);
  assert.throws(() => parseUint64('18446744073709551616', 10), /value out of range/);
  assert.throws(() => parseUint64('-1', 10), refusal('ParseUint', '-1', 'invalid syntax'));
});

test('parseBool', () => {
  assert.equal(parseBool('T'), true);
  assert.equal(parseBool('False'), false);
  assert.throws(() => parseBool('yes'), refusal('ParseBool', 'yes', 'invalid syntax'));
});

test('quote escapes characters that Go does not print', () => {
  assert.equal(quote('a"b\n\t\\é\u200b😀\0'), '"a\\"b\\n\\t\\\\é\\u200b😀\\x00"');
  assert.equal(
    quote('\u00a0\u00ad\ufeff\ufffd\ue000\u0378\x7f\u0085'),
    '"\\u00a0\\u00ad\\ufeff\ufffd\\ue000\\u0378\\x7f\\u0085"',
  );
  assert.equal(quote('\x07\b\f\r\v\x1b'), '"\\a\\b\\f\\r\\v\\x1b"');
  assert.equal(quote('\udcff\udcfe'), '"\\xff\\xfe"');
  assert.equal(quote('\u{1ffff}'), '"\\U0001ffff"');
  assert.equal(quote('\u{2ebf0}'), '"\\U0002ebf0"', 'a character newer than the Unicode of Go 1.23');
  assert.equal(quoteToAscii('é😀"\x7f\udcff'), '"\\u00e9\\U0001f600\\"\\x7f\\xff"');
});

test('quoteRune', () => {
  assert.equal(quoteRune(65, false), "'A'");
  assert.equal(quoteRune(39, false), "'\\''");
  assert.equal(quoteRune(34, false), "'\"'");
  assert.equal(quoteRune(-7, false), "'\ufffd'");
  assert.equal(quoteRune(0xd800, true), "'\\ufffd'");
  assert.equal(quoteRune(0xe9, true), "'\\u00e9'");
});
