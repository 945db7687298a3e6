// Renders an Order or a chart with a trace; and explains the failure of a chart, which is rendered again with a trace.

import type { Chart } from '../chart/chart.ts';
import { loadChartPath } from '../chart/directory.node.ts';
import { RenderError } from '../core/errors.ts';
import type { Host } from '../core/host.ts';
import { shownPath } from '../core/paths.node.ts';
import { type RenderedPackages, renderPackages } from '../engine/packages.ts';
import { type InstallOptions, type RenderedRelease, runInstall } from '../engine/release.ts';
import { helmOf } from '../helm/versions.ts';
import type { OrderText } from '../order/read.ts';
import { validateOrder } from '../order/validate.ts';
import { createTrace } from '../provenance/origins/propagation.ts';
import type { TracedObjects } from '../provenance/trace/explanation.ts';
import { explainFailure, failureText } from '../provenance/trace/failure.ts';
import { chartSources, orderObjects, releaseObjects } from '../provenance/trace/objects.ts';
import type { Setter } from '../provenance/trace/setters.ts';
import type { Capabilities } from '../values/capabilities.ts';
import type { Reads } from '../values/reads.ts';
import { mergeUserValues, type UserValues } from '../values/user.ts';
import { schemasFor } from '../vendor/lock/registry.node.ts';
import type { OrderInput } from './orders.node.ts';
import { helmVersionOf, type RenderSettings, type RunIo } from './settings.ts';
import { capabilitiesOf, installOptions, readUserValues } from './values.node.ts';

/** Formats an Order's member that sets a value: its file, line and column. */
export function placedIn(text: OrderText): (setter: Setter) => Setter {
  return (setter) => {
    const { file, ...place } = text.placeOf(setter.where);
    return { ...setter, where: file, ...place };
  };
}

interface TracedChart {
  readonly chart: Chart;
  readonly given: UserValues;
  readonly release: RenderedRelease;
  readonly capabilities: Capabilities;
  readonly objects: TracedObjects;
  /** Renders it again without a trace; with reads, its values record what the templates read. */
  readonly again: (host: Host, reads?: Reads) => RenderedRelease;
}

/** Options for a chart in addition to its settings. */
interface TracedChartOptions {
  readonly io: RunIo;
  readonly host: Host;
  /** The prefix of the chart's files in reports. */
  readonly folder: string;
  readonly onWarning: (line: string) => void;
}

/** Renders the chart at a path. Throws UsageError, RenderError. */
export async function renderTraced(
  path: string,
  settings: RenderSettings,
  { io, host, folder, onWarning }: TracedChartOptions,
): Promise<TracedChart> {
  const helm = helmOf(helmVersionOf(settings));
  const chart = await loadChartPath(path, { helm: helm.name, onWarning });
  const given = await readUserValues(settings, io, helm);
  const values = mergeUserValues(given, helm);
  const capabilities = capabilitiesOf(settings, helm);
  const schemas = schemasFor([path, io.cwd]).source;
  const options = installOptions(settings, { helm, values, capabilities, schemas });
  const trace = createTrace();
  const release = runInstall(chart, { ...options, host, onWarning, trace });
  const objects = releaseObjects({ ...release, trace }, { chart, folder, given });
  const again = (other: Host, reads?: Reads): RenderedRelease => runInstall(chart, { ...options, host: other, reads });
  return { chart, given, release, capabilities, objects, again };
}

/**
 * Renders a parsed Order; returns its packages, and the objects of each. Files of charts below `cwd` are named relative to it, others by
 * their chart. Throws RenderError.
 */
export async function planTraced(
  { text, options, pathOf }: Pick<OrderInput, 'text' | 'options' | 'pathOf'>,
  io?: RunIo,
): Promise<{
  readonly rendered: RenderedPackages;
  readonly objects: TracedObjects[];
}> {
  const { order } = validateOrder(text.value);
  const rendered = await renderPackages(order, options, { isTraced: true });
  const folderOf = (item: Parameters<typeof pathOf>[0]): string | undefined => {
    const path = io && pathOf(item);
    const folder = path && shownPath(path, io);
    return folder === undefined || /^\.\.|\.tgz$/.test(folder) ? undefined : folder;
  };
  return { rendered, objects: orderObjects(rendered.packages, { placed: placedIn(text), folderOf }) };
}

interface FailedChart {
  readonly chart: Chart;
  readonly options: InstallOptions;
  /** The prefix of the chart's files in reports. */
  readonly folder: string;
  readonly given: UserValues;
}

/** Sets the explanation of a chart's failure. Returns the error. */
export function explainChart(error: unknown, { chart, options, folder, given }: FailedChart): unknown {
  if (!(error instanceof RenderError)) return error;
  const trace = createTrace();
  try {
    runInstall(chart, { ...options, onWarning: undefined, trace });
  } catch (again) {
    if (!(again instanceof RenderError)) throw again;
    const sources = chartSources({ chart, folder, given });
    error.explanation = failureText(explainFailure({ error: again, chart, trace, sources }));
  }
  return error;
}
