// A chart and its existing cases, as options for the functions that render them all.

import type { GenerateCasesOptions } from '../api/cases.ts';
import type { CoverageCase } from '../api/coverage.ts';
import type { Chart } from '../chart/chart.ts';
import { loadChartPath } from '../chart/directory.node.ts';
import { helmOf } from '../helm/versions.ts';
import { schemasFor } from '../vendor/lock/schemas.node.ts';
import { type CaseTarget, casesOf, readCaseWords, targetOfCase } from './cases.node.ts';
import { readTextFile, readValuesFiles, shownPath } from './files.node.ts';
import type { RunIo } from './io.ts';
import { helmVersionOf, type RenderSettings } from './settings.ts';

/** Where all cases are rendered, and what is added to their names. */
export interface NamedTarget extends Partial<CaseTarget> {
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

/** Loads the chart at a path and its cases, for functions that search for more. Throws UsageError, RenderError. */
export async function readCaseOptions(
  path: string,
  settings: RenderSettings,
  io: RunIo,
): Promise<{ readonly chart: Chart; readonly options: Pick<GenerateCasesOptions, 'cases' | 'release'> }> {
  const release = releaseOptions(path, settings, io);
  const chart = await loadChartPath(path, { helm: release.helm, onWarning: (line) => io.stderr(`${line}\n`) });
  const target = { kubeVersion: settings.kubeVersions.at(-1) || undefined, apiVersions: settings.apiVersions };
  const cases = await readCases(path, settings, [target], io);
  return { chart, options: { cases, release: { ...release, ...target } } };
}

function releaseOptions(path: string, settings: RenderSettings, io: RunIo) {
  return {
    helm: helmVersionOf(settings),
    skipSchemaValidation: settings.skipSchemaValidation,
    schemas: schemasFor([path, io.cwd]).source,
    readFile: (name: string) => readTextFile(name, io.cwd),
  };
}
