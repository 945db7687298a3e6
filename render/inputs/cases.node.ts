// The cases of a chart: given values files, or else those in its ci/ folder; and settings in comments of a values file: `# drydock: cluster
// objects.yaml`, `# drydock: fails`.

import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { GenerateCasesOptions } from '../api/cases.ts';
import type { CoverageCase } from '../api/coverage.ts';
import type { Chart } from '../chart/chart.ts';
import { loadChartPath } from '../chart/directory.node.ts';
import { checkArguments, text } from '../core/arguments.ts';
import { shownPath } from '../core/paths.node.ts';
import { didYouMean } from '../core/suggest.ts';
import { UsageError } from '../core/usage-error.ts';
import { readTextFile } from '../go/os.node.ts';
import { helmOf } from '../helm/versions.ts';
import { schemasFor } from '../vendor/lock/registry.node.ts';
import { settingsForChart } from './chart-settings.node.ts';
import { locateChart, readValuesFiles } from './files.node.ts';
import { runChecks, runContext, runIoArgument } from './run-options.node.ts';
import { helmVersionOf, type RenderSettings, type RunIo } from './settings.ts';

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
    name: valuesFiles.map((file) => basename(file).replace(/^\.+|\.ya?ml$/g, '')).join('+'),
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
  readonly kubeVersion: string | undefined;
  /** API versions in addition to those that Helm knows. */
  readonly apiVersions: readonly string[];
  readonly isUpgrade: boolean;
  /** Whether the chart must refuse it. */
  readonly fails: boolean;
}

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
  for (const line of text.replace(/^\ufeff/, '').split(/\r?\n/)) {
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
interface CaseTarget {
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

/** Where all cases are rendered, and what is added to their names. */
interface NamedTarget extends Partial<CaseTarget> {
  /** For example `1.31`. Default: nothing. */
  readonly suffix?: string;
}

/**
 * Returns the cases of the chart at a path for each target: those of the settings, of its ci/ folder, or its defaults. Comments in their values
 * files override the target. Throws UsageError, VALUES_INVALID.
 */
export async function readCases(
  path: string,
  settings: RenderSettings,
  targets: readonly NamedTarget[],
  io: RunIo,
): Promise<CoverageCase[]> {
  const release = releaseOptions(path, settings, io);
  const cases = await Promise.all(
    casesOf(path, settings.values).map(async ({ name, valuesFiles: names }) => {
      const valuesFiles = await readValuesFiles(names, io, helmOf(release.helm));
      const words = valuesFiles.map(({ name: file, text }) => readCaseWords(text, shownPath(file, io)));
      return targets.map(({ suffix = '', ...target }) => ({
        ...release,
        name: suffix === '' ? name : `${name} ${suffix}`,
        valuesFiles,
        ...targetOfCase(words, target),
      }));
    }),
  );
  return cases.flat();
}

export interface ChartCases {
  readonly chart: Chart;
  /** The cases, and the options for other values, for `generateCases`, `valuesSchema` and `listChartImages`. */
  readonly options: Pick<GenerateCasesOptions, 'cases' | 'release'>;
}

/**
 * Loads the chart at a path and its cases: the values files of the settings, else those in its ci/ folder, else its defaults. Rejects with
 * CHART_NOT_FOUND, CHART_INVALID, VALUES_INVALID, UsageError, ARGUMENT_INVALID.
 * @example
 * const { chart, options } = await readCaseOptions('charts/web');
 * const { cases } = generateCases(chart, options);
 */
export async function readCaseOptions(
  chart: string,
  settings: Partial<RenderSettings> = {},
  io: Partial<RunIo> = {},
): Promise<ChartCases> {
  checkArguments(
    'readCaseOptions',
    ['chart', chart, text],
    ['settings', settings, runChecks.settings],
    ['io', io, runIoArgument],
  );
  const run = runContext({ ...io, settings });
  const path = locateChart(chart, run.io.cwd);
  const own = settingsForChart(run.settings, path, run.io.cwd);
  const release = releaseOptions(path, own, run.io);
  const onWarning = (line: string): void => run.io.stderr(`${line}\n`);
  const loaded = await loadChartPath(path, { helm: release.helm, onWarning });
  const target = { kubeVersion: own.kubeVersions.at(-1) || undefined, apiVersions: own.apiVersions };
  const cases = await readCases(path, own, [target], run.io);
  return { chart: loaded, options: { cases, release: { ...release, ...target } } };
}

function releaseOptions(path: string, settings: RenderSettings, io: RunIo) {
  return {
    helm: helmVersionOf(settings),
    skipSchemaValidation: settings.skipSchemaValidation,
    schemas: schemasFor([path, io.cwd]).source,
    readFile: (name: string) => readTextFile(name, io.cwd),
  };
}
