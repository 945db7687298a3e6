// The cases of a chart: given values files, or else those in its ci/ folder; and settings in comments of a values file: `# drydock: cluster
// objects.yaml`, `# drydock: fails`.

import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { didYouMean } from '../core/suggest.ts';
import { UsageError } from '../core/usage-error.ts';

/** A rendering of a chart. */
export interface Case {
  readonly name: string;
  /** Paths; later ones override earlier ones. */
  readonly valuesFiles: readonly string[];
}

/**
 * Returns the cases of the chart at a path. Each text of `given` is one: a values file, or several separated by commas. By default, every
 * ci/*values.yaml is a case, as in chart-testing; a chart without those has one, its defaults. Throws UsageError for two cases with the
 * same name.
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

/** Settings of a case in addition to its values. */
export interface CaseWords {
  /** Files with objects for `lookup`, as written: relative to the folder of the values file. */
  readonly cluster: readonly string[];
  /** The version of Kubernetes. */
  readonly kubeVersion: string | undefined;
  /** API versions in addition to those that Helm knows. */
  readonly apiVersions: readonly string[];
  /** Whether the release is upgraded. */
  readonly isUpgrade: boolean;
  /** Whether the chart must refuse it. */
  readonly fails: boolean;
}

/** The settings and their arguments. */
const caseWords: Readonly<Record<string, string>> = {
  cluster: ' FILE',
  'kube-version': ' VERSION',
  'api-versions': ' NAME',
  upgrade: '',
  fails: '',
};

/** Parses the comments at the top of a values file. Throws UsageError for an unknown setting. */
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
      throw new UsageError(`${file}: "${line}" is not a known setting: ${hint}`);
    }
    if ((takes === '') !== (value === '')) {
      throw new UsageError(`${file}: "${line}" is incomplete: write "# drydock: ${word}${takes}"`);
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

/** Where a case is rendered. */
export interface CaseTarget {
  /** Undefined if neither a flag nor a comment specifies one. */
  readonly kubeVersion: string | undefined;
  readonly apiVersions: readonly string[];
  readonly isUpgrade: boolean;
}

/**
 * Returns the settings in the comments of a case's values files; `flagged` are those of the command line for all cases. A comment's version
 * replaces the flag's, its API versions are added to the flag's.
 */
export function targetOfCase(words: readonly CaseWords[], flagged: Partial<CaseTarget>): CaseTarget {
  return {
    kubeVersion: words.findLast((one) => one.kubeVersion !== undefined)?.kubeVersion ?? flagged.kubeVersion,
    apiVersions: [...(flagged.apiVersions ?? []), ...words.flatMap((one) => one.apiVersions)],
    isUpgrade: flagged.isUpgrade === true || words.some(({ isUpgrade }) => isUpgrade),
  };
}
