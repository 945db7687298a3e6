import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sprintf } from '../../../../render/go/format.ts';
import { formatGoTime, parseGoTime, Time, zeroGoTime } from '../../../../render/go/time/time.ts';
import { fixedZone, loadZone, localZone, utc } from '../../../../render/go/time/zone.ts';
import { GoError, type GoValue } from '../../../../render/go/value.ts';

const moment = new Time(1700000000123456789n, utc); // 2023-11-14 22:13:20.123456789
const early = new Time(-62167219200n * 1_000_000_000n - 1n, utc); // the last nanosecond before year 0

const layouts: [layout: string, want: string][] = [
  ['2006-01-02T15:04:05Z07:00', '2023-11-14T22:13:20Z'],
  ['Mon Jan _2 15:04:05 MST 2006', 'Tue Nov 14 22:13:20 UTC 2023'],
  ['Monday, January 2 3:4:5 pm PM 06', 'Tuesday, November 14 10:13:20 pm PM 23'],
  ['03 002 __2 01 1', '10 318 318 11 11'],
  ['.000 .999999 ,000000000 .0 .9', '.123 .123456 ,123456789 .1 .1'],
  ['.0000000000', '.123456789'],
  ['.0001 Januaryx Janx Monx', '.0011 Novemberx Janx Monx'],
  ['_2006 _20 2 22', '_2023 140 14 1414'],
  ['-0700 -07:00 -07 -070000 -07:00:00 Z0700 Z07', '+0000 +00:00 +00 +000000 +00:00:00 Z Z'],
  ['plain text, 7 8 9', 'plain text, 7 8 9'],
];
for (const [layout, want] of layouts) {
  test(`layout ${layout}`, () => assert.equal(formatGoTime(moment, layout), want));
}

test('offsets and names of zones', () => {
  const layout = '15:04:05 MST -07:00 Z07:00';
  const at = (zone: string, nanos = moment.unixNanos): string =>
    formatGoTime(new Time(nanos, loadZone(zone) ?? utc), layout);
  const july = 1690000000n * 1_000_000_000n;
  assert.equal(at('America/New_York'), '17:13:20 EST -05:00 -05:00');
  assert.equal(at('America/New_York', july), '00:26:40 EDT -04:00 -04:00');
  assert.equal(at('Europe/Berlin', july), '06:26:40 CEST +02:00 +02:00');
  assert.equal(at('Asia/Kolkata'), '03:43:20 IST +05:30 +05:30');
  assert.equal(at('America/Sao_Paulo'), '19:13:20 -03 -03:00 -03:00');
  assert.equal(at('Asia/Kathmandu'), '03:58:20 +0545 +05:45 +05:45');
  assert.equal(at('Asia/Tokyo'), '07:13:20 JST +09:00 +09:00');
  assert.equal(formatGoTime(moment.in(fixedZone('', -3723)), 'MST -07:00:00'), '-0102 -01:02:03');
});

test('only zone database names are valid', () => {
  for (const name of ['nope/zone', 'europe/berlin', 'EUROPE/BERLIN', '+01:00', '../etc', '/etc/localtime', 'Local']) {
    assert.equal(loadZone(name), undefined, name);
  }
  assert.equal(loadZone(''), utc);
  assert.equal(loadZone('US/Pacific')?.name, 'US/Pacific');
});

