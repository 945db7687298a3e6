// Generates values of packages that break careless quoting.

import { wordList } from './dice.ts';
import { fc } from './fast-check.ts';

const difficultStrings = [
  ...wordList`
    ' " $HOME $(id) \ \n '\'' VALUES true null ~ yes no on y 1 1e6 0.1 0x1f 0o17 017 1_000 .inf .nan 2020-01-01
    12:30:45 --- ... &a *a !t %d @x { } [ ] , | > ? << = é '@ @' EOF
  `,
  ...['', ' ', '`id`', '${x}', '\n', '\r\n', '\r', '\t', 'VALUES\n', '\nVALUES\n', "\n'@\n", ' lead', 'trail '],
  ...['- a', 'a: b', '# c', '!!str x', '{{ .Values }}', '🚢', 'a\u0301', 'x'.repeat(3000), 'word '.repeat(60)],
  ...['\u2028', '\u2029', '\ufeff', '\u0085', '\u00a0', '\u0000', '\u0007', '\u001b[31m', '\u007f', '\u009f'],
  ...['\ufffe', '\uffff', '\u200b', '\u202e'],
];

const difficultKeys = [
  ...wordList`a.b a[0] a,b a=b y n on null true 1 1.5 it's " $x a/b a~b << # - ? global`,
  ...['', ' ', '`', '\n', '🚢', 'k'.repeat(900)],
];

const difficultNumbers = [
  0, 1, -1, 0.1, -0.5, 1e6, 1e7, 1e20, 1e21, 1e-7, 123456789, 9007199254740992, 9007199254740994, 9223372036854775808,
  18446744073709551616, -9223372036854775808, 1.7976931348623157e308, 5e-324, 4294967296, 0.30000000000000004,
];

const text = fc
  .oneof(
    fc.constantFrom(...difficultStrings),
    fc.string({ unit: 'grapheme', maxLength: 12 }),
    fc.string({ unit: 'binary', maxLength: 12 }),
  )
  .filter((value) => !/\p{Surrogate}/u.test(value));
const key = fc
  .oneof(fc.constantFrom(...difficultKeys), fc.string({ maxLength: 8 }))
  .filter((value) => value !== '__proto__');
const number = fc.oneof(
  fc.constantFrom(...difficultNumbers),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);

/** An arbitrary JSON value: maps, lists, strings, numbers, booleans and nulls, most of them difficult. */
export const valueTree: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.oneof(text, number, fc.boolean(), fc.constant(null)),
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.dictionary(key, tie('tree'), { maxKeys: 5 }),
  ),
})).tree;
