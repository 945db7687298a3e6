// Checks comments, help, errors and Markdown for the openers and phrases that design/language.md lists. Exits with 1 if it finds one.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';

const root = join(import.meta.dirname, '..', '..');

/** Expressions for text that is not idiomatic, each with what to write instead. */
const phrases: readonly (readonly [pattern: RegExp, hint: string])[] = [
  [/\/\*\* (?:Gives|Hears|Takes up|Tells of|Says)\b/, 'begin with Returns, Called when, Records, Describes or a noun'],
  [/\b(?:Tells|Says|Gives) (?:whether|if)\b/, 'write "Reports whether"'],
  [/\b(?:is|are) told (?:once|of)\b|\bwhat is told\b/, 'write "reported"'],
  [/\bstands? as (?:it is|they are)\b|\bwhat stands (?:there|here)\b/i, 'write "unchanged" or "the current value"'],
  [
    /(?<![Tt]here )\bis no (?:JSON|chart|Order|text|object|list|number|file|YAML|time)\b/,
    'write "is not valid JSON", "is not a chart"',
  ],
  [/\b(?:whoever|whatever|wherever)\b/i, 'name the person, thing or place'],
  [/\bprint this text\b/, 'write "show help"'],
  [/\bwhat one repeats\b/i, 'write "default flags" or "configuration"'],
  [/\bLaid over\b/, 'write "Overrides"'],
  [/\bGo back to the seed\b/, 'write "Reset data"'],
];

// The changelog is a historical record; this file lists the phrases.
const excluded = /^(?:CHANGELOG\.md|scripts\/dev\/check-prose\.ts|fixtures\/|test\/)|\.generated\.ts$/;

const { stdout } = await execa('git', ['ls-files', '*.ts', '*.tsx', '*.md'], { cwd: root });
let violations = 0;
for (const file of stdout.split('\n').filter((name) => !excluded.test(name))) {
  const lines = (await readFile(join(root, file), 'utf8')).split('\n');
  for (const [at, line] of lines.entries()) {
    for (const [pattern, hint] of phrases) {
      const [found] = pattern.exec(line) ?? [];
      if (found === undefined) continue;
      console.error(`${file}:${at + 1}: "${found}": ${hint}`);
      violations++;
    }
  }
}
console.log(`prose: ${violations} violations`);
process.exitCode = violations === 0 ? 0 : 1;
