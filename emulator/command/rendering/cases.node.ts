// The cases that a chart is rendered for: values files that are named, or else those of its ci/ folder.

import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { UsageError } from '../flags.ts';

/** One rendering of a chart. */
export interface Case {
  readonly name: string;
  /** Paths, the later over the earlier. */
  readonly valuesFiles: readonly string[];
}

/**
 * Gives the cases of the chart at a path. Each text of `given` is one: a values file, or several with commas between them.
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
