// Inspects charts on disk like `helm lint`, `helm show` and `helm dependency list`.

import type { Chart } from '../chart/chart.ts';
import { chartArgument } from '../chart/check.ts';
import { callback, checkArguments, filled, flag, kind, listOf, optionsOf } from '../core/arguments.ts';
import type { HelmSelector } from '../core/helm-version.ts';
import { realHost } from '../core/host.ts';
import { helmArgument, helmOf } from '../helm/versions.ts';
import { dependencyTable as list } from '../inspect/dependency-list.node.ts';
import {
  lintText as format,
  type LintedChart,
  type LintFormat,
  type LintText,
  lintChartPath,
} from '../inspect/lint.node.ts';
import { type ShownPart, shownParts, showPart } from '../inspect/show.ts';
import { createCapabilities } from '../values/capabilities.ts';
import { mergeUserValues } from '../values/user.ts';
import { type ReleaseOptions, releaseChecks, userValuesOf } from './chart.ts';

/** Options for `lintChart`: those of rendering a chart. */
export type LintOptions = Omit<
  ReleaseOptions,
  'releaseName' | 'apiVersions' | 'isUpgrade' | 'enableDns' | 'subchartNotes' | 'limits'
>;

const lintOptions = optionsOf<LintOptions>({
  helm: releaseChecks.helm,
  namespace: releaseChecks.namespace,
  valuesFiles: releaseChecks.valuesFiles,
  values: releaseChecks.values,
  set: releaseChecks.set,
  setString: releaseChecks.setString,
  setJson: releaseChecks.setJson,
  setLiteral: releaseChecks.setLiteral,
  setFile: releaseChecks.setFile,
  readFile: releaseChecks.readFile,
  kubeVersion: releaseChecks.kubeVersion,
  skipSchemaValidation: releaseChecks.skipSchemaValidation,
  schemas: releaseChecks.schemas,
  host: releaseChecks.host,
  onWarning: callback,
});

/**
 * Inspects the chart at a path, a folder or a .tgz archive, and returns the messages of `helm lint`; `formatLint` formats them. Rejects
 * with VALUES_INVALID and ARGUMENT_INVALID.
 * @example
 * const { messages } = await lintChart('charts/web');
 * const errors = messages.filter(({ severity }) => severity === 'error');
 */
export async function lintChart(path: string, options: LintOptions = {}): Promise<LintedChart> {
  checkArguments('lintChart', ['path', path, filled], ['options', options, lintOptions]);
  const helm = helmOf(options.helm);
  return lintChartPath(path, {
    helm,
    cwd: '',
    namespace: options.namespace ?? 'default',
    values: mergeUserValues(userValuesOf(options), helm),
    capabilities: createCapabilities({ helm, kubeVersion: options.kubeVersion }),
    skipSchemaValidation: options.skipSchemaValidation ?? false,
    host: options.host ?? realHost(),
    onWarning: options.onWarning ?? ((): void => {}),
  });
}

const linted = listOf(
  kind('a result of lintChart', (value) => typeof value === 'object' && value !== null && 'messages' in value),
);
const lintFormat = optionsOf<LintFormat>({ strict: flag, quiet: flag });

/**
 * Returns what `helm lint` prints for charts inspected by `lintChart`. Throws ARGUMENT_INVALID.
 * @example
 * const { text, failure } = formatLint([await lintChart('charts/web')], { strict: true });
 */
export function formatLint(charts: readonly LintedChart[], options: LintFormat = {}): LintText {
  checkArguments('formatLint', ['charts', charts, linted], ['options', options, lintFormat]);
  return format(charts, options);
}

/** Options for `showChart`. */
export interface ShowOptions {
  /** The Helm version to reproduce. Default: the default version. */
  readonly helm?: HelmSelector | undefined;
}

const showOptions = optionsOf<ShowOptions>({ helm: helmArgument });
const part = kind(`one of ${shownParts.join(', ')}`, (value) => shownParts.some((name) => name === value));

/**
 * Returns what `helm show` prints for a chart. Throws ARGUMENT_INVALID.
 * @example
 * const values = showChart(await loadChartPath('charts/web'), 'values');
 */
export function showChart(chart: Chart, shown: ShownPart, options: ShowOptions = {}): string {
  checkArguments(
    'showChart',
    ['chart', chart, chartArgument],
    ['shown', shown, part],
    ['options', options, showOptions],
  );
  return showPart(chart, shown, helmOf(options.helm));
}

/** Options for `listDependencies`. */
export interface DependencyOptions extends Pick<ShowOptions, 'helm'> {
  /** The base of relative paths. Default: the current folder. */
  readonly cwd?: string | undefined;
  /** Maximum number of characters in a column. Default 80; 0 means no limit. */
  readonly maxColumnWidth?: number | undefined;
  /** Called with each line that Helm would log. */
  readonly onWarning?: ((line: string) => void) | undefined;
}

const dependencyOptions = optionsOf<DependencyOptions>({
  helm: helmArgument,
  cwd: filled,
  maxColumnWidth: kind('a number', (value) => typeof value === 'number' && value >= 0),
  onWarning: callback,
});

/**
 * Returns what `helm dependency list` prints for the chart at a path. Rejects with CHART_NOT_FOUND, CHART_INVALID and ARGUMENT_INVALID.
 * @example
 * const table = await listDependencies('charts/web');
 */
export async function listDependencies(path: string, options: DependencyOptions = {}): Promise<string> {
  checkArguments('listDependencies', ['path', path, filled], ['options', options, dependencyOptions]);
  const { helm, cwd = '', maxColumnWidth, onWarning = (): void => {} } = options;
  return list(path, { helm: helmOf(helm), cwd, maxColumnWidth, onWarning });
}
