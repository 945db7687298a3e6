// Changes rows recorded from Helm: control structures, whitespace, and YAML, JSON and TOML texts that templates read and write.

import type { Dice } from '../support/dice.ts';
import { mutates, readRowFiles } from '../support/rows.ts';
import { bounded } from './expressions.ts';
import { mutated, quoted, word } from './words.ts';

// Their results vary, or depend on other rows of the chart.
const varying = /rand|uuid|now|gen[A-Z]|htpasswd|bcrypt|encryptAES|shuffle|getHostByName|derivePassword/;
const maxLength = 400;

const templates = (await readRowFiles()).flatMap(({ rows }) =>
  rows.filter((row) => !mutates(row) && !varying.test(row.template)).map(({ template }) => template),
);
const corpus = templates.filter(({ length }) => length <= maxLength);

/** Replaces a string literal by a difficult word, or by one of another row. */
function replaceLiteral(dice: Dice, template: string, other: string): string {
  const literal = /"(?:\\.|[^"\\\n])*"/g;
  const found = [...template.matchAll(literal)];
  if (found.length === 0) return mutated(dice, template);
  const { 0: old, index } = dice.pick(found);
  const [next = quoted(word(dice))] = dice.chance(0.5) ? (literal.exec(other) ?? []) : [];
  return template.slice(0, index) + next + template.slice(index + old.length);
}

/** Generates a template: a recorded row with another literal or a few changed characters, or parts of two rows. */
export function drawRecorded(dice: Dice): string {
  const [one, other] = [dice.pick(corpus), dice.pick(corpus)];
  const drawn = dice.pick([
    () => mutated(dice, one),
    () => replaceLiteral(dice, one, other),
    () => mutated(dice, replaceLiteral(dice, one, other), 1),
    () => one + other,
  ])();
  const template = bounded(drawn);
  // In Helm, a byte order mark within a text may hide the next character, depending on the buffer of its reader.
  return /\p{Cs}|\u0000|[^"]\\ufeff/u.test(template) || /\b(?:define|block)\b/.test(template) ? 'x' : template;
}
