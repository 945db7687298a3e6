import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type FloatFormat,
  formatFloat,
  parseBool,
  parseFloat64,
  parseInt64,
  parseUint64,
  quote,
  quoteRune,
  quoteToAscii,
  unquote,
} from '../../../render/go/number.ts';
import { GoError } from '../../../render/go/value.ts';

// Callers recognize the error by its name.
const kindOf = (want: unknown) => (want === 'value out of range' ? { kind: 'range' as const } : {});

const floats: [value: number, format: FloatFormat, precision: number, want: string][] = [
  [0, 'g', -1, '0'],
  [-0, 'g', -1, '-0'],
  [1, 'g', -1, '1'],
  [999999.5, 'g', -1, '999999.5'],
  [1e6, 'g', -1, '1e+06'],
  [1234567, 'g', -1, '1.234567e+06'],
  [21000000.25, 'g', -1, '2.100000025e+07'],
  [0.0001, 'g', -1, '0.0001'],
  [0.00001, 'g', -1, '1e-05'],
  [5e-324, 'g', -1, '5e-324'],
  [1.7976931348623157e308, 'g', -1, '1.7976931348623157e+308'],
  [Number.NaN, 'g', -1, 'NaN'],
  [Number.POSITIVE_INFINITY, 'f', 2, '+Inf'],
  [Number.NEGATIVE_INFINITY, 'g', -1, '-Inf'],
  [1e-7, 'G', -1, '1E-07'],
  [123456789, 'g', 3, '1.23e+08'],
  [123456789, 'g', 10, '123456789'],
  [100000, 'g', 3, '1e+05'],
  [0, 'g', 0, '0'],
  [0.5, 'f', 0, '0'],
  [1.5, 'f', 0, '2'],
  [2.5, 'f', 0, '2'],
  [0.125, 'f', 2, '0.12'],
  [0.375, 'f', 2, '0.38'],
  [1.005, 'f', 2, '1.00'],
  [9.995, 'f', 2, '9.99'],
  [99.99, 'f', 1, '100.0'],
  [0.05, 'f', 1, '0.1'],
  [0.04, 'f', 1, '0.0'],
  [1e21, 'f', -1, '1000000000000000000000'],
  [1e-7, 'f', -1, '0.0000001'],
  [1e23, 'f', 0, '99999999999999991611392'],
  [123456.789, 'e', 6, '1.234568e+05'],
  [123456.789, 'E', -1, '1.23456789E+05'],
  [0, 'e', 2, '0.00e+00'],
  [3, 'b', -1, '6755399441055744p-51'],
  [3, 'x', -1, '0x1.8p+01'],
  [-3.14159, 'X', -1, '-0X1.921F9F01B866EP+01'],
  [0, 'x', -1, '0x0p+00'],
  [1, 'x', 0, '0x1p+00'],
  [1.9, 'x', 1, '0x1.ep+00'],
  [1.99, 'x', 0, '0x1p+01'],
];
for (const [value, format, precision, want] of floats) {
  test(`formatFloat ${value} ${format} ${precision}`, () => assert.equal(formatFloat(value, format, precision), want));
}

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
    else
      assert.throws(
        () => parseFloat64(text),
        new GoError(`strconv.ParseFloat: parsing "${text}": ${want}`, kindOf(want)),
      );
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
    else
      assert.throws(
        () => parseInt64(text, base),
        new GoError(`strconv.ParseInt: parsing "${text}": ${want}`, kindOf(want)),
      );
  });
}

test('parseUint64 accepts 64 bits and no sign', () => {
  assert.equal(parseUint64('18446744073709551615', 10), 18446744073709551615n);
  assert.throws(() => parseUint64('18446744073709551616', 10), /value out of range/);
  assert.throws(() => parseUint64('-1', 10), new GoError('strconv.ParseUint: parsing "-1": invalid syntax'));
});

test('parseBool', () => {
  assert.equal(parseBool('T'), true);
  assert.equal(parseBool('False'), false);
  assert.throws(() => parseBool('yes'), new GoError('strconv.ParseBool: parsing "yes": invalid syntax'));
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

const literals: [literal: string, want: string | undefined][] = [
  ['"a"', 'a'],
  ['`a\\n\r"`', 'a\\n"'],
  ['"\\a\\b\\f\\n\\r\\t\\v\\\\\\""', '\x07\b\f\n\r\t\v\\"'],
  ['"\\x41\\101\\u00e9\\U0001f600"', 'AAé😀'],
  ['"\\xc3\\xa9"', 'é'],
  ['"\\xff"', '\udcff'],
  ["'\\xff'", 'ÿ'],
  ["'\\''", "'"],
  ['"\'"', "'"],
  ['"\\\'"', undefined],
  ['"\\ud800"', undefined],
  ['"\\400"', undefined],
  ['"\\z"', undefined],
  ['"a"b"', undefined],
  ['"a', undefined],
  ['"a\nb"', undefined],
  ["'ab'", undefined],
  ["''", undefined],
  ['a', undefined],
  ['', undefined],
];
for (const [literal, want] of literals) {
  test(`unquote ${JSON.stringify(literal)}`, () => {
    if (want === undefined) assert.throws(() => unquote(literal), new GoError('invalid syntax'));
    else assert.equal(unquote(literal), want);
  });
}
