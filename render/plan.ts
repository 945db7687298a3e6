// Steps 2 to 5 for a whole Order: find each chart, work out its values, render it. What leaves is made in output/.

import { callback, checkArguments, flag, listOf, type OptionChecks, text } from './arguments.ts';
import type { Chart } from './chart/chart.ts';
import { chartArgument } from './chart/check.ts';
import { type Registry, registryArgument } from './chart/registry.ts';
import { RenderError } from './errors.ts';
import { parseConstraint, parseVersion } from './go/semver.ts';
import { GoError } from './go/value.ts';
import { type Host, hostArgument, realHost } from './host.ts';
import type { PackageSelection, ValidOrder } from './order/order.ts';
import { orderInvalid } from './order/validate.ts';
import { type RenderedRelease, renderRelease } from './release.ts';
import { type Capabilities, createCapabilities } from './values/capabilities.ts';
import { type EffectiveValues, effectiveValues } from './values/effective.ts';
import { copyValue } from './values/lookup.ts';

/** The options of rendering an Order. */
export interface PlanOptions {
  /** Where charts come from. */
  readonly registry: Registry;
  /** The world that templates see, one for the whole Order. Default `realHost()`. */
  readonly host?: Host | undefined;
  /** The Kubernetes version for Orders that name none. Default: Helm's own. */
  readonly kubeVersion?: string | undefined;
  /** API versions beyond those that Helm knows. */
  readonly apiVersions?: readonly string[] | undefined;
  /** Whether values.schema.json is left unread. Default false. */
  readonly skipSchemaValidation?: boolean | undefined;
  /** Hears every warning of Helm as it comes up. */
  readonly onWarning?: ((line: string) => void) | undefined;
}

/** The checks of the options of `PlanOptions`. */
export const planChecks: OptionChecks<PlanOptions> = {
  registry: registryArgument,
  host: hostArgument,
  kubeVersion: text,
  apiVersions: listOf(text),
  skipSchemaValidation: flag,
  onWarning: callback,
};

/** A rendered package of an Order. */
export interface RenderedPackage {
  readonly selection: PackageSelection;
  /** The chart as the registry gave it. */
  readonly chart: Chart;
  readonly values: EffectiveValues;
  readonly release: RenderedRelease;
}

/** A rendered Order, before it takes one of its forms. */
export interface OrderPlan {
  readonly order: ValidOrder;
  /** In install order. */
  readonly packages: readonly RenderedPackage[];
  /** The Kubernetes version everything was rendered for, such as `v1.32.0`. */
  readonly kubeVersion: string;
}

/** The failure of one package of an Order: the cause's code, place and mend, and which package it was. */
export class PackageError extends RenderError {
  /** Where the package stands in the Order, such as `spec.packages[0]`. */
  readonly path: string;
  /** `namespace/release`. */
  readonly release: string;
  readonly chart: string;

  constructor(selection: PackageSelection, cause: RenderError) {
    const { chart, path } = selection;
    const release = `${chart.namespace}/${chart.releaseName}`;
    super(cause.code, `package ${release} (chart ${chart.name}): ${cause.message}`, {
      cause,
      issues: cause.issues,
      ...(cause.place === undefined ? {} : { place: cause.place }),
      ...(cause.mend === undefined ? {} : { mend: cause.mend }),
    });
    this.path = path;
    this.release = release;
    this.chart = chart.name;
  }
}

/** Renders every package of an Order, in order. Throws PackageError with the first failure, and ORDER_INVALID for spec.kubeVersion. */
export async function planOrder(order: ValidOrder, options: PlanOptions): Promise<OrderPlan> {
  const { plan, failures } = await tryOrder(order, options);
  const [failure] = failures;
  if (failure !== undefined) throw failure;
  return plan;
}

/** Renders what can be rendered of an Order; gives the other packages' failures. Throws ORDER_INVALID for spec.kubeVersion. */
export async function tryOrder(
  order: ValidOrder,
  options: PlanOptions,
): Promise<{ readonly plan: OrderPlan; readonly failures: readonly PackageError[] }> {
  const host = options.host ?? realHost();
  const capabilities = capabilitiesOf(order, options);
  const packages: RenderedPackage[] = [];
  const failures: PackageError[] = [];
  for (const selection of order.spec.packages) {
    try {
      const { name, version, sourceRef } = selection.chart;
      const chart = await options.registry.resolve({ name, version, sourceRef });
      checkArguments('registry.resolve', ['its result', chart, chartArgument]);
      packages.push(renderPackage(selection, chart, { ...options, host, capabilities }));
    } catch (error) {
      if (!(error instanceof RenderError)) throw error;
      failures.push(new PackageError(selection, error));
    }
  }
  return { plan: { order, packages, kubeVersion: capabilities.kubeVersion.version }, failures };
}

// The Order may name a version, or a constraint that the version at hand must meet.
function capabilitiesOf(order: ValidOrder, options: PlanOptions): Capabilities {
  const fallback = createCapabilities(options);
  const wanted = order.spec.kubeVersion.trim();
  if (wanted === '') return fallback;
  try {
    return createCapabilities({ ...options, kubeVersion: wanted });
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    if (meets(fallback.kubeVersion.version, wanted)) return fallback;
    const message = `${JSON.stringify(wanted)} is no Kubernetes version, and no constraint that ${fallback.kubeVersion.version} meets`;
    const mend = 'Give the version of the cluster, such as "v1.31.0".';
    throw orderInvalid([{ path: 'spec.kubeVersion', message, severity: 'error', mend }]);
  }
}

function meets(version: string, constraint: string): boolean {
  try {
    return parseConstraint(constraint).check(parseVersion(version));
  } catch (error) {
    if (error instanceof GoError) return false;
    throw error;
  }
}

function renderPackage(
  selection: PackageSelection,
  chart: Chart,
  options: PlanOptions & { readonly host: Host; readonly capabilities: Capabilities },
): RenderedPackage {
  const values = effectiveValues(chart, selection.chart);
  const release = renderRelease(chart, {
    name: selection.chart.releaseName,
    namespace: selection.chart.namespace,
    values: copyValue(values.overlay),
    capabilities: options.capabilities,
    host: options.host,
    skipSchemaValidation: options.skipSchemaValidation,
    onWarning: options.onWarning,
  });
  return { selection, chart, values, release };
}
