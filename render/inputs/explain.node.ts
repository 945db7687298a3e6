// `--explain`: renders a failed input again with a trace, and formats the details of the error.

import type { Chart } from '../chart/chart.ts';
import { RenderError } from '../core/errors.ts';
import { PackageError, tryPackages } from '../engine/packages.ts';
import { type InstallOptions, runInstall } from '../engine/release.ts';
import { validateOrder } from '../order/validate.ts';
import { createTrace } from '../provenance/origins/propagation.ts';
import { explainFailure, failureText } from '../provenance/trace/failure.ts';
import { chartSources, orderSources } from '../provenance/trace/objects.ts';
import type { Trace } from '../template/trace.ts';
import type { UserValues } from '../values/user.ts';
import { placedIn } from './order-place.ts';
import type { OrderInput } from './orders.node.ts';

/** A failed rendering of a chart. */
export interface FailedChart {
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

/** Returns why packages of an Order do not render, by path in the Order. */
export async function explainOrder({ text, options }: OrderInput): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  const { order } = validateOrder(text.value);
  const traced = new Map<string, Parameters<typeof orderSources>[0] & { readonly trace: Trace }>();
  const { failures } = await tryPackages(
    order,
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
  error.explanation = (await explainOrder(input)).get(error.path);
  return error;
}
