// Generates times, layouts, time zones and durations, and calls with them.

import { type Dice, wordList } from '../support/dice.ts';
import { quoted, text, word } from './words.ts';

/** Names of time zones: common, historic and invalid ones. */
export const zones: readonly string[] = [
  ...wordList`
    UTC Local CET EST EST5EDT MST WET GMT Europe/Paris Europe/Dublin America/New_York America/Sao_Paulo
    Asia/Kolkata Asia/Kathmandu Australia/Lord_Howe Africa/Monrovia Pacific/Apia Asia/Tehran America/St_Johns
    Etc/GMT+12
    Etc/GMT-14 Europe/Amsterdam Africa/Casablanca Antarctica/Troll Nope/Zone utc europe/paris ../etc PST8PDT HST MET
    EET
  `,
  '',
];

const layoutParts = [
  ...wordList`
    2006 06 01 1 Jan January 02 _2 2 002 __2 15 3 03 04 4 05 5 Mon Monday MST PM pm
    Z07:00 Z0700 Z07 -07:00 -0700 -07 -07:00:00 Z07:00:00 -070000 .000 ,000 .999 .000000000 .999999999 ,9 .0
    - / : T x _ . 20060102 Janu é _2006 2_ 000
  `,
  ' ',
  ', ',
  '.00 ',
];

/** Generates a layout of a time. */
export function layoutText(dice: Dice): string {
  if (dice.chance(0.3))
    return dice.pick([
      '2006-01-02',
      '2006-01-02T15:04:05Z07:00',
      'Mon, 02 Jan 2006 15:04:05 MST',
      '02 Jan 06 15:04 -0700',
      '3:04PM',
      'Jan _2 15:04:05.000000',
      '2006-01-02T15:04:05.999999999Z07:00',
    ]);
  return dice.list(1, 6, () => dice.pick(layoutParts)).join('');
}

const years = wordList`0001 0000 1582 1883 1890 1900 1911 1945 1969 1970 1986 2000 2006 2024 2037 2038 2100 9999`;

/** Time zones that are defined by ruleZones, so that times before 1970 do not depend on the zone database. */
const ruleZones = [...wordList`UTC Local CET MET EET WET EST MST HST EST5EDT PST8PDT Etc/GMT+12 Nope PST`, ''];

/** Generates a time in RFC 3339 format, sometimes an invalid one. A `modern` time is later than 1970. */
export function dateText(dice: Dice, modern = false): string {
  const two = (most: number): string => `${dice.below(most) + (dice.chance(0.02) ? most : 0)}`.padStart(2, '0');
  const year = modern ? `${1971 + dice.below(60)}` : dice.chance(0.5) ? dice.pick(years) : `${1850 + dice.below(250)}`;
  const fraction = dice.chance(0.2) ? `.${dice.below(1e9)}` : '';
  const zone = dice.pick(['Z', 'Z', '+01:00', '-08:00', '+05:30', '+00:00', '-00:00', '+14:00', '+23:59', '-12:34']);
  const whole = `${year}-${two(12).replace('00', '01')}-${two(29).replace('00', '28')}T${two(24)}:${two(60)}:${two(60)}${fraction}${zone}`;
  return dice.chance(0.05) ? word(dice) : whole;
}

/** Generates a duration, sometimes an invalid one. */
export function durationText(dice: Dice): string {
  if (dice.chance(0.1)) return word(dice);
  const parts = dice.list(
    1,
    3,
    () =>
      `${dice.pick(['1', '0', '90', '1.5', '.5', '1.', '999999', '2562047', '0.000001'])}${dice.pick(['h', 'm', 's', 'ms', 'us', 'µs', 'ns', 'd', ''])}`,
  );
  return dice.pick(['', '', '-', '+']) + parts.join('');
}

