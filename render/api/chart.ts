// Renders a chart with a user's options: the text of `helm template`, or the release as data.

import type { Chart } from '../chart/chart.ts';
import { chartArgument } from '../chart/check.ts';
import { plainValue } from '../codec/plain.ts';
import { parseYamlExact } from '../codec/yaml/parse.ts';
import {
  callback,
  checkArguments,
  either,
  flag,
  having,
  isMembers,
  jsonObject,
  listOf,
  membersOf,
  type OptionChecks,
  optionsOf,
  text,
} from '../core/arguments.ts';
import type { HelmSelector } from '../core/helm-version.ts';
import { type Host, hostArgument } from '../core/host.ts';
import { lazy } from '../core/lazy.ts';
import { limitsArgument, type RenderLimits, withinLimits } from '../core/limits.ts';
import { type InstallOptions, type ReleaseError, type RenderedRelease, runInstall } from '../engine/release.ts';
import type { GoMap } from '../go/value.ts';
import { helmArgument, helmOf } from '../helm/versions.ts';
import type { Hook, HookEvent, Manifest } from '../manifest/sort.ts';
import { formatSource, type SourcedDocument, sentText } from '../manifest/source.ts';
import type { JsonObject } from '../order/order.ts';
import { formatTemplate, formatView, listHooks, type TemplateView } from '../output/template.ts';
import { createTrace } from '../provenance/origins/propagation.ts';
import { releaseObjects } from '../provenance/trace/objects.ts';
import type { ReleaseTrace } from '../provenance/trace/release-trace.ts';
import { createCapabilities } from '../values/capabilities.ts';
import { mergeUserValues, type UserValues, type ValuesFile, withPlaces } from '../values/user.ts';

/** Options for rendering a chart. Each one except `values`, `readFile`, `host`, `limits` and `onWarning` is a flag of `helm template`. */
export interface ReleaseOptions {
  /** The Helm version to reproduce, such as `'3.22'`; 3 and 4 select the newest of each. Default 3. */
  readonly helm?: HelmSelector | undefined;
  /** The name of the release, as `.Release.Name`. Default `release-name`. */
  readonly releaseName?: string | undefined;
  /** The namespace, as `.Release.Namespace`. Default `default`. */
  readonly namespace?: string | undefined;
  /** Values files: YAML texts, later ones override earlier ones. A name appears in errors. Default none. */
  readonly valuesFiles?: readonly (string | ValuesFile)[] | undefined;
  /** Values as an object. They override the values files and are overridden by all `set` options. A null removes a key. Default none. */
  readonly values?: JsonObject | undefined;
  /** Arguments of `--set`, such as `image.tag=1.2,list[0]=x`. */
  readonly set?: readonly string[] | undefined;
  /** Arguments of `--set-string`, whose values are strings. */
  readonly setString?: readonly string[] | undefined;
  /** Arguments of `--set-json`, such as `ports=[80,443]`. */
  readonly setJson?: readonly string[] | undefined;
  /** Arguments of `--set-literal`: one key and the rest of the text as its value. */
  readonly setLiteral?: readonly string[] | undefined;
  /** Arguments of `--set-file`, such as `script=run.sh`, whose values are the contents of files. They need `readFile`. */
  readonly setFile?: readonly string[] | undefined;
  /** Reads a file named by `setFile`. Default: every file is refused. */
  readonly readFile?: ((path: string) => string) | undefined;
  /** The version of Kubernetes, such as `1.31` or `v1.31.2`. Default: the one that the Helm version was built for, 1.37 for Helm 3.22. */
  readonly kubeVersion?: string | undefined;
  /** API versions such as `monitoring.coreos.com/v1`, added to those that Helm knows. */
  readonly apiVersions?: readonly string[] | undefined;
  /** Whether `.Release.IsUpgrade` is true, and `.Release.IsInstall` false. Default false. */
  readonly isUpgrade?: boolean | undefined;
  /** Whether to skip values.schema.json validation. Default false. */
  readonly skipSchemaValidation?: boolean | undefined;
  /** Returns the schemas that a values.schema.json refers to by URL. Default none: such a reference is an error. */
  readonly schemas?: ((url: string) => string | undefined) | undefined;
  /** Whether `getHostByName` answers. Default false. */
  readonly enableDns?: boolean | undefined;
  /** Whether the notes of subcharts are appended. Default false. */
  readonly subchartNotes?: boolean | undefined;
  /** The clock, the random source and the cluster that templates can observe. Default `realHost()`; `seededHost()` is reproducible. */
  readonly host?: Host | undefined;
  /** Limits: time, text, steps. Default: none. */
  readonly limits?: RenderLimits | undefined;
  /** Called with each line that Helm would write to standard error. */
  readonly onWarning?: ((line: string) => void) | undefined;
}

