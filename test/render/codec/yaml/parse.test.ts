import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emitJson } from '../../../../render/codec/json.ts';
import {
  parseYaml,
  parseYamlArray,
  parseYamlExact,
  parseYamlMap,
  scalarText,
} from '../../../../render/codec/yaml/parse.ts';
import { decodeUtf8 } from '../../../../render/go/utf8.ts';
import { Int } from '../../../../render/go/value.ts';
import { orGoError } from '../../../support/go-error.ts';

const read = (text: string): string => orGoError(() => emitJson(parseYaml(text)));
const toJson = 'error converting YAML to JSON: yaml: ';

function testTexts(name: string, rows: readonly (readonly [text: string, want: string])[]): void {
  test(name, () => {
    for (const [text, want] of rows) assert.equal(read(text), want, JSON.stringify(text));
  });
}

testTexts('plain scalars are what YAML 1.1 says, and what Go adds', [
  ['[y, No, on, OFF, yEs, tRUE]', '[true,false,true,false,"yEs","tRUE"]'],
  ['[010, 08, 0o17, 0x1F, 0b11, 0b-1, 1_000, -0b1]', '[8,8,15,31,3,-1,1000,-1]'],
  ['[.5, 5., 1e3, .e3, 1e400, 0x1p3, .5_0]', '[0.5,5,1000,".e3","1e400","0x1p3",0.5]'],
  ['[1:30, 2001-01-01, 1.2.3, "1", -0, -0.0]', '["1:30","2001-01-01","1.2.3","1",0,-0]'],
  ['[18446744073709551615, 18446744073709551616]', '[18446744073709552000,18446744073709552000]'],
  ['.inf', 'error converting YAML to JSON: json: unsupported value: +Inf'],
]);

testTexts('a merge takes its place in the order of keys', [
  ['x: &x {q: 1}\nb: {q: 9, <<: *x}', '{"b":{"q":1},"x":{"q":1}}'],
  ['x: &x {q: 1}\nb: {<<: *x, q: 9}', '{"b":{"q":9},"x":{"q":1}}'],
  ['<<: [{a: 1}, {a: 2, b: 2}]', '{"a":1,"b":2}'],
  ['"<<": {a: 1}', '{"\\u003c\\u003c":{"a":1}}'],
  ['<<: 1', `${toJson}map merge requires map or sequence of maps as the value`],
]);

testTexts('keys become strings, if they can', [
  ['{1: a, 2.5: b, yes: c, 0x10: d, 1e3: e}', '{"1":"a","1000":"e","16":"d","2.5":"b","true":"c"}'],
  ['? |\n  a\n: 1', '{"a\\n":1}'],
  ['[a, 1]: x', `${toJson}invalid map key: []interface {}{"a", 1}`],
  ['{{ a }}: x', `${toJson}invalid map key: map[interface {}]interface {}{"a":interface {}(nil)}`],
  ['~: x', 'error converting YAML to JSON: unsupported map key of type: %!s(<nil>), key: <nil>, value: "x"'],
]);

testTexts('a line is named as go-yaml counts it', [
  ['a: b: c', `${toJson}mapping values are not allowed in this context`],
  ['a: 1\nb: c: d', `${toJson}line 2: mapping values are not allowed in this context`],
  ['a:\n  - b\n c: d', `${toJson}line 2: did not find expected key`],
  ['a: [1,\n2\nb: c', `${toJson}line 2: did not find expected ',' or ']'`],
  ['a: "x\n\n', `${toJson}line 3: found unexpected end of stream`],
  ['a\nb: c', `${toJson}line 2: mapping values are not allowed in this context`],
]);

testTexts('what is wrong with the syntax comes before what is wrong with a value', [
  ['a: *b\nc: [', `${toJson}unknown anchor 'b' referenced`],
  ['a: !!int x\nb: [', `${toJson}line 2: did not find expected node content`],
  ['a: !!int x', `${toJson}cannot decode !!str \`x\` as a !!int`],
]);

