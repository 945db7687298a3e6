import assert from 'node:assert/strict';
import { test } from 'node:test';
import { strval, toFloat64, toInt64 } from '../../../render/go/cast.ts';
import { type GoValue, Int, int, int64 } from '../../../render/go/value.ts';

const rows: [name: string, value: GoValue, asInt: bigint, asFloat: number][] = [
  ['nil', null, 0n, 0],
  ['true', true, 1n, 1],
  ['int', int(5), 5n, 5],
  ['int64', int64(-7), -7n, -7],
  ['float', 2.9, 2n, 2.9],
  ['negative float', -2.9, -2n, -2.9],
  ['NaN', Number.NaN, -9223372036854775808n, Number.NaN],
  ['large float', 1e21, -9223372036854775808n, 1e21],
  ['month', new Int(3n, 'int', 'time.Month'), 3n, 3],
  ['duration', new Int(3n, 'int64', 'time.Duration'), 0n, 0],
  ['"12"', '12', 12n, 12],
  ['"010"', '010', 8n, 10],
  ['"08"', '08', 0n, 8],
  ['"0x10"', '0x10', 16n, 0],
  ['"1_000"', '1_000', 1000n, 1000],
  ['"1.0"', '1.0', 1n, 1],
  ['"1.00"', '1.00', 1n, 1],
  ['"1.10"', '1.10', 0n, 1.1],
  ['"1."', '1.', 0n, 1],
  ['"1e3"', '1e3', 0n, 1000],
  ['"1e400"', '1e400', 0n, 0],
  ['"12345678901234567890"', '12345678901234567890', 0n, 12345678901234567890],
  ['" 1"', ' 1', 0n, 0],
  ['list', [int(1)], 0n, 0],
];
for (const [name, value, asInt, asFloat] of rows) {
  test(`number from ${name}`, () => {
    assert.equal(toInt64(value), asInt);
    assert.equal(toFloat64(value), asFloat);
  });
}

test('strval', () => {
  assert.equal(strval(new Uint8Array([0x68, 0xff])), 'h\udcff');
  assert.equal(strval(1e6), '1e+06');
  assert.equal(strval(null), '<nil>');
  assert.equal(strval([int(1), 'a']), '[1 a]');
});