const verbs = [...wordList`%v %+v %#v %s %q %z %y %T %x %t %5v %-40v| %050s %+q %.4s %#q %U %e %w %! %c`, '% x'];
const methodNames = [
  ...wordList`
    .Zone .Clock .Date .ISOWeek .Location .Local .UTC .Unix .UnixNano .Weekday .Month .YearDay .IsZero .IsDST .String
    .GoString .Year
    .MarshalText .MarshalJSON .MarshalBinary .ZoneBounds .UnixMicro .Location.String .Local.Location .Local.Zone
    .UTC.Location .GobEncode .Nope .Month.String
    .wall .Year.Nope .Weekday.Nope .Location.Nope .Unix.Nope
  `,
  ...['.Zone 1', '.Year 1', '.Local.Format "MST"', '.Format "MST -0700"', '.AddDate 0 1 -1', '.Equal 1'],
];

/** Generates a template that creates a time and uses it. */
export function drawTime(dice: Dice): string {
  const layout = '2006-01-02T15:04:05Z07:00';
  const modern = dice.chance(0.4);
  const zone = quoted(dice.pick(modern ? zones : ruleZones));
  const date = (): string => quoted(dateText(dice, modern));
  const plain = (): string => `(toDate ${quoted(layout)} ${date()})`;
  const time = dice.pick([
    plain,
    ...(modern ? [plain, plain] : []),
    () =>
      modern
        ? plain()
        : `(toDate ${quoted(layoutText(dice))} ${quoted(dice.chance(0.5) ? dateText(dice).slice(0, 4 + dice.below(18)) : text(dice))})`,
    () =>
      `(mustToDate "2006-01-02 MST" ${quoted(`${modern ? 1971 + dice.below(60) : dice.pick(years)}-0${1 + dice.below(9)}-1${dice.below(9)} ${dice.pick(['CET', 'EST', 'UTC', 'GMT', 'GMT+3', 'ABC', 'WITA', 'ChST', 'MeST', 'abc', '+03', 'X'])}`)})`,
    () => `(dateModify ${quoted(durationText(dice))} (toDate ${quoted(layout)} ${date()}))`,
    () =>
      dice.pick([
        ...wordList`0 1 1700000000 253402300800 "x" nil 1.5 -1 9223372036854775807`,
        ...(modern ? [] : ['-62135596800']),
        '(int 5)',
        '(int64 1e9)',
      ]),
  ])();
  return dice.pick([
    () => `{{ dateInZone ${quoted(layoutText(dice))} ${time} ${zone} }}`,
    () => `{{ dateInZone "2006-01-02T15:04:05.999999999 MST -07:00:00" ${time} ${zone} }}`,
    () => `{{ date ${quoted(layoutText(dice))} ${time} }}`,
    () => `{{ htmlDateInZone ${time} ${zone} }}`,
    () => `{{ printf ${quoted(dice.pick(verbs))} ${time} }}`,
    () => `{{ ${time} }}`,
    () =>
      `{{ ${time} | ${dice.pick(['toJson', 'toYaml', 'toString', 'quote', 'unixEpoch', 'htmlDate', 'kindOf', 'typeOf', 'dict "a" | toToml', 'list | toYaml', 'duration', 'durationRound', 'default 1', 'deepCopy', 'print'])} }}`,
    () => `{{ ${time}${dice.pick(methodNames)} }}`,
    () => `{{ with ${time} }}{{ ${dice.pick(methodNames)} }}{{ end }}`,
    () => `{{ $t := ${time} }}{{ $t${dice.pick(methodNames)} }}`,
    () =>
      `{{ ${dice.pick(['duration', 'durationRound'])} ${dice.chance(0.5) ? quoted(durationText(dice)) : dice.pick(['0', '59', '3600', '86400', '1e9', '-5', '31536000', '(int 90)', 'nil'])} }}`,
    () => `{{ ${dice.pick(['duration', 'durationRound'])} (${time}.Sub ${time}) }}`,
    () =>
      `{{ (toDate "2006-01-02T15:04:05Z07:00" ${date()}).${dice.pick(['Before', 'After', 'Equal', 'Sub', 'Compare'])} ${time} }}`,
  ])();
}
