// Steps 2 to 5 for a whole Order: find each chart, work out its values, render it. What leaves is made in output/.

import type { Chart } from './chart/chart.ts';
import type { Registry } from './chart/registry.ts';
import { RenderError } from './errors.ts';
import { type Host, realHost } from './host.ts';
import type { Order, PackageSelection } from './order/order.ts';
import { type RenderedRelease, renderRelease } from './release.ts';
import { type Capabilities, createCapabilities } from './values/capabilities.ts';
import { type EffectiveValues, effectiveValues } from './values/effective.ts';
import { copyValue } from './values/lookup.ts';

/** Says how to render an Order. */
export interface PlanOptions {
  /** Where charts come from. */
  readonly registry: Registry;
  /** The world that templates see, one for the whole Order. Default `realHost()`. */
  readonly host?: Host | undefined;
  /** The Kubernetes version for Orders that name none. Default: Helm's own. */
  readonly kubeVersion?: string | undefined;
  /** API versions beyond those that Helm knows. */
  readonly apiVersions?: readonly string[] | undefined;
  readonly skipSchemaValidation?: boolean | undefined;
  /** Hears every warning of Helm as it comes up. */
  readonly onWarning?: ((line: string) => void) | undefined;
}

/** Is one rendered package of an Order. */
export interface RenderedPackage {
  readonly selection: PackageSelection;
  /** The chart as the registry gave it. */
  readonly chart: Chart;
  readonly values: EffectiveValues;
  readonly release: RenderedRelease;
}

/** Is a rendered Order, before it takes one of its forms. */
export interface OrderPlan {
  readonly order: Order;
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

/** Renders every package of an Order, in order. Throws PackageError with the first failure: any code but ORDER_INVALID. */
export async function planOrder(order: Order, options: PlanOptions): Promise<OrderPlan> {
  const host = options.host ?? realHost();
  const capabilities = capabilitiesOf(order, options);
  const packages: RenderedPackage[] = [];
  for (const selection of order.spec.packages) {
    try {
      const { name, version, sourceRef } = selection.chart;
      const chart = await options.registry.resolve({ name, version, sourceRef });
      packages.push(renderPackage(selection, chart, { ...options, host, capabilities }));
    } catch (error) {
      if (error instanceof RenderError) throw new PackageError(selection, error);
      throw error;
    }
  }
  return { order, packages, kubeVersion: capabilities.kubeVersion.version };
}

function capabilitiesOf(order: Order, options: PlanOptions): Capabilities {
  const kubeVersion = order.spec.kubeVersion || options.kubeVersion;
  return createCapabilities({
    ...(kubeVersion === undefined ? {} : { kubeVersion }),
    ...(options.apiVersions === undefined ? {} : { apiVersions: options.apiVersions }),
  });
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
