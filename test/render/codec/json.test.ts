import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emitJson, parseJson, parseJsonArray, parseJsonMap, prefixOfJson } from '../../../render/codec/json.ts';
import { decodeUtf8 } from '../../../render/go/utf8.ts';
import { GoObject, type GoValue, int, isNil, nilSlice } from '../../../render/go/value.ts';
import { orGoError } from '../../support/go-error.ts';

class Point extends GoObject {
  readonly type = 'image.Point';
  override fields(): ReadonlyMap<string, GoValue> {
    return new Map<string, GoValue>([
      ['Y', int(1)],
      ['X', int(2)],
    ]);
  }
}

test('values are written as encoding/json writes them', () => {
  const rows: readonly (readonly [GoValue, string])[] = [
    ['<&>"\\/\b\f\n\r\t\u0000\u007f\u2028é', '"\\u003c\\u0026\\u003e\\"\\\\/\\b\\f\\n\\r\\t\\u0000\u007f\\u2028é"'],
    [decodeUtf8(Uint8Array.of(0x61, 0xff)), '"a\\ufffd"'],
    [[1, 1.5, 1e21, 1e-7, 1e20, -0], '[1,1.5,1e+21,1e-7,100000000000000000000,-0]'],
    [
      new Map<string, GoValue>([
        ['b', true],
        ['a', null],
        ['\u{1f600}', []],
        ['\uffff', nilSlice()],
      ]),
      '{"a":null,"b":true,"\uffff":null,"\u{1f600}":[]}',
    ],
    [new Point(), '{"Y":1,"X":2}'],
    [Uint8Array.of(1, 2), '"AQI="'],
    [Number.NaN, 'json: unsupported value: NaN'],
  ];
  for (const [value, want] of rows) {
    assert.equal(
      orGoError(() => emitJson(value)),
      want,
    );
  }
});

test('JSON may be indented, and written without HTML escapes', () => {
  const value = new Map<string, GoValue>([
    ['l', [1, []]],
    ['m', new Map()],
    ['s', '<\u2028'],
  ]);
  assert.equal(
    emitJson(value, { indent: '  ' }),
    '{\n  "l": [\n    1,\n    []\n  ],\n  "m": {},\n  "s": "\\u003c\\u2028"\n}',
  );
  assert.equal(emitJson('<&>\u2028', { escapeHtml: false }), '"<&>\\u2028"');
});

test('strings are parsed with invalid parts replaced', () => {
  assert.equal(parseJson('"\\ud83d\\ude00\\ud83dx\\u00e9\\/"'), '\u{1f600}\ufffdxé/');
  assert.equal(parseJson(`"${decodeUtf8(Uint8Array.of(0xff))}"`), '\ufffd');
});

test('the requested type must be the actual one', () => {
  assert.ok(isNil(parseJsonMap('null')));
  assert.ok(isNil(parseJsonArray('null')));
  const refusal = (run: () => GoValue): string => orGoError(() => emitJson(run()));
  assert.equal(
    refusal(() => parseJsonArray('{}')),
    'json: cannot unmarshal object into Go value of type []interface {}',
  );
  assert.equal(
    refusal(() => parseJsonMap('"x"')),
    'json: cannot unmarshal string into Go value of type map[string]interface {}',
  );
  assert.equal(
    refusal(() => parseJson('[1e400]')),
    'json: cannot unmarshal number 1e400 into Go value of type float64',
  );
  assert.throws(() => parseJson('['.repeat(20_000)), {
    code: 'LIMIT_REACHED',
    message: 'JSON is nested more than 500 levels deep',
  });
});

test('a value may be followed by other text', () => {
  assert.deepEqual(prefixOfJson(' [1] ,x'), { value: [1], text: ' [1]' });
  assert.deepEqual(prefixOfJson('0x10'), { value: 0, text: '0' });
});
