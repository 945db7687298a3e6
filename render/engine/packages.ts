// Renders a whole Order: resolves each chart, composes its values and renders it. rendered-order.ts turns the result into output.

import { type Chart, isCompatibleRange } from '../chart/chart.ts';
import { chartArgument } from '../chart/check.ts';
import { reloadFor } from '../chart/load.ts';
import { type Registry, registryArgument } from '../chart/registry.ts';
import { callback, checkArguments, kind, listOf, type OptionChecks, text } from '../core/arguments.ts';
import { RenderError } from '../core/errors.ts';
import type { HelmSelector } from '../core/helm-version.ts';
import { type Host, hostArgument, realHost } from '../core/host.ts';
import { Budget, limitsArgument, type RenderLimits } from '../core/limits.ts';
import { joinPath } from '../core/paths.ts';
import type { Helm } from '../helm/helm.ts';
import { helmArgument, helmOf } from '../helm/versions.ts';
import { type ApiDefinition, definitionsOf } from '../manifest/definitions.ts';
import type { Hook } from '../manifest/sort.ts';
import type { PackageSelection, ValidOrder } from '../order/order.ts';
import { orderInvalid } from '../order/validate.ts';
import { createTrace } from '../provenance/origins/propagation.ts';
import type { Trace } from '../template/trace.ts';
import { type Capabilities, createCapabilities, withApiVersions } from '../values/capabilities.ts';
import { type EffectiveValues, effectiveValues } from '../values/effective.ts';
import { holdsTooMany, Reads } from '../values/reads.ts';
import type { SchemaSource } from '../values/schema/refs.ts';
import { checkSeal } from '../vendor/lock/seal.ts';
import { observeHost, withOtherRandomness } from './randomness.ts';
import { type InstallOptions, type RenderedRelease, runInstall } from './release.ts';

/** Options for rendering an Order. */
export interface OrderOptions {
  /** Where charts are loaded from. */
  readonly registry: Registry;
  /** The Helm version to reproduce, such as `'3.22'`; 3 and 4 select the newest of each. Default 3. */
  readonly helm?: HelmSelector | undefined;
  /** The environment that templates can observe, shared by the whole Order. Default `realHost()`. */
  readonly host?: Host | undefined;
  /** The Kubernetes version for Orders without one. Default: that of the Helm version. */
  readonly kubeVersion?: string | undefined;
  /** API versions of the cluster in addition to those that Helm knows. Packages also see the API versions of earlier packages. */
  readonly apiVersions?: readonly string[] | undefined;
  /** Whether to skip values.schema.json validation, for all charts or per chart. Default false. */
  readonly skipSchemaValidation?: boolean | ((chart: Chart) => boolean) | undefined;
  /** The schemas that a values.schema.json can refer to by URL. Default none: such a reference is an error. */
  readonly schemas?: SchemaSource | undefined;
  /** Limits for rendering all packages together: time, text, steps. Default: none. */
  readonly limits?: RenderLimits | undefined;
  /** Called with each Helm warning. */
  readonly onWarning?: ((line: string) => void) | undefined;
}

/** The validation rules of `OrderOptions`. */
export const orderChecks: OptionChecks<OrderOptions> = {
  registry: registryArgument,
  helm: helmArgument,
  host: hostArgument,
  kubeVersion: text,
  apiVersions: listOf(text),
  skipSchemaValidation: kind('true, false or a function', (value) => ['boolean', 'function'].includes(typeof value)),
  schemas: callback,
  limits: limitsArgument,
  onWarning: callback,
};

/** A rendered package of an Order. */
export interface RenderedPackage {
  readonly selection: PackageSelection;
  /** The chart from the registry. */
  readonly chart: Chart;
  readonly values: EffectiveValues;
  readonly release: RenderedRelease;
  /** Whether `release.values` record which values the templates read. */
  readonly isWatched: boolean;
  /** Whether recording was requested but the Order has too many values for it. */
  readonly isVast: boolean;
  /** The origins of its texts, if requested. */
  readonly trace: Trace | undefined;
  readonly apis: PackageApis;
  readonly definitions: ReleaseDefinitions;
  readonly chance: PackageChance;
}

/** How randomness affects a package. */
export interface PackageChance {
  /**
   * Renders the package again with other random values, on the first call. Returns undefined if no template called a random function.
   * Its keys get new primes, each of which is searched for. Throws LIMIT_REACHED if that exceeds the limits of the Order.
   */
  readonly again: (() => RenderedRelease) | undefined;
  /** Whether its random values come from a fixed seed. */
  readonly isSeeded: boolean;
  /** Its cluster lookups, as `apiVersion kind namespace name`. */
  readonly lookups: ReadonlySet<string>;
}

