// One release, start to end: the steps of `helm template` in Helm's order, which decides the error that wins.
// Mirrors: helm.sh/helm/v3, cmd/helm/install.go `runInstall` and pkg/action/install.go `RunWithContext`, v3.17.3.

import { type Chart, childPath, isCrdFile } from '../chart/chart.ts';
import { reloadFor } from '../chart/reload-for.ts';
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
import type { Observers } from '../template/observer.ts';
import type { Trace } from '../template/trace.ts';
import { type Capabilities, createCapabilities, withApiVersions } from '../values/capabilities.ts';
import { checkChartDependencies, checkInstallable, checkKubeVersion, composeValues } from '../values/compose.ts';
import { copyValue } from '../values/lookup.ts';
import type { Reads } from '../values/reads.ts';
import type { SchemaSource } from '../values/schema/refs.ts';
import { renderTemplates } from './engine.ts';

/** Describes how to render a release. Defaults are those of `helm template`. */
export interface InstallOptions {
  /** The Helm whose output is given. Default Helm 3. */
  readonly helm?: Helm | undefined;
  /** Default `release-name`. */
  readonly name?: string | undefined;
  /** Default `default`; it is not checked. */
  readonly namespace?: string | undefined;
  /** What the user gives: values files and `--set` texts, merged. Default none. */
  readonly values?: GoMap | undefined;
  /**
   * What templates may know of the cluster. Default: the Kubernetes that Helm was built for, with the API versions that Helm
   * itself knows.
   */
  readonly capabilities?: Capabilities | undefined;
  /** Whether the API versions that the chart's `crds/` define are known too, as during an installation. Default false. */
  readonly installsCrds?: boolean | undefined;
  readonly isUpgrade?: boolean | undefined;
  readonly skipSchemaValidation?: boolean | undefined;
  /** The schemas that a values.schema.json refers to by URL. Default none: such a schema is refused. */
  readonly schemas?: SchemaSource | undefined;
  /** Whether `getHostByName` answers. Default false. */
  readonly enableDns?: boolean | undefined;
  /** Whether the notes of sub-charts are added to the notes. Default false. */
  readonly subchartNotes?: boolean | undefined;
  /** Default `realHost()`. */
  readonly host?: Host | undefined;
  /** Called with every warning as it comes up, as one line of Helm's standard error. */
  readonly onWarning?: ((line: string) => void) | undefined;
  /** The only template to execute, by name; changes that others make to shared values are missing then. Default: all. */
  readonly only?: string | undefined;
  /** Records which parts of the templates run. Default: nothing is recorded. */
  readonly runs?: Observers | undefined;
  /** Records which values the templates read. Default: nothing is recorded. */
  readonly reads?: Reads | undefined;
  /** Remembers where each part of the texts comes from. Default: nothing is traced. */
  readonly trace?: Trace | undefined;
}

/** A rendered release. */
export interface RenderedRelease {
  /** The Helm whose output it is. */
  readonly helm: Helm;
  readonly name: string;
  readonly namespace: string;
  /** The chart with its dependencies processed: pruned, renamed, their values lifted. */
  readonly chart: Chart;
  /** The values that the root chart's templates were given, before any of them changed one. */
  readonly values: GoMap;
  /** The files below `crds/` of all charts in the tree, root first. */
  readonly crds: readonly SourcedDocument[];
  /** In the order of installation. */
  readonly manifests: readonly Manifest[];
  /** By kind, as Helm lists them; their weights order them only when they run. */
  readonly hooks: readonly Hook[];
  readonly notes: string;
  /** Helm's lines on standard error. */
  readonly warnings: readonly string[];
}

/** The failure of a release whose values stood: Helm has something to show for it. */
export class ReleaseError extends RenderError {
  /** All that was rendered, where it could not be sorted; otherwise empty. */
  readonly partial: string;
  /** The hooks that were found before sorting failed. */
  readonly hooks: readonly Hook[];

  constructor(error: RenderError, partial: string) {
    const { code, message, issues, place, hint } = error;
    super(code, message, {
      issues,
      cause: error.cause,
      ...(place === undefined ? {} : { place }),
      ...(hint === undefined ? {} : { hint }),
    });
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
  const composed = composeValues(chart, options.values ?? new Map(), {
    skipSchemaValidation: options.skipSchemaValidation ?? false,
    schemas: options.schemas,
    onWarning,
    helm,
  });
  const { reads } = options;
  const composition = reads === undefined ? composed : { ...composed, values: reads.watch(composed.values) };
  // Templates may change their values: `set`, `unset` and the merges do so in place.
  const values = reads === undefined ? copyValue(composed.values) : composition.values;
  if (options.trace !== undefined) options.trace.values = values;
  const crds = listCrds(composition.chart, composition.chart.metadata.name);
  const cluster = options.capabilities ?? createCapabilities({ helm });
  const capabilities =
    options.installsCrds === true
      ? withApiVersions(
          cluster,
          crds.flatMap(definitionsOf).flatMap(({ apiVersions }) => apiVersions),
        )
      : cluster;
  const files = orPartial(new Map(), () => {
    checkKubeVersion(chart, capabilities, helm);
    return renderTemplates(composition, {
      release: { name, namespace, revision: 1, isUpgrade: options.isUpgrade ?? false },
      capabilities,
      helm,
      host: options.host ?? realHost(),
      enableDns: options.enableDns ?? false,
      only: options.only,
      runs: options.runs,
      trace: options.trace,
    });
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
    // Helm shows them in any order; here it is that of their paths.
    const shown = sortedEntries(files).map(([path, content]) => ({ path, content }));
    throw new ReleaseError(
      error,
      shown
        .filter(({ content }) => trimSpace(content) !== '')
        .map(formatSource)
        .join(''),
    );
  }
}

const releaseName = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const maxNameLength = 53;

/** Checks a release name. Throws VALUES_INVALID with Helm's text. */
function checkReleaseName(name: string, helm: Helm, onWarning: (line: string) => void): void {
  const fault = releaseNameError(name);
  if (fault === undefined) return;
  const message = `release name ${quote(name)}: ${fault}`;
  helm.log.beforeReleaseName(message).forEach(onWarning);
  throw new RenderError('VALUES_INVALID', helm.wording.releaseName(message), {
    hint: 'Give a name of lower-case letters, digits and inner dashes or dots.',
  });
}

// Every file whose path ends in NOTES.txt is removed; only that of the root chart is read.
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

/** Returns what Helm says of a name that no release can have. Mirrors: pkg/chartutil, validate_name.go, `ValidateReleaseName`. */
export function releaseNameError(name: string): string | undefined {
  if (releaseName.test(name) && name.length <= maxNameLength) return undefined;
  if (name === '') return 'no name provided';
  return `invalid release name, must match regex ${releaseName.source} and the length must not be longer than ${maxNameLength}`;
}

/** Returns the files below `crds/` of a chart and of all charts below it. */
export function listCrds(chart: Chart, path: string): SourcedDocument[] {
  const own = chart.files.filter(isCrdFile);
  return [
    ...own.map(({ name, data }) => new CrdFile(`${path}/${name}`, data)),
    ...chart.children.flatMap((child) => listCrds(child, childPath(path, child))),
  ];
}

// Charts bring megabytes of CRDs, and most renderings leave them out: the text is made when it is needed.
class CrdFile implements SourcedDocument {
  readonly path: string;
  readonly #data: Uint8Array;

  constructor(path: string, data: Uint8Array) {
    this.path = path;
    this.#data = data;
  }

  get content(): string {
    return decodeUtf8(this.#data);
  }
}
