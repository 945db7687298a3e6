// An Order or a chart as a command names it, rendered with its trace.

import { existsSync, statSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import { loadChartPath } from '../../../render/chart/directory.node.ts';
import { helmOf } from '../../../render/helm/versions.ts';
import { realHost } from '../../../render/host.ts';
import { validateOrder } from '../../../render/order/validate.ts';
import { tryOrder } from '../../../render/plan.ts';
import { renderRelease } from '../../../render/release.ts';
import { chartTexts } from '../../../render/report/sources.ts';
import { Trace } from '../../../render/template/trace.ts';
import type { TracedObjects } from '../../../render/trace/explanation.ts';
import { orderObjects, releaseObjects } from '../../../render/trace/objects.ts';
import type { Setter } from '../../../render/trace/setters.ts';
import { createCapabilities } from '../../../render/values/capabilities.ts';
import { mergeUserValues, type UserValues } from '../../../render/values/user.ts';
import type { ParsedFlags } from '../flags.ts';
import type { CommandIo } from '../io.ts';
import type { OrderInput } from './order-input.node.ts';
import { locateChart, majorOf, readTextFile, readValuesFiles } from './read.node.ts';

/** What a command names, rendered. */
export interface TracedInput {
  readonly releases: readonly TracedObjects[];
  /** The texts of templates and of files that set values, by the names that explanations call them. */
  readonly files: ReadonlyMap<string, string>;
}

/** Tells whether a command names a chart; otherwise it is an Order. */
export function isChartInput(input: string, cwd: string): boolean {
  const path = resolve(cwd, input);
  return input.endsWith('.tgz') || (existsSync(path) && statSync(path).isDirectory());
}

/** Renders a chart with the flags of `template`. Throws UsageError, RenderError. */
export async function traceChart(input: string, flags: ParsedFlags, io: CommandIo): Promise<TracedInput> {
  const helm = helmOf(majorOf(flags));
  const path = locateChart(input, io.cwd);
  const chart = await loadChartPath(path, { helm: helm.major, onWarning: () => {} });
  const given: UserValues = {
    valuesFiles: await readValuesFiles(flags.list('values'), io, helm),
    setJson: flags.list('set-json'),
    set: flags.list('set'),
    setString: flags.list('set-string'),
    setFile: flags.list('set-file'),
    setLiteral: flags.list('set-literal'),
    readFile: (name) => readTextFile(name, io.cwd),
  };
  const trace = new Trace();
  const release = renderRelease(chart, {
    helm,
    name: flags.text('release') || 'release-name',
    namespace: flags.text('namespace') || 'default',
    values: mergeUserValues(given, helm),
    capabilities: createCapabilities({
      helm,
      kubeVersion: flags.text('kube-version') ?? '',
      apiVersions: flags.list('api-versions'),
    }),
    isUpgrade: flags.on('is-upgrade'),
    skipSchemaValidation: flags.on('skip-schema-validation'),
    host: realHost(io.env.TZ),
    trace,
  });
  const folder = relative(io.cwd, path).split(sep).join('/') || '.';
  return {
    releases: [releaseObjects({ ...release, trace }, { chart, folder, given })],
    files: new Map([
      ...chartTexts(release.chart),
      ...chartTexts(chart, folder),
      ...(given.valuesFiles ?? []).map(({ name, text }) => [name, text] as const),
    ]),
  };
}

/** Renders an Order that was read. Throws RenderError. */
export async function traceOrder({ text, source, options }: OrderInput): Promise<TracedInput> {
  const { order } = validateOrder(text.value);
  const { plan, failures } = await tryOrder(order, options, { isTraced: true });
  const [failure] = failures;
  if (failure !== undefined) throw failure;
  const placed = (setter: Setter): Setter => {
    const { file, ...place } = text.placeOf(setter.where);
    return { ...setter, where: file, ...place };
  };
  const charts = plan.packages.flatMap(({ chart, release }) => [...chartTexts(release.chart), ...chartTexts(chart)]);
  return {
    releases: orderObjects(plan.packages, placed),
    files: new Map([...charts, [text.placeOf('').file, source]]),
  };
}