const readings: [layout: string, text: string, want: string][] = [
  ['2006-01-02', '2017-12-31', '2017-12-31 00:00:00 +0000 UTC'],
  ['2006-01-02', '2016-02-29', '2016-02-29 00:00:00 +0000 UTC'],
  ['3:04pm', '12:30am', '0000-01-01 00:30:00 +0000 UTC'],
  ['06', '69', '1969-01-01 00:00:00 +0000 UTC'],
  ['06', '68', '2068-01-01 00:00:00 +0000 UTC'],
  ['2006 002', '2024 366', '2024-12-31 00:00:00 +0000 UTC'],
  ['Jan _2 15:04:05', 'feb  3 01:02:03.5', '0000-02-03 01:02:03.5 +0000 UTC'],
  ['15:04:05.000', '01:02:03.250', '0000-01-01 01:02:03.25 +0000 UTC'],
  ['2006-01-02T15:04:05Z07:00', '2020-01-02T03:04:05+02:30', '2020-01-02 03:04:05 +0230 +0230'],
  ['2006-01-02T15:04:05Z07:00', '2020-01-02T03:04:05Z', '2020-01-02 03:04:05 +0000 UTC'],
  ['15:04 MST', '10:00 PST', '0000-01-01 10:00:00 +0000 PST'],
  ['15:04 MST', '10:00 GMT+3', '0000-01-01 13:00:00 +0300 GMT+3'],
  ['2006  01', '2020 5', 'cannot parse "5" as "01"'],
  ['2006-01-02', '2017-02-29', ': day out of range'],
  ['2006-01-02', '2017-13-01', ': month out of range'],
  ['2006-01-02', '2017-1-01', 'cannot parse "1-01" as "01"'],
  ['2006-01-02', '2017-12-31x', ': extra text: "x"'],
  ['2006-01-02', '2017/12/31', 'cannot parse "/12/31" as "-"'],
  ['15:04', '24:00', ': hour out of range'],
  ['15:04:05', '10:00:60', ': second out of range'],
  ['2006 002', '2023 366', ': day-of-year out of range'],
  ['-0700', '+2500', ': time zone offset hour out of range'],
  ['15:04 MST', '10:00 xy', 'cannot parse "xy" as "MST"'],
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

test('a time without a zone is parsed in the given zone', () => {
  const berlin = loadZone('Europe/Berlin') ?? utc;
  assert.equal(parseGoTime('2006-01-02', '2023-07-01', berlin).string(), '2023-07-01 00:00:00 +0200 CEST');
  assert.equal(parseGoTime('2006-01-02 15:04', '2023-03-26 02:30', berlin).string(), '2023-03-26 03:30:00 +0200 CEST');
  assert.equal(parseGoTime('2006-01-02 MST', '2023-07-01 CEST', berlin).string(), '2023-07-01 00:00:00 +0200 CEST');
  assert.equal(parseGoTime('2006-01-02 -07', '2023-07-01 +02', berlin).string(), '2023-07-01 00:00:00 +0200 CEST');
});

test('distant times', () => {
  assert.equal(zeroGoTime(utc).string(), '0001-01-01 00:00:00 +0000 UTC');
  assert.equal(early.string(), '-0001-12-31 23:59:59.999999999 +0000 UTC');
  assert.equal(formatGoTime(new Time(253402300800n * 1_000_000_000n, utc), '2006-01-02'), '10000-01-01');
  assert.throws(() => early.json(), /year outside of range/);
});

test('methods available to templates', () => {
  const call = (name: string, ...args: unknown[]): GoValue => moment.method(name)?.call(...(args as never[])) ?? null;
  const text = (name: string, ...args: unknown[]): string => sprintf('%v', call(name, ...args));
  assert.equal(sprintf('%v %d %T', call('Month'), call('Month'), call('Month')), 'November 11 time.Month');
  assert.equal(text('Weekday'), 'Tuesday');
  assert.equal(
    ['Year', 'Day', 'Hour', 'Minute', 'Second', 'YearDay'].map((name) => text(name)).join(' '),
    '2023 14 22 13 20 318',
  );
  assert.equal(text('Unix'), '1700000000');
  assert.equal(text('UnixMilli'), '1700000000123');
  assert.equal(text('Format', '2006'), '2023');
  assert.equal(text('Add', 3_600_000_000_000n), '2023-11-14 23:13:20.123456789 +0000 UTC');
  assert.equal(text('AddDate', 1, 13, -20), '2025-11-24 22:13:20.123456789 +0000 UTC');
  assert.equal(text('Sub', new Time(0n, utc)), '472222h13m20.123456789s');
  assert.equal(text('Sub', early), '2562047h47m16.854775807s');
  assert.equal(text('After', early), 'true');
  assert.equal(text('Truncate', 3_600_000_000_000n), '2023-11-14 22:00:00 +0000 UTC');
  assert.equal(text('Round', 86_400_000_000_000n), '2023-11-15 00:00:00 +0000 UTC');
  assert.equal(text('IsZero'), 'false');
  assert.equal(text('Location'), 'UTC');
  assert.equal(moment.in(localZone(() => 'Europe/Berlin')).zone.name, 'Local');
});

test('times are printed and encoded as JSON', () => {
  assert.equal(sprintf('%#v', moment), 'time.Date(2023, time.November, 14, 22, 13, 20, 123456789, time.UTC)');
  assert.equal(sprintf('%s', [moment]), '[2023-11-14 22:13:20.123456789 +0000 UTC]');
  assert.equal(moment.json(), '2023-11-14T22:13:20.123456789Z');
});
