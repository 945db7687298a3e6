// Renders the Order or chart of a command with a trace.

import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Chart } from '../../chart/chart.ts';
import { loadChartPath } from '../../chart/directory.node.ts';
import { type Host, realHost } from '../../core/host.ts';
import { type RenderedPackages, renderPackages } from '../../engine/packages.ts';
import { type InstallOptions, type RenderedRelease, runInstall } from '../../engine/release.ts';
import { helmOf } from '../../helm/versions.ts';
import { validateOrder } from '../../order/validate.ts';
import { createTrace } from '../../provenance/origins/create.ts';
import { chartTexts } from '../../provenance/report/sources.ts';
import type { TracedObjects } from '../../provenance/trace/explanation.ts';
import { orderObjects, releaseObjects } from '../../provenance/trace/objects.ts';
import type { Capabilities } from '../../values/capabilities.ts';
import type { Reads } from '../../values/reads.ts';
import { mergeUserValues, type UserValues } from '../../values/user.ts';
import { schemasFor } from '../../vendor/lock/schemas.node.ts';
import type { ParsedFlags } from '../flags.ts';
import type { CommandIo } from '../io.ts';
import { capabilitiesOf, flagsForOnce, readUserValues } from './chart-flags.node.ts';
import type { OrderInput } from './order-input.node.ts';
import { placedIn } from './order-place.ts';
import { helmVersionOf, locateChart, shownPath } from './read.node.ts';

/** A traced input. */
export interface TracedInput {
  readonly releases: readonly TracedObjects[];
  /** The texts of templates and values files, by their names in explanations. */
  readonly files: ReadonlyMap<string, string>;
}

/** Reports whether the arguments name a chart; otherwise it is an Order. */
export function isChartInput(input: string, cwd: string): boolean {
  const path = resolve(cwd, input);
  return input.endsWith('.tgz') || (existsSync(path) && statSync(path).isDirectory());
}

/** A chart, rendered with a trace. */
export interface TracedChart {
  readonly chart: Chart;
  readonly given: UserValues;
  readonly release: RenderedRelease;
  readonly capabilities: Capabilities;
  readonly objects: TracedObjects;
  /** Renders it again without a trace; with reads, its values record what the templates read. */
  readonly again: (host: Host, reads?: Reads) => RenderedRelease;
}

/** Options for a chart in addition to its flags. */
export interface TracedChartOptions {
  readonly io: CommandIo;
  readonly host: Host;
  /** The prefix of the chart's files in reports. */
  readonly folder: string;
  readonly onWarning: (line: string) => void;
}

/** Renders the chart at a path with the flags of `template`. Throws UsageError, RenderError. */
export async function renderTraced(
  path: string,
  flags: ParsedFlags,
  { io, host, folder, onWarning }: TracedChartOptions,
): Promise<TracedChart> {
  const helm = helmOf(helmVersionOf(flags));
  const chart = await loadChartPath(path, { helm: helm.name, onWarning });
  const given = await readUserValues(flags, io, helm);
  const values = mergeUserValues(given, helm);
  const capabilities = capabilitiesOf(flags, helm);
  const options: InstallOptions = {
    helm,
    name: flags.text('release') || 'release-name',
    namespace: flags.text('namespace') || 'default',
    values,
    capabilities,
    isUpgrade: flags.on('is-upgrade'),
    skipSchemaValidation: flags.on('skip-schema-validation'),
    schemas: schemasFor([path, io.cwd]).source,
  };
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
  io?: CommandIo,
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

/** Renders the chart of a command. Throws UsageError, RenderError. */
export async function traceChart(input: string, flags: ParsedFlags, io: CommandIo): Promise<TracedInput> {
  const path = locateChart(input, io.cwd);
  const folder = shownPath(path, io);
  const { chart, given, release, objects } = await renderTraced(path, flagsForOnce(flags, path, io), {
    io,
    host: realHost(io.env.TZ),
    folder,
    onWarning: () => {},
  });
  return {
    releases: [objects],
    files: new Map([
      ...chartTexts(release.chart),
      ...chartTexts(chart, folder),
      ...(given.valuesFiles ?? []).map(({ name, text }) => [name, text] as const),
    ]),
  };
}

/** Renders a parsed Order. Throws RenderError. */
export async function traceOrder({ text, source, ...order }: OrderInput): Promise<TracedInput> {
  const { rendered, objects } = await planTraced({ text, ...order });
  const charts = rendered.packages.flatMap(({ chart, release }) => [
    ...chartTexts(release.chart),
    ...chartTexts(chart),
  ]);
  return { releases: objects, files: new Map([...charts, [text.placeOf('').file, source]]) };
}