/** The options of `renderRelease`. */
export interface TracedReleaseOptions extends ReleaseOptions {
  /** Whether the release records the origin of each line, for `trace` and `explain`. Default false. */
  readonly trace?: boolean | undefined;
}

/** Options of `template`: those for rendering, and which parts of the release to print. */
export interface TemplateOptions extends ReleaseOptions, TemplateView {}

/** A rendered object: its text, what is known of it, and its JSON. */
export interface ReleaseObject extends Manifest {
  /** The object as JSON, parsed on first use. */
  readonly object: JsonObject;
}

/** A rendered hook. */
export interface ReleaseHook extends ReleaseObject {
  /** The events that run it, such as `pre-install`. */
  readonly events: readonly HookEvent[];
  /** The weight: lowest first among the hooks of one event. */
  readonly weight: number;
  /** The deletion policies, such as `hook-succeeded`. */
  readonly deletePolicies: readonly string[];
}

/** A document of a release that `text` prints. */
export interface ReleaseDocument {
  /** The path of its template or file, with the chart's name. */
  readonly path: string;
  readonly kind: 'crd' | 'object' | 'hook';
  /** The document as printed, with its separator and a comment that names its source. */
  readonly text: string;
}

/** A release as data. */
export interface Release {
  readonly name: string;
  readonly namespace: string;
  /** The chart as it was rendered: without disabled subcharts, with aliases, with imported values among the defaults. */
  readonly chart: Chart;
  /** The installed objects in installation order, without hooks and `crds/`. */
  readonly objects: readonly ReleaseObject[];
  /** By kind, as Helm lists them. Weights only order their execution. */
  readonly hooks: readonly ReleaseHook[];
  /** The files in `crds/` of all charts of the tree, root first. Like Helm, they are not parsed. */
  readonly crds: readonly SourcedDocument[];
  /** The rendered NOTES.txt; empty if there is none. */
  readonly notes: string;
  /** The values that the root chart's templates received, with defaults and subchart sections. */
  readonly values: JsonObject;
  /** The lines that Helm would write to standard error. */
  readonly warnings: readonly string[];
  /** The origin of each line, if requested with `trace: true`. */
  readonly trace: ReleaseTrace | undefined;
  /** Returns the text that `helm template` prints. Throws CHART_INVALID if a `showOnly` pattern matches nothing. */
  text(view?: TemplateView): string;
  /** Returns the documents that `text` prints, in this order; `showOnly` and `postRender` have no effect. */
  documents(view?: TemplateView): readonly ReleaseDocument[];
}

const texts = listOf(text);

/** The validation rules of `ReleaseOptions`. */
export const releaseChecks: OptionChecks<ReleaseOptions> = {
  helm: helmArgument,
  releaseName: text,
  namespace: text,
  valuesFiles: listOf(either(isMembers, membersOf<ValuesFile>({ name: text, text }, ['name', 'text']), text)),
  values: jsonObject,
  set: texts,
  setString: texts,
  setJson: texts,
  setLiteral: texts,
  setFile: texts,
  readFile: callback,
  kubeVersion: text,
  apiVersions: texts,
  isUpgrade: flag,
  skipSchemaValidation: flag,
  schemas: callback,
  enableDns: flag,
  subchartNotes: flag,
  host: hostArgument,
  limits: limitsArgument,
  onWarning: callback,
};

const viewChecks: OptionChecks<TemplateView> = {
  includeCrds: flag,
  noHooks: flag,
  skipTests: flag,
  showOnly: texts,
  postRender: callback,
};
const releaseOptions = optionsOf<TracedReleaseOptions>({ ...releaseChecks, trace: flag });
const templateOptions = optionsOf<TemplateOptions>({ ...releaseChecks, ...viewChecks });
const viewOptions = optionsOf<TemplateView>(viewChecks);

/**
 * Returns exactly what `helm template` prints for a chart. Throws RenderError: any code except ORDER_INVALID and CHART_NOT_FOUND.
 * @example
 * const text = template(chart, { releaseName: 'shop', values: { replicaCount: 2 }, set: ['image.tag=1.2.3'] });
 */
export function template(chart: Chart, options: TemplateOptions = {}): string {
  checkArguments('template', ['chart', chart, chartArgument], ['options', options, templateOptions]);
  return formatTemplate(renderWith(chart, options), options);
}