/** The rendered packages of an Order and the inputs that its output formats need. */
export interface RenderedPackages {
  readonly order: ValidOrder;
  /** The Helm version that was reproduced. */
  readonly helm: string;
  /** In installation order. */
  readonly packages: readonly RenderedPackage[];
  /** The Kubernetes version of all packages, such as `v1.32.0`. */
  readonly kubeVersion: string;
  /** The caller's API versions of the cluster in addition to those that Helm knows. */
  readonly apiVersions: readonly string[];
}

/** The failure of one package of an Order, with the code, place and hint of its cause. */
export class PackageError extends RenderError {
  /** The path of the package in the Order, such as `spec.packages[0]`. */
  readonly path: string;
  /** The member of the Order at fault, such as `spec.packages[0].chart.version`, or the whole selection. */
  readonly memberPath: string;
  /** `namespace/release`. */
  readonly release: string;
  readonly chart: string;

  constructor(selection: PackageSelection, cause: RenderError) {
    const { chart, path } = selection;
    const release = `${chart.namespace}/${chart.releaseName}`;
    const { code, message, issues, place, hint, member } = cause;
    super(code, `package ${release} (chart ${chart.name}): ${message}`, { cause, issues, place, hint, member });
    this.path = path;
    this.memberPath = `${joinPath(path, 'chart')}${member === undefined ? '' : `.${member}`}`;
    this.release = release;
    this.chart = chart.name;
  }
}

/** Observers and limits for rendering an Order. */
export interface PackageWatch {
  readonly isWatched?: boolean;
  readonly isTraced?: boolean;
  /** Called with each trace before its package is rendered. */
  readonly onTrace?: (begun: Pick<RenderedPackage, 'selection' | 'chart'> & { readonly trace: Trace }) => void;
}

/**
 * Renders all packages of an Order in sequence, with tracking or tracing if requested. Throws PackageError for the first failure, and
 * ORDER_INVALID for spec.kubeVersion.
 */
export async function renderPackages(
  order: ValidOrder,
  options: OrderOptions,
  watch: PackageWatch = {},
): Promise<RenderedPackages> {
  const { rendered, failures } = await tryPackages(order, options, watch);
  const [failure] = failures;
  if (failure !== undefined) throw failure;
  return rendered;
}

/**
 * Renders every package that can be rendered, with tracking or tracing if requested, and returns the failures of the others. Throws
 * ORDER_INVALID for spec.kubeVersion.
 */
export async function tryPackages(
  order: ValidOrder,
  options: OrderOptions,
  watch: PackageWatch = {},
): Promise<{ readonly rendered: RenderedPackages; readonly failures: readonly PackageError[] }> {
  const host = options.host ?? realHost();
  const helm = helmOf(options.helm);
  const capabilities = capabilitiesOf(order, options, helm);
  const budget = options.limits === undefined ? undefined : new Budget(options.limits);
  const limited: Limited = (part) => (budget === undefined ? part() : budget.run(part));
  const packages: RenderedPackage[] = [];
  const failures: PackageError[] = [];
  let provided: ProvidedApis = new Map();
  for (const selection of order.spec.packages) {
    try {
      const { name, version, sourceRef } = selection.chart;
      const chart = await options.registry.resolve({ name, version, sourceRef });
      checkArguments('registry.resolve', ['its result', chart, chartArgument]);
      const context = { ...options, helm, host, capabilities, limited, watch, provided };
      const rendered = limited(() => renderPackage(selection, chart, context));
      packages.push(rendered);
      const { crds, objects } = rendered.definitions;
      provided = withProvided(provided, selection.path, [...crds, ...objects]);
    } catch (error) {
      if (!(error instanceof RenderError)) throw error;
      failures.push(new PackageError(selection, error));
    }
  }
  return {
    rendered: {
      order,
      helm: helm.name,
      packages,
      kubeVersion: capabilities.kubeVersion.version,
      apiVersions: options.apiVersions ?? [],
    },
    failures,
  };
}

// The Order can name a version, or a constraint that the current version must satisfy.
function capabilitiesOf(order: ValidOrder, { kubeVersion, apiVersions }: OrderOptions, helm: Helm): Capabilities {
  const known = { helm, apiVersions };
  const fallback = createCapabilities({ ...known, kubeVersion });
  const wanted = order.spec.kubeVersion.trim();
  if (wanted === '') return fallback;
  try {
    return createCapabilities({ ...known, kubeVersion: wanted });
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    if (isCompatibleRange(wanted, fallback.kubeVersion.version)) return fallback;
    const message = `${JSON.stringify(wanted)} is no Kubernetes version, and no constraint that ${fallback.kubeVersion.version} meets`;
    const hint = 'Give the version of the cluster, such as "v1.31.0".';
    throw orderInvalid([{ path: 'spec.kubeVersion', message, severity: 'error', hint }]);
  }
}

