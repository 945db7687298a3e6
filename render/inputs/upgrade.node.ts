// Compares two versions of a chart on disk with a user's values.

import { checkUpgrade, type UpgradeReport } from '../api/upgrade.ts';
import type { Chart } from '../chart/chart.ts';
import { loadChartPath } from '../chart/directory.node.ts';
import { checkArguments, text } from '../core/arguments.ts';
import { helmOf } from '../helm/versions.ts';
import { schemasFor } from '../vendor/lock/registry.node.ts';
import { locateChart } from './files.node.ts';
import { type RunOptions, runContext, runOptionsArgument } from './run-options.node.ts';
import { helmVersionOf } from './settings.ts';
import { readUserValues } from './values.node.ts';

/** The effects of an upgrade of a chart on disk, and its two versions. */
export interface ChartUpgrade extends UpgradeReport {
  readonly before: Chart;
  readonly after: Chart;
}

/**
 * Compares how two versions of a chart, given by their paths, use the values of the settings, as `checkUpgrade` does. Rejects with
 * UsageError; with CHART_NOT_FOUND, CHART_INVALID, VALUES_INVALID, ARGUMENT_INVALID.
 * @example
 * const { values } = await checkUpgradePaths('web-1.tgz', 'web-2.tgz', { settings: { values: ['prod.yaml'] } });
 * for (const { path, kind, to } of values) console.log(kind, path, to);
 */
export async function checkUpgradePaths(
  before: string,
  after: string,
  options: RunOptions = {},
): Promise<ChartUpgrade> {
  checkArguments(
    'checkUpgradePaths',
    ['before', before, text],
    ['after', after, text],
    ['options', options, runOptionsArgument],
  );
  const { settings, io } = runContext(options);
  const helm = helmOf(helmVersionOf(settings));
  const paths = [before, after].map((path) => locateChart(path, io.cwd));
  const load = (path: string): Promise<Chart> => loadChartPath(path, { helm: helm.name, onWarning: () => {} });
  const [oldChart, newChart] = (await Promise.all(paths.map(load))) as [Chart, Chart];
  const report = checkUpgrade(oldChart, newChart, {
    ...(await readUserValues(settings, io, helm)),
    helm: helm.name,
    releaseName: settings.release,
    namespace: settings.namespace,
    kubeVersion: settings.kubeVersions.at(-1) || undefined,
    apiVersions: settings.apiVersions,
    isUpgrade: settings.isUpgrade,
    skipSchemaValidation: settings.skipSchemaValidation,
    schemas: schemasFor([...paths, io.cwd]).source,
  });
  return { ...report, before: oldChart, after: newChart };
}