test('an invalid character is found when Go reads its window of 512 bytes', () => {
  const late = `a: b: c\n#${'x'.repeat(600)}\u0001`;
  assert.equal(read(late), `${toJson}mapping values are not allowed in this context`);
  assert.equal(read('a: b: c\n\u0001'), `${toJson}control characters are not allowed`);
  assert.equal(read(`a: 1\n---\n#${'x'.repeat(600)}\u0001`), '{"a":1}');
  const bytes = (...octets: number[]): string => decodeUtf8(Uint8Array.from([0x61, 0x3a, 0x20, ...octets]));
  assert.equal(read(bytes(0xff, 0x0a)), `${toJson}invalid leading UTF-8 octet`);
  assert.equal(read(bytes(0xc3, 0x28)), `${toJson}invalid trailing UTF-8 octet`);
  assert.equal(read(bytes(0xc0, 0x80, 0x0a)), `${toJson}invalid length of a UTF-8 sequence`);
  assert.equal(read(bytes(0xe2, 0x82)), `${toJson}incomplete UTF-8 octet sequence`);
});

test('UTF-16 is parsed in both byte orders', () => {
  const units = [...'a: é\n'].map((char) => char.charCodeAt(0));
  const little = [0xff, 0xfe, ...units.flatMap((unit) => [unit & 255, unit >> 8])];
  const big = [0xfe, 0xff, ...units.flatMap((unit) => [unit >> 8, unit & 255])];
  for (const bytes of [little, big]) assert.equal(read(decodeUtf8(Uint8Array.from(bytes))), '{"a":"é"}');
});

test('invalid UTF-16 is rejected', () => {
  // Recorded: Helm 3.17.3, bytes of values files.
  const rows: readonly (readonly [hex: string, fault: string])[] = [
    ['fffe61003a002000310000', 'incomplete UTF-16 character'],
    ['feff0061003a00', 'incomplete UTF-16 character'],
    ['fffe61003a0020000a0001', 'incomplete UTF-16 character'],
    ['fffe61003a00200000d8', 'incomplete UTF-16 surrogate pair'],
    ['fffe61003a00200000d800', 'incomplete UTF-16 surrogate pair'],
    ['fffe61003a00200000d86100', 'expected low surrogate area'],
    ['fffe61003a00200000dc', 'unexpected low surrogate area'],
    ['fffe61003a0020000100', 'control characters are not allowed'],
  ];
  for (const [hex, fault] of rows) assert.equal(read(decodeUtf8(Buffer.from(hex, 'hex'))), `${toJson}${fault}`, hex);
  assert.equal(read(decodeUtf8(Buffer.from('fffe61003a0020003dd800de', 'hex'))), '{"a":"😀"}');
});

test('aliases are copies, and may not multiply without limit', () => {
  const value = parseYamlMap('a: &a {b: [1]}\nc: *a');
  assert.notEqual(value.get('a'), value.get('c'));
  const levels = Array.from({ length: 6 }, (_, i) => `a${i + 1}: &a${i + 1} [${Array(9).fill(`*a${i}`).join(', ')}]`);
  assert.equal(read(`a0: &a0 [x]\n${levels.join('\n')}`), `${toJson}document contains excessive aliasing`);
  assert.equal(read('a: &a [*a]'), `${toJson}anchor 'a' value contains itself`);
});

test('deep nesting ends in an error', () => {
  assert.throws(() => parseYaml('['.repeat(20_000)), {
    code: 'LIMIT_REACHED',
    message: 'YAML is nested more than 500 levels deep',
  });
});

test('a map or a list may be required', () => {
  const wrongType = 'error unmarshaling JSON: while decoding JSON: json: cannot unmarshal';
  assert.deepEqual(parseYamlMap(''), new Map());
  assert.deepEqual(parseYamlArray('null'), []);
  assert.equal(
    orGoError(() => emitJson(parseYamlMap('- a'))),
    `${wrongType} array into Go value of type map[string]interface {}`,
  );
  assert.equal(
    orGoError(() => emitJson(parseYamlArray('a: 1'))),
    `${wrongType} object into Go value of type []interface {}`,
  );
});

test('exact parsing keeps integers apart, for fields that are strings', () => {
  const value = parseYamlExact('[1, 1.0, 1e6, 0x10, true, x, 12345678901234567890]') as Int[];
  assert.ok(value[0] instanceof Int);
  assert.deepEqual(value.map(scalarText), ['1', '1', '1e+06', '16', 'true', 'x', '12345678901234567890']);
});