/**
 * Renders a chart to data: objects, hooks, notes, values, and the text of `helm template`. Throws RenderError: any code except
 * ORDER_INVALID and CHART_NOT_FOUND.
 * @example
 * const release = renderRelease(chart, { values: { replicaCount: 2 } });
 * const images = release.objects.filter(({ kind }) => kind === 'Deployment').map(({ object }) => object.spec);
 */
export function renderRelease(chart: Chart, options: TracedReleaseOptions = {}): Release {
  checkArguments('renderRelease', ['chart', chart, chartArgument], ['options', options, releaseOptions]);
  const trace = options.trace === true ? createTrace() : undefined;
  const release = renderWith(chart, options, { trace });
  const traced = trace && releaseObjects({ ...release, trace }, { chart, given: userValuesOf(options) });
  return releaseOf(release, traced?.trace);
}

/** Returns a rendered release as data. */
export function releaseOf(release: RenderedRelease, trace?: ReleaseTrace): Release {
  const values = lazy(() => plainValue(release.values) as JsonObject);
  const { name, namespace, crds, notes, warnings } = release;
  return {
    name,
    namespace,
    chart: release.chart,
    objects: release.manifests.map(withObject),
    hooks: release.hooks.map(withObject),
    crds,
    notes,
    get values() {
      return values();
    },
    warnings,
    trace,
    text: (view = {}) => {
      checkArguments('release.text', ['view', view, viewOptions]);
      return formatTemplate(release, view);
    },
    documents: (view = {}) => {
      checkArguments('release.documents', ['view', view, viewOptions]);
      const listed = (documents: readonly SourcedDocument[], kind: ReleaseDocument['kind']): ReleaseDocument[] =>
        documents.map((document) => ({ path: document.path, kind, text: formatSource(document) }));
      return [
        ...listed(view.includeCrds === true ? release.crds : [], 'crd'),
        ...listed(release.manifests, 'object'),
        ...listed(listHooks(release.hooks, view), 'hook'),
      ];
    },
  };
}

/** What was rendered before a failure: a ReleaseError. */
export type PartialRelease = Pick<ReleaseError, 'partial' | 'hooks'>;

const partialRelease = having<PartialRelease>('a ReleaseError', {
  partial: text,
  hooks: listOf(having<Hook>('a hook', { path: text, content: text, events: listOf(text) })),
});
const partialOptions = optionsOf<TemplateView & Pick<ReleaseOptions, 'helm'>>({
  ...viewChecks,
  helm: releaseChecks.helm,
});

/**
 * Returns what `helm template --debug` prints of a release that failed to render: the documents before the failure. Throws CHART_INVALID if
 * a `showOnly` pattern matches nothing, ARGUMENT_INVALID.
 */
export function formatPartial(
  partial: PartialRelease,
  options: TemplateView & Pick<ReleaseOptions, 'helm'> = {},
): string {
  checkArguments('formatPartial', ['partial', partial, partialRelease], ['options', options, partialOptions]);
  const shown = { documents: partial.partial, hooks: listHooks(partial.hooks, options) };
  return formatView(shown, options, helmOf(options.helm));
}

/** Implements `renderRelease` with validated arguments and optional observers. */
export function renderWith(
  chart: Chart,
  options: ReleaseOptions,
  watches: Pick<InstallOptions, 'runs' | 'reads' | 'trace' | 'only'> = {},
): RenderedRelease {
  const helm = helmOf(options.helm);
  const capabilities = createCapabilities({ ...options, helm });
  const given = userValuesOf(options);
  const { valuesFiles } = given;
  const values = mergeUserValues(given, helm);
  try {
    return withinLimits(options.limits, () =>
      runInstall(chart, { ...options, helm, name: options.releaseName, values, capabilities, ...watches }),
    );
  } catch (error) {
    const others = (): GoMap => mergeUserValues({ ...options, valuesFiles: [] }, helm);
    throw withPlaces(error, { chart, files: valuesFiles, others });
  }
}

export function userValuesOf(options: ReleaseOptions): UserValues & { readonly valuesFiles: readonly ValuesFile[] } {
  const valuesFiles = (options.valuesFiles ?? []).map((file, i) =>
    typeof file === 'string' ? { name: `valuesFiles[${i}]`, text: file } : file,
  );
  return { ...options, valuesFiles };
}

/** Returns the object of a rendered document; an empty object if there is none. */
export function objectOf(document: Manifest): JsonObject {
  return (plainValue(parseYamlExact(sentText(document), () => true)) ?? {}) as JsonObject;
}

function withObject<T extends Manifest>(document: T): T & ReleaseObject {
  const object = lazy(() => objectOf(document));
  return {
    ...document,
    get object() {
      return object();
    },
  };
}
