// Words that are difficult for parsers and writers, and texts of unusual characters.

import { type Dice, wordList } from '../support/dice.ts';

/** Plain words that look like other values. */
export const scalars: readonly string[] = [
  ...wordList`
    ~ null Null NULL nil true True yes NO on Off y n TRUE = <<
    0 -0 +1 7 -7 007 0o17 0O17 017 08 0x1F 0X1f -0x10 0b101 0b2 0x 0_1
    1_000 _1 1_ 1__0 190:20:30 1:60 18446744073709551615 18446744073709551616 -9223372036854775808
    9223372036854775807 9223372036854775808 -9223372036854775809 18446744073709551616.NaN 1e400 -1e-400
    10000000000000000000008e1 99999999999999999999 0x10000000000000000 0.1e-7 1e21
    1. .5 -.5 +.5 1.5 1e3 1E3 1e+3 1e-3 1.e3 .e3 1e 1.2.3 0.30000000000000004 5e-324
    .inf -.Inf +.INF .nan .NaN inf -inf nan -nan +nan NaN Infinity 1.7976931348623157e308
    2006-01-02 2006-1-2 2006-01-02T15:04:05Z 0001-01-01 1979-05-27T07:32:00-08:00
    07:32:00 2024-02-30 24:00:00
    a abc a: :a a#b #a - -- --- ... ? !a &a *a
    [ ] [a { {a , | > % @ " ' "a" 'a' it's \ a\nb \x41
    é ß İ ǆ ﬁ 日本
    constructor __proto__ toString hasOwnProperty length prototype valueOf
    v1 1.2.3 v1.2.3-rc.1+b >=1.0 ^1.2 ~1 1.x * YWJj YWJj= a/b/../c /a//b/ http://u:p@h:80/p?q=1#f
    1h 1h30m -1.5h 90s 5 1d UTC Local CET Europe/Paris % %s %d $1 {{ }} <a>&"'
  `,
  ...['', ' ', `0b${'1'.repeat(65)}`, '2006-01-02 15:04:05 +01:00', '1979-05-27 07:32:00.999999'],
  ...['a b', 'a: b', 'a #b', '- a', '? a', '!!str 1', '{a: 1}', '[1, 2]', '`', '$\u007b1}'],
  ...['a\nb', 'a\n', '\n', '\na', 'a\n\n', ' a', 'a ', '\ta', 'a\tb', 'a\r', 'a\rb', 'a\r\nb'],
  ...['\u0085', '\u2028', '\ufeff', 'a\u0000b', '\u0007', '\u00a0', '\u200b', '\u0301e', '\u007f', '\u0080', '\ufffd'],
  ...['👍', '👩‍👩‍👧', '\u{10ffff}', '\u{1f1e9}\u{1f1ea}'],
];

const alphabets: readonly string[] = [
  'ab',
  'abcXYZ019_-',
  ' \t\n\r',
  '0123456789.eE+-_xXob',
  '{}[],:?-#&*!|>\'"%@` \na1',
  '"\'\\\n\t ab=.[]{},#1',
  '{}[]":,\\ \n1aeutfnrl0.-+',
  'éßİǆ日👍\u0301\u00a0\u2028\u0085\ufeff',
  '\u0000\u0001\u0007\u0008\u001b\u007f\u0080\u009f\ud7ff\ue000\ufffe',
  '^$.*+?()[]{}|\\abc019-ds',
  '/.-_~%&=?#@:+ ab',
];

/** Generates a text with the characters of one alphabet or of all. */
export function text(dice: Dice, maxLength = 10): string {
  const alphabet = [...(dice.chance(0.8) ? dice.pick(alphabets) : alphabets.join(''))];
  return dice.list(0, maxLength, () => dice.pick(alphabet)).join('');
}

/** Generates a word: a difficult one, two of them together, or any text. */
export function word(dice: Dice): string {
  const roll = dice.next();
  if (roll < 0.6) return dice.pick(scalars);
  if (roll < 0.7) return dice.pick(scalars) + dice.pick(scalars);
  return text(dice);
}

/** Returns a text as a Go string literal for a template. */
export function quoted(value: string): string {
  return JSON.stringify(value)
    .replaceAll('\u007f', '\\u007f')
    .replaceAll('\ufeff', '\\ufeff')
    .replaceAll('{{', '{\\u007b');
}

/** Returns the text with a few characters removed, duplicated, moved or replaced. */
export function mutated(dice: Dice, source: string, times = 1 + dice.below(3)): string {
  let units = [...source];
  for (let count = times; count > 0; count--) {
    const at = dice.below(units.length + 1);
    const some = 1 + Math.floor(dice.next() ** 3 * 12);
    const kind = dice.below(5);
    const piece = units.slice(at, at + some);
    const rest = units.slice(at + some);
    if (kind === 0) units = [...units.slice(0, at), ...rest];
    else if (kind === 1) units = [...units.slice(0, at), ...piece, ...piece, ...rest];
    else if (kind === 2) units = [...units.slice(0, at), ...word(dice), ...units.slice(at)];
    else if (kind === 3) {
      const to = dice.below(units.length + 1);
      units = [...units.slice(0, to), ...piece, ...units.slice(to)];
    } else if (at < units.length) units[at] = dice.pick([...alphabets.join('')]);
  }
  return units.join('');
}
