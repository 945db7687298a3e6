// The cases that a chart is rendered for: values files that are named, or else those of its ci/ folder; and what a values file says
// of its case in comments: `# drydock: cluster objects.yaml`, `# drydock: fails`.

import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { askMeant } from '../../core/ask-meant.ts';
import { UsageError } from '../flags.ts';

/** One rendering of a chart. */
export interface Case {
  readonly name: string;
  /** Paths, the later over the earlier. */
  readonly valuesFiles: readonly string[];
}

/**
 * Returns the cases of the chart at a path. Each text of `given` is one: a values file, or several with commas between them.
 * Without any, every ci/*values.yaml is a case, as of chart-testing; a chart without those has one, its own values.
 * Throws UsageError for two cases of one name.
 */
export function casesOf(path: string, given: readonly string[]): Case[] {
  const ci = join(path, 'ci');
  const found = existsSync(ci)
    ? readdirSync(ci)
        .filter((file) => /values\.ya?ml$/.test(file))
        .sort()
        .map((file) => [join(ci, file)])
    : [];
  const chosen = given.length > 0 ? given.map((list) => list.split(',')) : found;
  const cases = chosen.map((valuesFiles) => ({
    name: valuesFiles.map((file) => basename(file).replace(/\.ya?ml$/, '')).join('+'),
    valuesFiles,
  }));
  const names = cases.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new UsageError(`two values files are called ${twice}: rename one`);
  return cases.length > 0 ? cases : [{ name: 'default', valuesFiles: [] }];
}

/** What is asked of a case beside its values. */
export interface CaseWords {
  /** Files of the objects that `lookup` finds, as they are written: from the folder of the values file. */
  readonly cluster: readonly string[];
  /** Whether the chart must refuse it. */
  readonly fails: boolean;
}

const caseWords = ['cluster', 'fails'];

/** Reads the comments at the head of a values file. Throws UsageError for a word that means nothing. */
export function readCaseWords(text: string, file: string): CaseWords {
  const cluster: string[] = [];
  let fails = false;
  for (const line of text.split(/\r?\n/)) {
    if (line.trim() !== '' && !line.startsWith('#')) break;
    const [, word, after = ''] = /^#\s*drydock:\s*(\S+)(.*)$/s.exec(line) ?? [];
    const rest = after.trim();
    if (word === 'cluster' && rest !== '') cluster.push(rest);
    else if (word === 'fails' && rest === '') fails = true;
    else if (word !== undefined) {
      const mend = caseWords.includes(word)
        ? 'write "# drydock: cluster FILE" or "# drydock: fails"'
        : `there are ${caseWords.join(' and ')}${askMeant(word, caseWords)}`;
      throw new UsageError(`${file}: "${line}" means nothing: ${mend}`);
    }
  }
  return { cluster, fails };
}