/** Runs a part of the rendering within the limits of the Order. */
type Limited = <T>(part: () => T) => T;

interface PackageContext extends Omit<OrderOptions, 'helm'> {
  readonly helm: Helm;
  readonly host: Host;
  /** API versions of the cluster before the Order is installed. */
  readonly capabilities: Capabilities;
  /** API versions of the packages before this one. */
  readonly provided: ProvidedApis;
  readonly limited: Limited;
  readonly watch: PackageWatch;
}

function renderPackage(selection: PackageSelection, given: Chart, context: PackageContext): RenderedPackage {
  const { path, chart: chosen } = selection;
  const { helm, provided, schemas, skipSchemaValidation: skips = false, watch } = context;
  const chart = reloadFor(given, helm);
  const values = effectiveValues(chart, chosen, helm);
  checkSeal(chosen.seal, given, values.values);
  const queried = new Set<string>();
  const install: InstallOptions = {
    helm,
    name: chosen.releaseName,
    namespace: chosen.namespace,
    values: values.overlay,
    capabilities: {
      ...withApiVersions(context.capabilities, provided.keys()),
      onQuery: (name) => queried.add(name),
    },
    installsCrds: true,
    skipSchemaValidation: typeof skips === 'function' ? skips(given) : skips,
    schemas,
  };
  const { host, usedRandom, lookups } = observeHost(context.host);
  const isVast = watch.isWatched === true && holdsTooMany(chosen.values);
  const isWatched = watch.isWatched === true && !isVast;
  const trace = watch.isTraced === true ? createTrace() : undefined;
  if (trace !== undefined) watch.onTrace?.({ selection, chart: given, trace });
  const reads = isWatched ? new Reads() : undefined;
  const release = runInstall(chart, { ...install, host, onWarning: context.onWarning, reads, trace });
  const definitions = releaseDefinitions(release);
  let other: RenderedRelease | undefined;
  const again = (): RenderedRelease => {
    other ??= context.limited(() => runInstall(chart, { ...install, host: withOtherRandomness(context.host) }));
    return other;
  };
  return {
    selection,
    chart: given,
    values,
    release,
    isWatched,
    isVast,
    trace,
    apis: { brought: withProvided(provided, path, definitions.crds), queried },
    definitions,
    chance: { again: usedRandom() ? again : undefined, lookups, isSeeded: host.isSeeded === true },
  };
}

// The API versions that a package can use: those of the packages before it and those of its own `crds/`, which Helm installs before it queries
// the cluster.
// Mirrors: helm.sh/helm/v3/pkg/action, install.go, `RunWithContext`, and action.go, `GetVersionSet`, v3.17.3.

/** API versions such as `example.com/v1` and `example.com/v1/Thing`, each with the path of the package that provides it. */
type ProvidedApis = ReadonlyMap<string, string>;

/** The API versions available to a package beyond those of the cluster. */
export interface PackageApis {
  /** API versions of the packages before it and of its own `crds/`. */
  readonly brought: ProvidedApis;
  /** The names that its templates passed to `.Capabilities.APIVersions.Has`. */
  readonly queried: ReadonlySet<string>;
}

/** The API versions that a release defines. */
interface ReleaseDefinitions {
  readonly crds: readonly ApiDefinition[];
  /** Defined by its objects and by hooks that are not deleted. */
  readonly objects: readonly ApiDefinition[];
  /** Defined by other hooks; they no longer exist after the installation. */
  readonly transient: readonly ApiDefinition[];
}

// If several packages define an API version, the first is recorded.
function withProvided(provided: ProvidedApis, path: string, definitions: readonly ApiDefinition[]): ProvidedApis {
  const more = definitions.flatMap(({ apiVersions }) => apiVersions).filter((name) => !provided.has(name));
  return new Map([...provided, ...more.map((name) => [name, path] as const)]);
}

function releaseDefinitions({ crds, manifests, hooks }: RenderedRelease): ReleaseDefinitions {
  return {
    crds: crds.flatMap(definitionsOf),
    objects: [...manifests, ...hooks.filter(stays)].flatMap(definitionsOf),
    transient: hooks.filter((hook) => !stays(hook)).flatMap(definitionsOf),
  };
}

function stays({ events, deletePolicies }: Hook): boolean {
  const isInstalled = events.includes('pre-install') || events.includes('post-install');
  return isInstalled && !deletePolicies.includes('hook-succeeded');
}
