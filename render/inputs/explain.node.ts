// Explains inputs on disk: the origin of their lines, their values, and why they do not render.

import type { Chart } from '../chart/chart.ts';
import { plainValue } from '../codec/plain.ts';
import { checkArguments, flag, optionsOf } from '../core/arguments.ts';
import { RenderError } from '../core/errors.ts';
import { realHost } from '../core/host.ts';
import { shownPath } from '../core/paths.node.ts';
import { PackageError, renderPackages, tryPackages } from '../engine/packages.ts';
import type { RenderedRelease } from '../engine/release.ts';
import type { JsonObject } from '../order/order.ts';
import { validateOrder } from '../order/validate.ts';
import { chartTexts } from '../provenance/report/data.ts';
import type { TracedInput, TracedObjects } from '../provenance/trace/explanation.ts';
import { explainFailure, failureText } from '../provenance/trace/failure.ts';
import { orderSources } from '../provenance/trace/objects.ts';
import { type MergedValue, mergedValues } from '../provenance/trace/values.ts';
import type { Trace } from '../template/trace.ts';
import { unreadPaths } from '../validation/checks/unread.ts';
import { Reads } from '../values/reads.ts';
import { readInput } from './input.node.ts';
import { inputArgument, orderInputArgument } from './input-argument.node.ts';
import type { OrderInput } from './orders.node.ts';
import { type RunContext, type RunOptions, runChecks, runContext, runOptionsArgument } from './run-options.node.ts';
import type { RunIo } from './settings.ts';
import { placedIn, planTraced, renderTraced } from './traced.node.ts';
import { settingsForOnce } from './values.node.ts';

/**
 * Renders an Order or a chart, given by its path, with the origin of each line, for `explain`, `impact` and `explanationPage`. A chart is
 * rendered once, for the first Kubernetes version of the settings that it accepts. Files below `cwd` are named relative to it. Rejects with
 * UsageError, with RenderError if the input does not render, with ARGUMENT_INVALID.
 * @example
 * const traced = await traceInput('charts/web', { settings: { set: ['replicaCount=5'] } });
 * console.log(formatExplanation(explain(traced, { object: 'Deployment/release-name-web', path: 'spec.replicas' })));
 */
export async function traceInput(input: string | OrderInput, options: RunOptions = {}): Promise<TracedInput> {
  checkArguments('traceInput', ['input', input, inputArgument], ['options', options, runOptionsArgument]);
  const context = runContext(options);
  const found = await readInput(input, context);
  if (typeof found !== 'string') return traceOrder(found);
  const { chart, given, release, objects, folder } = await traceChart(found, context);
  return {
    releases: [objects],
    files: new Map([
      ...chartTexts(release.chart),
      ...chartTexts(chart, folder),
      ...(given.valuesFiles ?? []).map(({ name, text }) => [name, text] as const),
    ]),
  };
}

async function traceChart(path: string, { settings, io }: RunContext) {
  const folder = shownPath(path, io);
  const host = realHost(io.env.TZ);
  const own = settingsForOnce(settings, path, io.cwd);
  const traced = await renderTraced(path, own, { io, host, folder, onWarning: () => {} });
  return { ...traced, folder, host };
}

async function traceOrder({ text, source, ...order }: OrderInput): Promise<TracedInput> {
  const { rendered, objects } = await planTraced({ text, ...order });
  const charts = rendered.packages.flatMap(({ chart, release }) => [
    ...chartTexts(release.chart),
    ...chartTexts(chart),
  ]);
  return { releases: objects, files: new Map([...charts, [text.placeOf('').file, source]]) };
}

/** Options of `listInputValues`. */
export interface InputValuesOptions extends RunOptions {
  /** Whether to determine which values the templates read, for `isUnread`. Default false. */
  readonly unread?: boolean | undefined;
}

export interface InputValue extends MergedValue {
  /** Whether no template read it; undefined unless requested with `unread: true`. */
  readonly isUnread: boolean | undefined;
}

