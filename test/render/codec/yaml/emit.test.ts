import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emitJson } from '../../../../render/codec/json.ts';
import { emitYaml, emitYamlPretty } from '../../../../render/codec/yaml/emit.ts';
import { decodeUtf8 } from '../../../../render/go/utf8.ts';
import { type GoMap, GoObject, type GoValue, int, nilMap, nilSlice, stringSlice } from '../../../../render/go/value.ts';
import { orGoError } from '../../../support/go-error.ts';

function testValues(
  name: string,
  rows: readonly (readonly [value: GoValue, compact: string, pretty?: string])[],
): void {
  test(name, () => {
    for (const [value, compact, pretty] of rows) {
      assert.equal(
        orGoError(() => emitYaml(value)),
        compact,
      );
      if (pretty !== undefined) assert.equal(emitYamlPretty(value), pretty);
    }
  });
}

class Point extends GoObject {
  readonly type = 'image.Point';
  override fields(): ReadonlyMap<string, GoValue> {
    return new Map<string, GoValue>([
      ['Y', int(1)],
      ['Name', 'p'],
    ]);
  }
}

testValues('Go types are what JSON makes of them, or what go-yaml v3 does', [
  [nilSlice(), 'null\n', '[]\n'],
  [nilMap(), 'null\n', '{}\n'],
  [stringSlice(['a']), '- a\n', '- a\n'],
  [Uint8Array.of(104, 105), 'aGk=\n', '- 104\n- 105\n'],
  [new Point(), 'Name: p\n"Y": 1\n', '"y": 1\nname: p\n'],
  [int(5), '5\n', '5\n'],
  [1e6, '1000000\n', '1e+06\n'],
  [2 ** 63, '9223372036854776000\n', '9.223372036854776e+18\n'],
  [Number.POSITIVE_INFINITY, 'error marshaling into JSON: json: unsupported value: +Inf', '.inf\n'],
  [decodeUtf8(Uint8Array.of(0xff)), '\ufffd\n', '!!binary /w==\n'],
]);

testValues('JSON in between changes some texts, and refuses some', [
  ['a\u0085b', 'a b\n', '"a\\Nb"\n'],
  ['a\u007fb', 'yaml: control characters are not allowed', '"a\\x7Fb"\n'],
  ['a\u2028b', "'a\u2028  b'\n", "'a\u2028  b'\n"],
  ['\ufeffa', '"\\uFEFF\\x61"\n', '"\\uFEFF\\x61"\n'],
  [new Map([['k'.repeat(1100), 1]]), "yaml: did not find expected ',' or '}'"],
]);

testValues('long texts are folded at single spaces, in the compact form', [
  [`${'x'.repeat(81)} y  z w`, `${'x'.repeat(81)}\n  y  z w\n`, `${'x'.repeat(81)} y  z w\n`],
  [`# ${'x'.repeat(80)} y `, `'# ${'x'.repeat(80)}\n  y '\n`],
  [`\t${'x'.repeat(80)}  y`, `"\\t${'x'.repeat(80)}\n  \\ y"\n`],
]);

testValues('a block keeps its breaks', [
  [['a\nb', ' a\n', 'a\n\n', 'a \nb'], '- |-\n  a\n  b\n- |2\n   a\n- |+\n  a\n\n- "a \\nb"\n'],
  ['a\tb\n', '"a\\tb\\n"\n', '|\n  a\tb\n'],
]);

test('keys are sorted by the numbers in them', () => {
  const keys = (names: string[]): GoMap => new Map(names.map((name) => [name, 0]));
  const order = (text: string): string[] => text.trim().replaceAll(/: 0|"/g, '').split('\n');
  assert.deepEqual(order(emitYaml(keys(['a10', 'a9', 'b', 'A', 'a-b', 'aB', '10', '9', '_']))), [
    ...['_', '9', '10', 'A', 'a-b', 'a9', 'a10', 'aB', 'b'],
  ]);
  assert.deepEqual(order(emitYamlPretty(keys(['a10', 'a1b', 'a9']))), ['a1b', 'a9', 'a10']);
});

test('a cyclic value is an error', () => {
  const map: GoMap = new Map();
  map.set('a', map);
  const problem = 'json: unsupported value: encountered a cycle via map[string]interface {}';
  assert.equal(
    orGoError(() => emitYaml(map)),
    problem,
  );
  assert.equal(
    orGoError(() => emitJson(map)),
    problem,
  );
});
