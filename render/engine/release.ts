// Renders one release with the steps of `helm template` in Helm's order, which decides which error is reported.
// Mirrors: helm.sh/helm/v3, cmd/helm/install.go `runInstall` and pkg/action/install.go `RunWithContext`, v3.17.3.

import { type Chart, childPath, isCrdFile } from '../chart/chart.ts';
import { reloadFor } from '../chart/load.ts';
import { RenderError } from '../core/errors.ts';
import { type Host, realHost } from '../core/host.ts';
import { quote } from '../go/number.ts';
import { trimSpace } from '../go/trim.ts';
import { decodeUtf8 } from '../go/utf8.ts';
import { type GoMap, sortedEntries } from '../go/value.ts';
import type { Helm } from '../helm/helm.ts';
import { helmOf } from '../helm/versions.ts';
import { definitionsOf } from '../manifest/definitions.ts';
import { type Hook, type Manifest, ManifestError, type SortedManifests, sortManifests } from '../manifest/sort.ts';
import { formatSource, type SourcedDocument } from '../manifest/source.ts';
import { type Capabilities, createCapabilities, withApiVersions } from '../values/capabilities.ts';
import {
  type ComposeValuesOptions,
  checkChartDependencies,
  checkInstallable,
  checkKubeVersion,
  composeValues,
} from '../values/compose.ts';
import { copyValue } from '../values/lookup.ts';
import type { Reads } from '../values/reads.ts';
import { type EngineOptions, renderTemplates } from './engine.ts';

type SharedOptions = Pick<ComposeValuesOptions, 'skipSchemaValidation' | 'schemas'> &
  Pick<EngineOptions, 'enableDns' | 'only' | 'runs' | 'trace'>;

/** Options for rendering a release. Defaults are those of `helm template`. */
export interface InstallOptions extends SharedOptions {
  /** The Helm profile. Default Helm 3. */
  readonly helm?: Helm | undefined;
  /** Default `release-name`. */
  readonly name?: string | undefined;
  /** Default `default`; not validated. */
  readonly namespace?: string | undefined;
  /** The user's values: merged values files and `--set` flags. Default none. */
  readonly values?: GoMap | undefined;
  /**
   * What templates can observe of the cluster. Default: the Kubernetes version that Helm was built for, with the API versions that Helm
   * knows.
   */
  readonly capabilities?: Capabilities | undefined;
  /** Whether the API versions in the chart's `crds/` are available too, as during an installation. Default false. */
  readonly installsCrds?: boolean | undefined;
  readonly isUpgrade?: boolean | undefined;
  /** Whether the notes of subcharts are appended. Default false. */
  readonly subchartNotes?: boolean | undefined;
  /** Default `realHost()`. */
  readonly host?: Host | undefined;
  /** Called with every warning, one line of Helm's standard error. */
  readonly onWarning?: ((line: string) => void) | undefined;
  /** Records which values the templates read. Default: no recording. */
  readonly reads?: Reads | undefined;
}

/** A rendered release. */
export interface RenderedRelease {
  /** The Helm profile that was used. */
  readonly helm: Helm;
  readonly name: string;
  readonly namespace: string;
  /** The chart with processed dependencies: pruned, renamed, their values imported. */
  readonly chart: Chart;
  /** The values passed to the root chart's templates, before any change by a template. */
  readonly values: GoMap;
  /** The files in `crds/` of all charts of the tree, root first. */
  readonly crds: readonly SourcedDocument[];
  /** In installation order. */
  readonly manifests: readonly Manifest[];
  /** By kind, as Helm lists them. Weights only order their execution. */
  readonly hooks: readonly Hook[];
  readonly notes: string;
  /** Lines that Helm writes to standard error. */
  readonly warnings: readonly string[];
}

/** A failure after the values were composed, with the output that Helm still shows. */
export class ReleaseError extends RenderError {
  /** Everything that was rendered, if it could not be sorted; otherwise empty. */
  readonly partial: string;
  /** The hooks that were found before sorting failed. */
  readonly hooks: readonly Hook[];

  constructor(error: RenderError, partial: string) {
    const { code, message, issues, place, hint, cause } = error;
    super(code, message, { issues, place, hint, cause });
    this.partial = partial;
    this.hooks = error instanceof ManifestError ? error.hooks : [];
  }
}

/**
 * Renders a chart as one release. Throws RenderError: CHART_INVALID, VALUES_INVALID, and as ReleaseError CHART_INVALID
 * (the chart refuses the Kubernetes version), TEMPLATE_PARSE, TEMPLATE_EXEC, MANIFEST_INVALID.
 */
