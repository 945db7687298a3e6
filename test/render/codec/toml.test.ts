import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emitToml } from '../../../render/codec/toml/emit.ts';
import { parseToml } from '../../../render/codec/toml/parse.ts';
import { type GoValue, int, typeOf } from '../../../render/go/value.ts';
import { orGoError } from '../../support/go-error.ts';

test('values have the types of the library', () => {
  const value = parseToml('i = 1\nf = 1.0\nd = 1979-05-27T07:32:00Z\nl = [1]\n[[t]]\na = 1\n');
  const types = new Map([...value].map(([key, item]) => [key, typeOf(item)]));
  assert.deepEqual(
    [...types],
    [
      ['i', 'int64'],
      ['f', 'float64'],
      ['d', 'time.Time'],
      ['l', '[]interface {}'],
      ['t', '[]map[string]interface {}'],
    ],
  );
});

test('plain entries come before tables; a nil is left out', () => {
  const value = new Map<string, GoValue>([
    ['t', new Map<string, GoValue>([['b', new Map([['c', int(1)]])]])],
    ['l', [new Map([['a', int(1)]]), new Map([['a', int(2)]])]],
    ['z', 1e6],
    ['n', null],
    ['mixed', [1.5, 'x\n', new Map([['k', true]])]],
  ]);
  const want = [
    'mixed = [1.5, "x\\n", {k = true}]',
    'z = 1000000.0',
    '',
    '[[l]]',
    '  a = 1',
    '',
    '[[l]]',
    '  a = 2',
    '',
    '[t]',
    '  [t.b]',
    '    c = 1',
    '',
  ];
  assert.equal(emitToml(value), want.join('\n'));
});

test('values that TOML cannot represent are an error', () => {
  const refusal = (value: GoValue): string => orGoError(() => emitToml(value));
  assert.equal(refusal(new Map([['l', [null]]])), 'toml: cannot encode array with nil element');
  assert.equal(refusal([new Map()]), 'toml: top-level values must be Go maps or structs');
});
