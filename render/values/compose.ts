// Turns a chart and the user's values into the chart to render and the values it receives.
// Mirrors: helm.sh/helm/v3, pkg/chartutil, values.go `ToRenderValues` and cmd/helm/install.go `runInstall`, v3.17.3.

import { type Chart, isCompatibleRange } from '../chart/chart.ts';
import { convertGoError } from '../core/catch.ts';
import { RenderError } from '../core/errors.ts';
import type { GoError, GoMap } from '../go/value.ts';
import type { Helm } from '../helm/helm.ts';
import { helmOf } from '../helm/versions.ts';
import type { Capabilities } from './capabilities.ts';
import { coalesceValues, type Warn } from './coalesce.ts';
import { processDependencies } from './dependencies.ts';
import type { SchemaSource } from './schema/refs.ts';
import { validateSchema } from './schema/schema.ts';

/** A chart ready to render. */
export interface Composition {
  /** The chart with processed dependencies: without disabled subcharts, with aliases, with imported values among the defaults. */
  readonly chart: Chart;
  /** The values of the root chart including subchart sections. They belong to the caller, so templates can modify them. */
  readonly values: GoMap;
}

export interface ComposeValuesOptions {
  /** Default false. */
  readonly skipSchemaValidation?: boolean | undefined;
  /** The schemas that a values.schema.json can refer to by URL. Default none: such a reference is an error. */
  readonly schemas?: SchemaSource | undefined;
  /** Called with each line that Helm would log. */
  readonly onWarning?: Warn | undefined;
  /** Default Helm 3. */
  readonly helm?: Helm | undefined;
}

/**
 * Processes the dependencies, merges all values and validates them against the schemas. Does not modify chart or values. Throws
 * VALUES_INVALID with Helm's message.
 */
export function composeValues(chart: Chart, userValues: GoMap, options: ComposeValuesOptions = {}): Composition {
  const composing = { warn: options.onWarning ?? ((): void => {}), helm: options.helm ?? helmOf() };
  const { wording, log } = composing.helm;
  const invalid = (message: string, cause: GoError): RenderError =>
    new RenderError('VALUES_INVALID', message, {
      cause,
      place: { file: chart.metadata.name },
      hint: 'Give the section of a subchart a mapping, or leave it out.',
    });
  const processed = convertGoError(
    () => processDependencies(chart, userValues, composing),
    (error) => {
      log.beforeDependencies(error.message).forEach(composing.warn);
      return invalid(wording.dependencies(error.message), error);
    },
  );
  const values = convertGoError(
    () => coalesceValues(processed, userValues, { ...composing, merge: false }),
    (error) => invalid(error.message, error),
  );
  if (options.skipSchemaValidation !== true) {
    validateSchema(processed, values, { ...composing, schemas: options.schemas });
  }
  return { chart: processed, values };
}

/** Checks that the chart is installable. Throws CHART_INVALID `library charts are not installable`. */
export function checkInstallable(chart: Chart): void {
  const { name, type } = chart.metadata;
  if (type === '' || type === 'application') return;
  throw new RenderError('CHART_INVALID', `${type} charts are not installable`, {
    place: { file: `${name}/Chart.yaml` },
    hint: 'Render a chart that has the library among its dependencies.',
  });
}

/** Checks that every declared dependency is present, by name only. Throws CHART_INVALID with Helm's message. */
export function checkChartDependencies(chart: Chart, helm: Helm): void {
  if (chart.metadata.apiVersion === helm.charts.uninstallableVersion) throw uninstallable(chart, helm);
  const missing = missingOf(chart);
  if (missing === '') return;
  throw new RenderError('CHART_INVALID', helm.wording.dependencyCheck(missing), {
    place: { file: `${chart.metadata.name}/Chart.yaml` },
    hint: 'Put the missing charts, as folders or .tgz archives, into the charts/ folder; `drydock vendor CHART` does.',
  });
}

/** Returns Helm's message for missing dependencies; empty if all are present. */
function missingOf(chart: Chart): string {
  const present = new Set(chart.children.map((child) => child.metadata.name));
  const missing = chart.metadata.dependencies.map(({ name }) => name).filter((name) => !present.has(name));
  return missing.length === 0 ? '' : `found in Chart.yaml, but missing in charts/ directory: ${missing.join(', ')}`;
}

// Helm 4 supports charts of version 3 only in part. It checks as many of their declarations as they have subcharts, and panics if there
// are more subcharts; here that is an error too.
// Mirrors: helm.sh/helm/v4/pkg/chart, common.go, `v3Accessor.MetaDependencies`, v4.2.3.
function uninstallable(chart: Chart, { version, wording }: Helm): RenderError {
  const [present, declared] = [chart.children.length, chart.metadata.dependencies.length];
  const missing = present === 0 ? '' : missingOf(chart);
  let message = 'invalid chart apiVersion';
  if (declared > present)
    message = `Helm ${version} panics: runtime error: index out of range [${present}] with length ${present}`;
  else if (declared < present) message = wording.dependencyCheck('unsupported chart dependency type');
  else if (missing !== '') message = wording.dependencyCheck(missing);
  return new RenderError('CHART_INVALID', message, {
    place: { file: `${chart.metadata.name}/Chart.yaml` },
    hint: 'Give the chart the apiVersion v2.',
  });
}

/** Checks the chart's `kubeVersion` range against the cluster's version. Throws CHART_INVALID with Helm's message. */
export function checkKubeVersion(chart: Chart, capabilities: Capabilities, { semver }: Helm): void {
  const range = chart.metadata.kubeVersion;
  const { version, normalized } = capabilities.kubeVersion;
  if (range === '' || isCompatibleRange(range, normalized, semver)) return;
  throw new RenderError(
    'CHART_INVALID',
    `chart requires kubeVersion: ${range} which is incompatible with Kubernetes ${version}`,
    {
      place: { file: `${chart.metadata.name}/Chart.yaml` },
      hint: 'Ask for a Kubernetes version within the range (--kube-version), or use another version of the chart.',
    },
  );
}
