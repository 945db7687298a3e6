// The cases that a chart is rendered for: values files that are named, or else those of its ci/ folder; and what a values file says
// of its case in comments: `# drydock: cluster objects.yaml`, `# drydock: fails`.

import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { didYouMean } from '../../core/did-you-mean.ts';
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
  /** The version of Kubernetes. */
  readonly kubeVersion: string | undefined;
  /** API versions, beside those that Helm knows. */
  readonly apiVersions: readonly string[];
  /** Whether the release is upgraded. */
  readonly isUpgrade: boolean;
  /** Whether the chart must refuse it. */
  readonly fails: boolean;
}

/** The words, and what each of them takes. */
const caseWords: Readonly<Record<string, string>> = {
  cluster: ' FILE',
  'kube-version': ' VERSION',
  'api-versions': ' NAME',
  upgrade: '',
  fails: '',
};

/** Reads the comments at the head of a values file. Throws UsageError for a word that means nothing. */
export function readCaseWords(text: string, file: string): CaseWords {
  const found = new Map<string, string[]>();
  for (const line of text.split(/\r?\n/)) {
    if (line.trim() !== '' && !line.startsWith('#')) break;
    const [, word, after = ''] = /^#\s*drydock:\s*(\S+)(.*)$/s.exec(line) ?? [];
    if (word === undefined) continue;
    const value = after.trim();
    const takes = Object.hasOwn(caseWords, word) ? caseWords[word] : undefined;
    if (takes === undefined) {
      const hint = `known are ${Object.keys(caseWords).join(', ')}${didYouMean(word, Object.keys(caseWords))}`;
      throw new UsageError(`${file}: "${line}" means nothing: ${hint}`);
    }
    if ((takes === '') !== (value === '')) {
      throw new UsageError(`${file}: "${line}" means nothing: write "# drydock: ${word}${takes}"`);
    }
    found.set(word, [...(found.get(word) ?? []), value]);
  }
  return {
    cluster: found.get('cluster') ?? [],
    kubeVersion: found.get('kube-version')?.at(-1),
    apiVersions: found.get('api-versions') ?? [],
    isUpgrade: found.has('upgrade'),
    fails: found.has('fails'),
  };
}

/** What a case is rendered for. */
export interface CaseSettings {
  /** Undefined where neither a flag nor a comment names one. */
  readonly kubeVersion: string | undefined;
  readonly apiVersions: readonly string[];
  readonly isUpgrade: boolean;
}

/** Returns what the comments of a case's values files ask for; `asked` is what the command line asks of all cases. A comment's version is used instead of the flag's, its API versions beside the flag's. */
export function caseSettings(words: readonly CaseWords[], flagged: Partial<CaseSettings>): CaseSettings {
  return {
    kubeVersion: words.findLast((one) => one.kubeVersion !== undefined)?.kubeVersion ?? flagged.kubeVersion,
    apiVersions: [...(flagged.apiVersions ?? []), ...words.flatMap((one) => one.apiVersions)],
    isUpgrade: flagged.isUpgrade === true || words.some(({ isUpgrade }) => isUpgrade),
  };
}