/** The values of a chart, or of a package of an Order. */
export interface InputValues {
  /** The name of the package's release; undefined for a chart. */
  readonly package: string | undefined;
  /** In order of their paths. */
  readonly values: readonly InputValue[];
}

const valuesOptions = optionsOf<InputValuesOptions>({ ...runChecks, unread: flag });

/**
 * Returns every value that the templates of a chart or of each package of an Order receive, with the places that set it, the winning one
 * first. The input is given by its path; a chart is rendered as by `traceInput`. Rejects with UsageError, with RenderError if the input does
 * not render, with ARGUMENT_INVALID.
 * @example
 * for (const { values } of await listInputValues('charts/web'))
 *   for (const { path, value, setBy } of values) console.log(path, value, setBy[0]?.where);
 */
export async function listInputValues(
  input: string | OrderInput,
  options: InputValuesOptions = {},
): Promise<InputValues[]> {
  checkArguments('listInputValues', ['input', input, inputArgument], ['options', options, valuesOptions]);
  const { unread = false, ...run } = options;
  const context = runContext(run);
  const found = await readInput(input, context);
  if (typeof found !== 'string') return orderValues(found, unread, context.io);
  const { chart, release, objects, host, again } = await traceChart(found, context);
  const watched = unread ? again(host, new Reads()) : undefined;
  return [{ package: undefined, values: valuesOf({ chart, release, objects, watched }) }];
}

async function orderValues(order: OrderInput, unread: boolean, io: RunIo): Promise<InputValues[]> {
  const { rendered, objects } = await planTraced(order, io);
  const watched = unread ? await renderPackages(rendered.order, order.options, { isWatched: true }) : undefined;
  return rendered.packages.map(({ chart, release }, at) => {
    const again = watched?.packages[at]?.release;
    return { package: release.name, values: valuesOf({ chart, release, objects: objects[at]!, watched: again }) };
  });
}

interface ValueSource {
  readonly chart: Chart;
  readonly release: RenderedRelease;
  readonly objects: TracedObjects;
  /** The same rendering, whose values record what the templates read. */
  readonly watched: RenderedRelease | undefined;
}

function valuesOf({ chart, release, objects, watched }: ValueSource): InputValue[] {
  const unread = watched && unreadPaths(chart, watched, release.values);
  const values = mergedValues(plainValue(release.values) as JsonObject, (steps) => objects.trace.setBy(steps));
  return values.map((value) => ({
    ...value,
    isUnread: unread?.some((path) => path.every((step, at) => step === value.steps[at])),
  }));
}

/**
 * Returns why packages of an Order do not render, by their paths in the Order, such as `spec.packages[0]`: the template line, the values
 * that it read, and where they are set. A package that renders, or fails for another reason, is not listed. Rejects with ORDER_INVALID,
 * ARGUMENT_INVALID.
 */
export async function explainOrderFailures(order: OrderInput): Promise<ReadonlyMap<string, string>> {
  checkArguments('explainOrderFailures', ['order', order, orderInputArgument]);
  const { text, options } = order;
  const found = new Map<string, string>();
  const traced = new Map<string, Parameters<typeof orderSources>[0] & { readonly trace: Trace }>();
  const { failures } = await tryPackages(
    validateOrder(text.value).order,
    { ...options, onWarning: undefined },
    { isTraced: true, onTrace: (begun) => traced.set(begun.selection.path, begun) },
  );
  for (const failure of failures) {
    const begun = traced.get(failure.path);
    if (begun === undefined || !(failure.cause instanceof RenderError)) continue;
    const { chart, trace } = begun;
    const why = explainFailure({
      error: failure.cause,
      chart,
      trace,
      sources: orderSources(begun, { placed: placedIn(text) }),
    });
    found.set(failure.path, failureText(why));
  }
  return found;
}

/** Sets the explanation of a package's failure. Returns the error. */
export async function explainPackage(error: unknown, input: OrderInput | undefined): Promise<unknown> {
  if (!(error instanceof PackageError) || input === undefined) return error;
  error.explanation = (await explainOrderFailures(input)).get(error.path);
  return error;
}
