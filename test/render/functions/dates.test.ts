import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededHost } from '../../../render/core/host.ts';
import { createDateFuncs } from '../../../render/functions/dates.ts';
import { formatValue } from '../../../render/go/format.ts';
import { Time } from '../../../render/go/time/time.ts';
import { type GoValue, Int, int } from '../../../render/go/value.ts';

const now = Date.UTC(2023, 10, 14, 22, 13, 20, 500);
const funcs = createDateFuncs(seededHost({ now }));

function call(name: string, ...args: GoValue[]): GoValue {
  const fn = funcs.get(name);
  assert.ok(fn, name);
  return fn.call(...(args as never[]));
}
const text = (name: string, ...args: GoValue[]): string => formatValue(call(name, ...args));
const day = call('toDate', '2006-01-02', '2017-12-31');

const rows: [want: string, name: string, ...args: GoValue[]][] = [
  ['2023-11-14 22:13:20.5 +0000 UTC', 'now'],
  ['2023', 'date', '2006', 'x'],
  ['2023', 'date', '2006', null],
  ['1970-01-01', 'date', '2006-01-02', new Int(0n, 'int32')],
  ['5y', 'durationRound', day],
  ['51478h13m21s', 'ago', day],
  ['472222h13m21s', 'ago', int(0)],
];
for (const [want, name, ...args] of rows) {
  test(`${name} returns ${want}`, () => assert.equal(text(name, ...args), want));
}

test("the local zone is the host's", () => {
  const berlin = createDateFuncs({ ...seededHost({ now }), timeZone: 'Europe/Berlin' });
  assert.equal(berlin.get('date')?.call(...(['15:04 MST', int(0)] as never[])), '01:00 CET');
  const time = berlin.get('toDate')?.call(...(['2006-01-02 15:04', '2023-07-01 12:00'] as never[]));
  assert.ok(time instanceof Time);
  assert.equal(time.string(), '2023-07-01 12:00:00 +0200 CEST');
});
