// Renders a chart on disk with settings, with the steps of `helm template`.
// Mirrors: helm.sh/helm/v3/cmd/helm, template.go and install.go, v3.17.3.

import { type Release, releaseOf } from '../api/chart.ts';
import type { Chart } from '../chart/chart.ts';
import { loadChartPath } from '../chart/directory.node.ts';
import { callback, checkArguments, flag, optionsOf, text } from '../core/arguments.ts';
import { type Host, hostArgument, realHost } from '../core/host.ts';
import { shownPath } from '../core/paths.node.ts';
import { renderNameTemplate } from '../engine/name-template.ts';
import { runInstall } from '../engine/release.ts';
import { helmOf } from '../helm/versions.ts';
import { mergeUserValues } from '../values/user.ts';
import { packFolderDependencies } from '../vendor/lock/folder-dependencies.node.ts';
import { schemasFor } from '../vendor/lock/registry.node.ts';
import { locateChart } from './files.node.ts';
import { type RunOptions, runChecks, runContext } from './run-options.node.ts';
import { helmVersionOf, type RenderSettings } from './settings.ts';
import { explainChart } from './traced.node.ts';
import { capabilitiesOf, installOptions, readUserValues } from './values.node.ts';

/** Options of `renderChartPath`. */
export interface ChartRunOptions extends RunOptions {
  /** A template of the release's name, such as `web-{{ randAlpha 5 }}`. Default: the name in the settings. */
  readonly nameTemplate?: string | undefined;
  /** Whether `getHostByName` answers. Default false. */
  readonly enableDns?: boolean | undefined;
  /** Whether the notes of subcharts are appended. Default false. */
  readonly subchartNotes?: boolean | undefined;
  /** Whether missing dependencies are packed into charts/ first, if all are folders. Default false. */
  readonly updateDependencies?: boolean | undefined;
  /** Whether a failure is rendered again with a trace, so that its explanation names the values that led to it. Default false. */
  readonly explain?: boolean | undefined;
  /** The clock and the random source. Default `realHost()` in the time zone of `env.TZ`. */
  readonly host?: Host | undefined;
  /** Called with the absolute path of the chart before values and chart are read. May throw. */
  readonly onLocate?: ((path: string) => void) | undefined;
  /** Called with the number of dependencies after they were packed. */
  readonly onUpdate?: ((dependencies: number) => void) | undefined;
  /** Called with the chart before it is rendered. May throw. */
  readonly onLoad?: ((chart: Chart) => void) | undefined;
}

const chartRunOptions = optionsOf<ChartRunOptions>({
  ...runChecks,
  nameTemplate: text,
  enableDns: flag,
  subchartNotes: flag,
  updateDependencies: flag,
  explain: flag,
  host: hostArgument,
  onLocate: callback,
  onUpdate: callback,
  onLoad: callback,
});

/**
 * Renders the chart at a path like `helm template`: reads the values files of the settings, and schemas from the lock files beside the
 * chart. Several errors are reported in Helm's order. Rejects with RenderError: any code except ORDER_INVALID.
 * @example
 * const release = await renderChartPath('charts/web', { settings: { values: ['prod.yaml'], release: 'shop' } });
 * console.log(release.text());
 */
export async function renderChartPath(chart: string, options: ChartRunOptions = {}): Promise<Release> {
  checkArguments('renderChartPath', ['chart', chart, text], ['options', options, chartRunOptions]);
  const { settings, io } = runContext(options);
  const helm = helmOf(helmVersionOf(settings));
  const capabilities = capabilitiesOf(settings, helm);
  const { nameTemplate = '', host = realHost(io.env.TZ), onLocate, onLoad } = options;
  const name = nameTemplate === '' ? settings.release : renderNameTemplate(nameTemplate, host, io.env);
  const path = locateChart(chart, io.cwd);
  onLocate?.(path);
  const given = await readUserValues(settings, io, helm);
  const values = mergeUserValues(given, helm);
  const onWarning = (line: string): void => io.stderr(`${line}\n`);
  const loaded = await loadWithDependencies(path, { helm: helm.name, onWarning }, options);
  onLoad?.(loaded);
  const schemas = schemasFor([path, io.cwd]).source;
  const install = {
    ...installOptions(settings, { helm, values, capabilities, schemas }),
    name,
    enableDns: options.enableDns,
    subchartNotes: options.subchartNotes,
    host,
    onWarning,
  };
  try {
    return releaseOf(runInstall(loaded, install));
  } catch (error) {
    if (options.explain !== true) throw error;
    throw explainChart(error, { chart: loaded, options: install, folder: shownPath(path, io), given });
  }
}

async function loadWithDependencies(
  path: string,
  loading: NonNullable<Parameters<typeof loadChartPath>[1]>,
  { updateDependencies, onUpdate }: ChartRunOptions,
): Promise<Chart> {
  const chart = await loadChartPath(path, loading);
  if (updateDependencies !== true || !lacksDependency(chart)) return chart;
  // Only from folders: rendering opens no connections.
  const count = await packFolderDependencies(path);
  if (count === undefined) return chart;
  onUpdate?.(count);
  return loadChartPath(path, loading);
}

const lacksDependency = ({ metadata, children }: Chart): boolean =>
  metadata.dependencies.some(({ name }) => !children.some((child) => child.metadata.name === name));

/**
 * Checks the Kubernetes version of settings as Helm does before it reads anything. Throws VALUES_INVALID with Helm's message,
 * ARGUMENT_INVALID.
 */
export function checkKubeSettings(settings: Partial<RenderSettings>): void {
  checkArguments('checkKubeSettings', ['settings', settings, runChecks.settings]);
  const { helm = [], kubeVersions = [], apiVersions = [] } = settings;
  capabilitiesOf({ kubeVersions, apiVersions }, helmOf(helmVersionOf({ helm })));
}
