import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emitToml } from '../../../render/codec/toml/emit.ts';
import { parseToml } from '../../../render/codec/toml/parse.ts';
import type { GoValue } from '../../../render/go/value.ts';
import { typeOf } from '../../../render/go/value.ts';

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

test('a nil is left out', () => {
  assert.equal(
    emitToml(
      new Map<string, GoValue>([
        ['n', null],
        ['z', 1e6],
      ]),
    ),
    'z = 1000000.0\n',
  );
});
