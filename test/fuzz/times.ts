// Generates times, layouts, time zones and durations.

import { type Dice, wordList } from '../support/dice.ts';
import { word } from './words.ts';

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

/** Generates a time in RFC 3339 format, sometimes an invalid one. */
export function dateText(dice: Dice): string {
  const two = (most: number): string => `${dice.below(most) + (dice.chance(0.02) ? most : 0)}`.padStart(2, '0');
  const year = dice.chance(0.5) ? dice.pick(years) : `${1850 + dice.below(250)}`;
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