export function runInstall(given: Chart, options: InstallOptions = {}): RenderedRelease {
  const warnings: string[] = [];
  const onWarning = (line: string): void => {
    warnings.push(line);
    options.onWarning?.(line);
  };
  const helm = options.helm ?? helmOf();
  const name = options.name ?? 'release-name';
  const namespace = options.namespace ?? 'default';

  const chart = reloadFor(given, helm);
  checkInstallable(chart);
  if (chart.metadata.deprecated) onWarning(helm.log.deprecatedChart);
  checkChartDependencies(chart, helm);
  checkReleaseName(name, helm, onWarning);
  const composed = composeValues(chart, options.values ?? new Map(), { ...options, onWarning, helm });
  const { reads } = options;
  const composition = reads === undefined ? composed : { ...composed, values: reads.watch(composed.values) };
  // Templates can change their values: `set`, `unset` and the merge functions work in place.
  const values = reads === undefined ? copyValue(composed.values) : composition.values;
  if (options.trace !== undefined) options.trace.values = values;
  const crds = listCrds(composition.chart, composition.chart.metadata.name);
  const cluster = options.capabilities ?? createCapabilities({ helm });
  const own = options.installsCrds === true ? crds.flatMap(definitionsOf) : [];
  const capabilities = withApiVersions(
    cluster,
    own.flatMap(({ apiVersions }) => apiVersions),
  );
  const files = orPartial(new Map(), () => {
    checkKubeVersion(chart, capabilities, helm);
    const release = { name, namespace, revision: 1, isUpgrade: options.isUpgrade ?? false };
    return renderTemplates(composition, { ...options, release, capabilities, helm, host: options.host ?? realHost() });
  });
  if (reads !== undefined) reads.isOn = false;
  const notes = takeNotes(files, composition.chart, options.subchartNotes ?? false);
  const sorted = orPartial(files, (): SortedManifests => sortManifests(files, { onWarning, helm }));
  return {
    helm,
    name,
    namespace,
    chart: composition.chart,
    values,
    crds,
    ...sorted,
    notes,
    warnings,
  };
}

function orPartial<T>(files: ReadonlyMap<string, string>, step: () => T): T {
  try {
    return step();
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    // Helm shows them in random order; here they are sorted by path.
    const shown = sortedEntries(files).map(([path, content]) => ({ path, content }));
    const texts = shown.filter(({ content }) => trimSpace(content) !== '').map(formatSource);
    throw new ReleaseError(error, texts.join(''));
  }
}

const releaseName = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const maxNameLength = 53;

/** Validates a release name. Throws VALUES_INVALID with Helm's message. */
function checkReleaseName(name: string, helm: Helm, onWarning: (line: string) => void): void {
  const fault = releaseNameError(name);
  if (fault === undefined) return;
  const message = `release name ${quote(name)}: ${fault}`;
  helm.log.beforeReleaseName(message).forEach(onWarning);
  throw new RenderError('VALUES_INVALID', helm.wording.releaseName(message), {
    hint: 'Give a name of lower-case letters, digits and inner dashes or dots.',
  });
}

// Files whose path ends in NOTES.txt are removed; only that of the root chart is read.
function takeNotes(files: Map<string, string>, chart: Chart, withSubcharts: boolean): string {
  const own = `${chart.metadata.name}/templates/NOTES.txt`;
  const notes: string[] = [];
  for (const [path, text] of files) {
    if (!path.endsWith('NOTES.txt')) continue;
    files.delete(path);
    if (withSubcharts || path === own) notes.push(text);
  }
  return notes.join('\n');
}

/**
 * Returns Helm's message for an invalid release name.
 * Mirrors: pkg/chartutil, validate_name.go, `ValidateReleaseName`.
 */
export function releaseNameError(name: string): string | undefined {
  if (releaseName.test(name) && name.length <= maxNameLength) return undefined;
  if (name === '') return 'no name provided';
  return `invalid release name, must match regex ${releaseName.source} and the length must not be longer than ${maxNameLength}`;
}

/** Returns the files in `crds/` of a chart and its subcharts. */
export function listCrds(chart: Chart, path: string): SourcedDocument[] {
  const own = chart.files.filter(isCrdFile);
  return [
    ...own.map(({ name, data }) => ({
      path: `${path}/${name}`,
      // CRDs can be megabytes, and most renderings do not need them.
      get content() {
        return decodeUtf8(data);
      },
    })),
    ...chart.children.flatMap((child) => listCrds(child, childPath(path, child))),
  ];
}
