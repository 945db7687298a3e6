// Times apart from those in fixtures/functions/dates.yaml: zones, layouts that no row has, and distant times.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededHost } from '../../../../render/core/host.ts';
import { createDateFuncs } from '../../../../render/functions/dates.ts';
import { sprintf } from '../../../../render/go/format.ts';
import { formatGoTime, parseGoTime, Time, zeroGoTime } from '../../../../render/go/time/time.ts';
import { fixedZone, loadZone, localZone, utc } from '../../../../render/go/time/zone.ts';
import { GoError } from '../../../../render/go/value.ts';
import { evaluate } from '../../../support/evaluate.ts';

const moment = new Time(1700000000123456789n, utc); // 2023-11-14 22:13:20.123456789
const early = new Time(-62167219200n * 1_000_000_000n - 1n, utc); // the last nanosecond before year 0

const layouts: readonly (readonly [layout: string, want: string])[] = [
  ['03 002 __2 01 1', '10 318 318 11 11'],
  ['.000 .999999 ,000000000 .0 .9', '.123 .123456 ,123456789 .1 .1'],
  ['.0001 Januaryx Janx Monx', '.0011 Novemberx Janx Monx'],
  ['-0700 -07:00 -07 -070000 -07:00:00 Z0700 Z07', '+0000 +00:00 +00 +000000 +00:00:00 Z Z'],
];
for (const [layout, want] of layouts) {
  test(`layout ${layout}`, () => assert.equal(formatGoTime(moment, layout), want));
}

test('offsets and names of zones', () => {
  const at = (zone: string, nanos = moment.unixNanos): string =>
    formatGoTime(new Time(nanos, loadZone(zone) ?? utc), '15:04:05 MST -07:00 Z07:00');
  assert.equal(at('America/New_York'), '17:13:20 EST -05:00 -05:00');
  assert.equal(at('Europe/Berlin', 1690000000n * 1_000_000_000n), '06:26:40 CEST +02:00 +02:00');
  assert.equal(at('Asia/Kathmandu'), '03:58:20 +0545 +05:45 +05:45');
  assert.equal(formatGoTime(moment.in(fixedZone('', -3723)), 'MST -07:00:00'), '-0102 -01:02:03');
  assert.equal(moment.in(localZone(() => 'Europe/Berlin')).zone.name, 'Local');
});

test('only zone database names are valid', () => {
  for (const name of ['nope/zone', 'europe/berlin', '+01:00', '../etc', '/etc/localtime', 'Local']) {
    assert.equal(loadZone(name), undefined, name);
  }
  assert.equal(loadZone(''), utc);
  assert.equal(loadZone('US/Pacific')?.name, 'US/Pacific');
});

test('a time without a zone is parsed in the given zone', () => {
  const berlin = loadZone('Europe/Berlin') ?? utc;
  const parsed = (layout: string, text: string): string => parseGoTime(layout, text, berlin).string();
  assert.equal(parsed('2006-01-02', '2023-07-01'), '2023-07-01 00:00:00 +0200 CEST');
  assert.equal(parsed('2006-01-02 15:04', '2023-03-26 02:30'), '2023-03-26 03:30:00 +0200 CEST');
  assert.equal(parsed('2006-01-02 MST', '2023-07-01 CEST'), '2023-07-01 00:00:00 +0200 CEST');
  assert.equal(parsed('2006-01-02 -07', '2023-07-01 +02'), '2023-07-01 00:00:00 +0200 CEST');
  assert.equal(parsed('15:04 MST', '10:00 GMT+3'), '0000-01-01 13:00:00 +0300 GMT+3');
});

// A layout, a text, and the time or the error that Go reports.
const readings: readonly (readonly [layout: string, text: string, want: string])[] = [
  ['3:04pm', '12:30am', '0000-01-01 00:30:00 +0000 UTC'],
  ['06', '69', '1969-01-01 00:00:00 +0000 UTC'],
  ['2006 002', '2024 366', '2024-12-31 00:00:00 +0000 UTC'],
  ['Jan _2 15:04:05', 'feb  3 01:02:03.5', '0000-02-03 01:02:03.5 +0000 UTC'],
  ['15:04:05.000', '01:02:03.250', '0000-01-01 01:02:03.25 +0000 UTC'],
  ['15:04 MST', '10:00 PST', '0000-01-01 10:00:00 +0000 PST'],
  ['2006  01', '2020 5', 'cannot parse "5" as "01"'],
  ['2006-01-02', '2017-02-29', ': day out of range'],
  ['2006 002', '2023 366', ': day-of-year out of range'],
  ['-0700', '+2500', ': time zone offset hour out of range'],
];
for (const [layout, text, want] of readings) {
  test(`parses ${text} as ${layout}`, () => {
    if (/^\d{4}-/.test(want)) assert.equal(parseGoTime(layout, text).string(), want);
    else {
      const middle = want.startsWith(':') ? '' : ` as "${layout}": `;
      assert.throws(() => parseGoTime(layout, text), new GoError(`parsing time "${text}"${middle}${want}`));
    }
  });
}

test('a time is rounded to a duration, and printed as Go code', () => {
  const day = '(toDate "2006-01-02 15:04" "2023-11-14 22:13")';
  const funcs = createDateFuncs(seededHost());
  assert.equal(evaluate(`{{ ${day}.Truncate 3600000000000 }}`, funcs), '2023-11-14 22:00:00 +0000 UTC');
  assert.equal(evaluate(`{{ ${day}.Round 86400000000000 }}`, funcs), '2023-11-15 00:00:00 +0000 UTC');
  assert.equal(sprintf('%#v', moment), 'time.Date(2023, time.November, 14, 22, 13, 20, 123456789, time.UTC)');
});

test('distant times, and times as JSON', () => {
  assert.equal(zeroGoTime(utc).string(), '0001-01-01 00:00:00 +0000 UTC');
  assert.equal(early.string(), '-0001-12-31 23:59:59.999999999 +0000 UTC');
  assert.equal(formatGoTime(new Time(253402300800n * 1_000_000_000n, utc), '2006-01-02'), '10000-01-01');
  assert.equal(moment.json(), '2023-11-14T22:13:20.123456789Z');
  assert.throws(() => early.json(), /year outside of range/);
});
