import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededHost } from '../../../render/core/host.ts';
import { createDateFuncs } from '../../../render/functions/dates.ts';
import { formatValue } from '../../../render/go/format.ts';
import { Time } from '../../../render/go/time/time.ts';
import { GoError, type GoValue, Int, int, int64 } from '../../../render/go/value.ts';

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
  ['1970-01-01', 'date', '2006-01-02', int(0)],
  ['1970-01-01', 'date', '2006-01-02', new Int(0n, 'int32')],
  ['31/12/2017', 'date', '02/01/2006', day],
  ['2023', 'date', '2006', 'x'],
  ['2023', 'date', '2006', 0],
  ['2023', 'date', '2006', null],
  ['2023-11-14T22:13:20Z', 'dateInZone', '2006-01-02T15:04:05Z07:00', int(1700000000), 'UTC'],
  ['Wed Dec 31 19:00:00 EST 1969', 'dateInZone', 'Mon Jan _2 15:04:05 MST 2006', int64(0), 'America/New_York'],
  ['1970', 'date_in_zone', '2006', int(0), 'nope/zone'],
  ['1970', 'date_in_zone', '2006', int(0), 'Local'],
  ['1970-01-01', 'htmlDate', int(0)],
  ['1970-01-01', 'htmlDateInZone', int(0), 'UTC'],
  ['2017-12-31 00:00:00 +0000 UTC', 'toDate', '2006-01-02', '2017-12-31'],
  ['0001-01-01 00:00:00 +0000 UTC', 'toDate', '2006-01-02', 'x'],
  ['2017-12-30 22:30:00 +0000 UTC', 'dateModify', '-1.5h', day],
  ['2017-12-31 00:00:00 +0000 UTC', 'date_modify', 'x', day],
  ['2018-01-01 00:00:00 +0000 UTC', 'must_date_modify', '24h', day],
  ['1514678400', 'unixEpoch', day],
  ['0s', 'duration', int(95)],
  ['1m35s', 'duration', '95'],
  ['1m35s', 'duration', int64(95)],
  ['-1s', 'duration', '9223372036854775807'],
  ['0s', 'duration', '1.5'],
  ['2h', 'durationRound', '2h10m5s'],
  ['3mo', 'durationRound', '2400h10m5s'],
  ['60m', 'durationRound', '-1h'],
  ['0s', 'durationRound', '1s'],
  ['2s', 'durationRound', int64(2_500_000_000)],
  ['0s', 'durationRound', int(95)],
  ['0s', 'durationRound', 'x'],
  ['5y', 'durationRound', day],
  ['0s', 'ago', 'x'],
  ['51478h13m21s', 'ago', day],
  ['472222h13m21s', 'ago', int(0)],
];
rows.forEach(([want, name, ...args], i) => {
  test(`${i} ${name} gives ${want}`, () => assert.equal(text(name, ...args), want));
});

test('the must variants return errors', () => {
  assert.throws(() => call('mustDateModify', 'zz', day), new GoError('time: invalid duration "zz"'));
  assert.throws(
    () => call('mustToDate', '2006-01-02', 'x'),
    new GoError('parsing time "x" as "2006-01-02": cannot parse "x" as "2006"'),
  );
});

test("the local zone is the host's", () => {
  const berlin = createDateFuncs({ ...seededHost({ now }), timeZone: 'Europe/Berlin' });
  assert.equal(berlin.get('date')?.call(...(['15:04 MST', int(0)] as never[])), '01:00 CET');
  const time = berlin.get('toDate')?.call(...(['2006-01-02 15:04', '2023-07-01 12:00'] as never[]));
  assert.ok(time instanceof Time);
  assert.equal(time.string(), '2023-07-01 12:00:00 +0200 CEST');
});
