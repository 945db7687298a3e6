// Generates versions, constraints and regular expressions.

import { type Dice, wordList } from '../support/dice.ts';
import { text, word } from './words.ts';

const numbers = [...wordList`0 1 2 10 01 1 3 28 x X * 18446744073709551615 18446744073709551616`, ''];

/** Generates a version, sometimes an invalid one. */
export function versionText(dice: Dice): string {
  if (dice.chance(0.08)) return word(dice);
  const core = dice.list(1, 4, () => dice.pickEarly(['1', '2', '0', '10', ...numbers])).join('.');
  const tail = (): string =>
    dice
      .list(1, 3, () => dice.pick(['rc', '1', 'alpha', '0', '01', 'x-y', '-', 'é', '', 'rc1', '99999999999999999999']))
      .join('.');
  const pre = dice.chance(0.35) ? `-${tail()}` : '';
  const build = dice.chance(0.15) ? `+${tail()}` : '';
  return dice.pick(['', '', 'v', 'V', ' ']) + core + pre + build;
}

/** Generates a version constraint. */
export function constraintText(dice: Dice): string {
  if (dice.chance(0.05)) return word(dice);
  const one = (): string =>
    `${dice.pick(['', '=', '!=', '>', '<', '>=', '=>', '<=', '=<', '^', '~', '~>', '^ ', '>= ', '==', '!'])}${versionText(dice)}`;
  const all = (): string =>
    dice.chance(0.15)
      ? `${versionText(dice)} - ${versionText(dice)}`
      : dice.list(1, 3, one).join(dice.pick([' ', ', ', ',', '  ', ' ,']));
  return dice.list(1, 2, all).join(dice.pick([' || ', '||', '|| ', ' | ']));
}

const atoms = wordList`
  a b . \d \w \s \S \b \B ^ $ \A \z \Z [a-z] [^a] []a] [a-] [[:alpha:]] [[:^digit:]] [\d-x]
  \pL \p{Greek} \PN \p{Nope} \x41 \x{1F600} \101 \Q.+\E \Q \C \R \1 \ \é é 日 (?i) (?s) (?m) (?U) (?-i)
  ( ) [ ] { } (?: (?P<n> (?<n> (?i: (?P<n (?= (?! (?# \n \t - , / [z-a] [[:nope:]] \pN+ \/ 0 1
`;
const counts = ['', '', '', ...wordList`* + ? *? +? ?? {2} {1,} {0,2} {,2} {2,1} {1001} {1000} ** {1}{2} { {a} {2}?`];

/** Generates a regular expression, sometimes an invalid one. */
export function regexpText(dice: Dice): string {
  const piece = (depth: number): string => {
    const roll = dice.next();
    if (depth > 0 && roll < 0.2)
      return `(${dice.pick(['', '', '?:', '?P<n>', '?i:'])}${some(depth - 1)})${dice.pickEarly(counts)}`;
    if (depth > 0 && roll < 0.3) return `${some(depth - 1)}|${some(depth - 1)}`;
    return `${dice.pickEarly(atoms)}${dice.pickEarly(counts)}`;
  };
  const some = (depth: number): string => dice.list(1, 3, () => piece(depth)).join('');
  return dice.chance(0.06) ? text(dice, 8) : some(2);
}
