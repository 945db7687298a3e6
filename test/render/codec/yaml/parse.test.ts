// Bytes, aliases and depth; what YAML means is recorded in fixtures/yaml.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emitJson } from '../../../../render/codec/json.ts';
import { parseYaml, parseYamlMap } from '../../../../render/codec/yaml/parse.ts';
import { catchGoError } from '../../../../render/core/catch.ts';
import { decodeUtf8 } from '../../../../render/go/utf8.ts';

const read = (text: string): string => {
  return catchGoError(
    () => emitJson(parseYaml(text)),
    ({ message }) => message,
  );
};
const toJson = 'error converting YAML to JSON: yaml: ';

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
