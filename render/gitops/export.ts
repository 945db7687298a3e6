// Exports an Order for a tool that installs by itself: Argo CD, Flux, helmfile, kustomize.

import { plainValue } from '../codec/plain.ts';
import { counted } from '../core/counted.ts';
import type { RenderError } from '../core/errors.ts';
import { getOrCreate } from '../core/lazy.ts';
import { joinPath } from '../core/paths.ts';
import type { RenderedPackage, RenderedPackages } from '../engine/packages.ts';
import type { GoMap } from '../go/value.ts';
import { isAbsolutePath, isUrl } from '../order/names.ts';
import type { JsonObject, JsonValue, SourceRef } from '../order/order.ts';
import { orderInvalid } from '../order/validate.ts';
import { formatObject, formatValuesJson } from '../output/documents.ts';
import { valueOfJson } from '../values/patch.ts';
import { resolvePath } from './import/tree.ts';

/** What an export needs in addition to the Order. */
export interface ExportOptions {
  /** The URL of the Git repository that contains charts from paths. */
  readonly repoUrl?: string | undefined;
  /** Its branch, tag or commit. Default `HEAD`. */
  readonly revision?: string | undefined;
  /** The folder in that repository that the Order's paths are relative to. Default: the root. */
  readonly folder?: string | undefined;
}

/** The source of a chart, by the kinds that tools support. */
type ChartPlace =
  | { readonly kind: 'repository'; readonly url: string; readonly isOci: boolean }
  | { readonly kind: 'object'; readonly name: string; readonly namespace: string }
  | { readonly kind: 'path'; readonly path: string };

interface ExportedPackage {
  /** Unique in the Order and valid as the name of an object: the release, with its namespace if two share a name. */
  readonly id: string;
  readonly path: string;
  readonly name: string;
  /** The version in the Order; undefined for the newest release. */
  readonly version: string | undefined;
  readonly releaseName: string;
  readonly namespace: string;
  readonly place: ChartPlace;
  /** Undefined for none. */
  readonly values: JsonObject | undefined;
  /** API versions that its templates check for and that the Order provides; undefined for none. */
  readonly apiVersions: string[] | undefined;
}

function readPackages({ packages }: RenderedPackages): ExportedPackage[] {
  const releases = packages.map(({ selection }) => selection.chart.releaseName);
  const ids = new Set<string>();
  return packages.map((item) => {
    const { path, chart } = item.selection;
    const { name, releaseName, namespace } = chart;
    const isShared = releases.filter((other) => other === releaseName).length > 1;
    const wanted = isShared ? `${namespace}-${releaseName}` : releaseName;
    let id = wanted;
    for (let number = 2; ids.has(id); number++) id = `${wanted}-${number}`;
    ids.add(id);
    const apiVersions = [...item.apis.queried].filter((api) => item.apis.brought.has(api)).sort();
    return {
      id,
      path,
      name,
      version: chart.version || undefined,
      releaseName,
      namespace,
      place: placeOf(path, chart.sourceRef),
      values: valuesOf(item),
      apiVersions: apiVersions.length === 0 ? undefined : apiVersions,
    };
  });
}

// The values of the Order, with its values file and its patch.
function valuesOf({ selection, values }: RenderedPackage): JsonObject | undefined {
  const { valuesFile, valuesPatch, values: own } = selection.chart;
  const object = valuesFile === '' && valuesPatch.length === 0 ? own : (plainValue(values.overlay) as JsonObject);
  return Object.keys(object).length === 0 ? undefined : object;
}

function placeOf(packagePath: string, { kind, name, namespace }: SourceRef): ChartPlace {
  if (isUrl(name)) {
    const url = name.replace(/(?<!\/)\/+$/, '');
    return { kind: 'repository', url, isOci: url.startsWith('oci://') };
  }
  if (kind === 'Embed') {
    const hint = 'Take the chart from a repository or a path.';
    throw outOfReach(packagePath, 'is bundled with drydock, where other tools cannot find it', hint);
  }
  if (kind === 'Local' || kind === 'Legacy') return { kind: 'path', path: name };
  return { kind: 'object', name, namespace };
}

function outOfReach(packagePath: string, message: string, hint: string): RenderError {
  const path = `${joinPath(packagePath, 'chart')}.sourceRef`;
  return orderInvalid([{ path, message, severity: 'error', hint }]);
}

/** Returns the error for a repository object, for a tool that supports only URLs. */
function withoutUrl({ path }: ExportedPackage, name: string, tool: string): RenderError {
  const message = `names the repository ${JSON.stringify(name)}, but ${tool} needs a URL`;
  return outOfReach(path, message, 'Give the URL of the repository.');
}

/** Returns the URL of the Git repository with a chart from a path. Throws ORDER_INVALID if there is none. */
function gitUrlOf({ path }: ExportedPackage, { repoUrl = '' }: ExportOptions): string {
  if (repoUrl !== '') return repoUrl;
  const message = 'is a path, which the tool reads from a Git repository';
  throw outOfReach(path, message, 'Give the Git repository that contains the path (--repo-url URL).');
}

/** Returns a path of the Order relative to the root of the Git repository. Throws ORDER_INVALID if it leads elsewhere. */
function repositoryPath(item: ExportedPackage, path: string, { folder = '' }: ExportOptions): string {
  const found = isAbsolutePath(path) ? undefined : resolvePath(folder, path);
  if (found !== undefined) return found || '.';
  const message = `has the path ${JSON.stringify(path)}, which is not in the Git repository of the Order`;
  throw outOfReach(item.path, message, 'Write a path within the repository, relative to the Order.');
}

function plainPath(path: string): string {
  return path.replace(/^(?:\.\/)+/, '').replace(/(?<!\/)\/+$/, '') || '.';
}

function withoutAbsent(members: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  const present = Object.entries(members).filter((member): member is [string, JsonValue] => member[1] !== undefined);
  return Object.fromEntries(present);
}

// Mirrors: argo-cd, pkg/apis/application/v1alpha1, types.go, `Application`, v2.14.

function argocdDocuments(
  packages: readonly ExportedPackage[],
  _plan: RenderedPackages,
  options: ExportOptions,
): JsonObject[] {
  return packages.map((item, wave) => {
    const { id, namespace, releaseName, values } = item;
    // Values are passed as text, because fields of an object cannot be null.
    const text = values && formatValuesJson(valueOfJson(values) as GoMap);
    return {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: { name: id, namespace: 'argocd', annotations: { 'argocd.argoproj.io/sync-wave': String(wave) } },
      spec: {
        project: 'default',
        source: { ...applicationSource(item, options), helm: withoutAbsent({ releaseName, values: text }) },
        destination: { server: 'https://kubernetes.default.svc', namespace },
        syncPolicy: { automated: {}, syncOptions: ['CreateNamespace=true', 'ServerSideApply=true'] },
      },
    };
  });
}

function applicationSource(item: ExportedPackage, options: ExportOptions): JsonObject {
  const { place, name, version = '*' } = item;
  if (place.kind === 'object') throw withoutUrl(item, place.name, 'Argo CD');
  if (place.kind === 'path') {
    const repoURL = gitUrlOf(item, options);
    return { repoURL, path: repositoryPath(item, place.path, options), targetRevision: options.revision ?? 'HEAD' };
  }
  // It identifies a registry by its address without a scheme.
  return { repoURL: place.url.replace(/^oci:\/\//, ''), chart: name, targetRevision: version };
}

// Mirrors: fluxcd, helm-controller, api/v2, `HelmRelease`; source-controller, api/v1, `HelmRepository` and `GitRepository`.

const home = 'flux-system';
const interval = '1h';

function fluxDocuments(
  packages: readonly ExportedPackage[],
  { order }: RenderedPackages,
  options: ExportOptions,
): JsonObject[] {
  const sources = new Map<string, { readonly kind: string; readonly name: string; readonly spec: JsonObject }>();
  const chartOf = (item: ExportedPackage): JsonObject => {
    const { place, name } = item;
    if (place.kind === 'object') {
      const { name: repository, namespace } = place;
      const sourceRef = { kind: 'HelmRepository', name: repository, namespace: namespace || undefined };
      return { chart: name, sourceRef: withoutAbsent(sourceRef) };
    }
    const isPath = place.kind === 'path';
    const url = isPath ? gitUrlOf(item, options) : place.url;
    const { kind, name: source } = getOrCreate(sources, url, () => ({
      kind: isPath ? 'GitRepository' : 'HelmRepository',
      name: `${order.metadata.name}-${sources.size + 1}`,
      spec: isPath ? gitSpec(url, options) : withoutAbsent({ url, interval, type: place.isOci ? 'oci' : undefined }),
    }));
    const chart = isPath ? `./${repositoryPath(item, place.path, options)}` : name;
    return { chart, sourceRef: { kind, name: source } };
  };
  const releases = packages.map((item, index): JsonObject => {
    const { id, releaseName, namespace, values, version } = item;
    const before = packages[index - 1];
    return {
      apiVersion: 'helm.toolkit.fluxcd.io/v2',
      kind: 'HelmRelease',
      metadata: { name: id, namespace: home },
      spec: withoutAbsent({
        interval,
        releaseName,
        targetNamespace: namespace,
        storageNamespace: namespace,
        install: { createNamespace: true },
        dependsOn: before && [{ name: before.id }],
        chart: { spec: withoutAbsent({ ...chartOf(item), version }) },
        values,
      }),
    };
  });
  const repositories = [...sources.values()].map(({ kind, name, spec }): JsonObject => {
    return { apiVersion: 'source.toolkit.fluxcd.io/v1', kind, metadata: { name, namespace: home }, spec };
  });
  return [...repositories, ...releases];
}

function gitSpec(url: string, { revision }: ExportOptions): JsonObject {
  return withoutAbsent({ url, interval, ref: revision === undefined ? undefined : { name: revision } });
}

// Mirrors: helmfile, docs/index.md, "Configuration", v1: a file that does not end in .gotmpl is not a template.

function helmfileDocuments(packages: readonly ExportedPackage[]): JsonObject[] {
  const repositories = new Map<string, JsonObject>();
  const chartOf = ({ place, name }: ExportedPackage): string => {
    if (place.kind === 'path') return isAbsolutePath(place.path) ? place.path : `./${plainPath(place.path)}`;
    // helmfile uses the repositories configured in the local Helm.
    if (place.kind === 'object') return `${place.name}/${name}`;
    const { url, isOci } = place;
    const repository = getOrCreate(repositories, url, () => {
      const own = { name: `repository-${repositories.size + 1}`, url: url.replace(/^oci:\/\//, '') };
      return isOci ? { ...own, oci: true } : own;
    });
    return `${String(repository.name)}/${name}`;
  };
  const releases = packages.map((item, index): JsonObject => {
    const { releaseName, namespace, values, version } = item;
    const before = packages[index - 1];
    return withoutAbsent({
      name: releaseName,
      namespace,
      chart: chartOf(item),
      version,
      needs: before && [`${before.namespace}/${before.releaseName}`],
      values: values && [values],
    });
  });
  const list = [...repositories.values()];
  return [{ ...(list.length === 0 ? {} : { repositories: list }), releases }];
}

// Mirrors: kustomize, api/types, helmchartargs.go, `HelmChart` and `HelmGlobals`, v5.6.

function kustomizeDocuments(packages: readonly ExportedPackage[], { kubeVersion }: RenderedPackages): JsonObject[] {
  const homes = new Set<string>();
  const helmCharts = packages.map((item): JsonObject => {
    const { name, version, releaseName, namespace, values, apiVersions, place } = item;
    if (place.kind === 'object') throw withoutUrl(item, place.name, 'kustomize');
    if (place.kind === 'path') homes.add(homeOf(item, place.path));
    if (homes.size > 1) {
      const message = 'is in another folder than the chart before it, but kustomize has only one folder of charts';
      throw outOfReach(item.path, message, 'Move the charts into one folder.');
    }
    return withoutAbsent({
      name,
      repo: place.kind === 'repository' ? place.url : undefined,
      version,
      releaseName,
      namespace,
      includeCRDs: true,
      kubeVersion,
      apiVersions,
      valuesInline: values,
    });
  });
  const [chartHome] = homes;
  const helmGlobals = chartHome === undefined ? undefined : { chartHome };
  const apiVersion = 'kustomize.config.k8s.io/v1beta1';
  return [withoutAbsent({ apiVersion, kind: 'Kustomization', helmGlobals, helmCharts })];
}

/** Returns what a kustomization cannot represent of an Order, one sentence each. */
function leftByKustomize({ packages }: RenderedPackages): string[] {
  const [namespace = '', ...others] = new Set(packages.map(({ release }) => release.namespace));
  const hooked = packages.filter(({ release }) => release.hooks.length > 0).map(({ selection }) => selection.path);
  const where = 'objects without a namespace go to the current namespace of kubectl';
  return [
    others.length === 0
      ? `${where}: apply it with --namespace ${namespace}`
      : `${where}, and this Order has several namespaces: split it, or set the namespaces in the charts`,
    ...hooked.map((path) => `${path}: kustomize applies its hooks as ordinary objects`),
  ];
}

function homeOf(item: ExportedPackage, path: string): string {
  const steps = plainPath(path).split('/');
  if (steps.pop() !== item.name) {
    const message = `is in a folder that is not named ${item.name}, but kustomize looks for a folder with the name of the chart`;
    throw outOfReach(item.path, message, 'Rename the folder to the name of the chart.');
  }
  return steps.join('/') || '.';
}

/** The tools that an Order can be exported for. */
export type Engine = 'argocd' | 'flux' | 'helmfile' | 'kustomize';

/** An exported Order. */
export interface ExportedOrder {
  /** The file name that the tool looks for, or a descriptive one. */
  readonly fileName: string;
  /** One or more YAML documents. */
  readonly text: string;
  /** What the format cannot represent, one sentence each. */
  readonly left: readonly string[];
  /** One line, such as `3 packages: 2 exported, 1 exported with notes`. */
  readonly summary: string;
}

interface Form {
  readonly fileName: string;
  readonly documents: (
    packages: readonly ExportedPackage[],
    rendered: RenderedPackages,
    options: ExportOptions,
  ) => JsonObject[];
  /** What it does instead of the waits of an Order. */
  readonly waits: string;
  /** What else is lost. */
  readonly left?: (rendered: RenderedPackages) => string[];
}

const forms: Readonly<Record<Engine, Form>> = {
  argocd: {
    fileName: 'applications.yaml',
    documents: argocdDocuments,
    waits: 'Argo CD continues when an Application is healthy',
  },
  flux: {
    fileName: 'releases.yaml',
    documents: fluxDocuments,
    waits: 'Flux continues when a release is ready',
  },
  helmfile: {
    fileName: 'helmfile.yaml',
    documents: helmfileDocuments,
    waits: "helmfile continues when Helm's own wait ends",
  },
  kustomize: {
    fileName: 'kustomization.yaml',
    documents: kustomizeDocuments,
    waits: 'kustomize has no order and no waits',
    left: leftByKustomize,
  },
};

/**
 * Exports an Order for a tool. Values are exported as in the Order, or merged with the values file of the chart and the patch if there is
 * one. Throws ORDER_INVALID for a chart that the tool cannot reach, such as a path without its repository.
 */
export function exportOrder(rendered: RenderedPackages, engine: Engine, options: ExportOptions = {}): ExportedOrder {
  const form = forms[engine];
  const documents = form.documents(readPackages(rendered), rendered, options);
  const text = documents.map((document) => formatObject(valueOfJson(document) as GoMap)).join('---\n');
  // helmfile before 1.0 renders every file as a template, and 1.0 those with this ending: braces in values are escaped for both.
  const isTemplate = engine === 'helmfile' && text.includes('{{');
  const left = [...(form.left?.(rendered) ?? []), ...rendered.packages.flatMap((item) => leftOut(item, form))];
  return {
    fileName: isTemplate ? `${form.fileName}.gotmpl` : form.fileName,
    text: isTemplate ? text.replaceAll('{{', '{{`{{`}}') : text,
    left,
    summary: summaryOf(rendered, left),
  };
}

function summaryOf({ packages }: RenderedPackages, left: readonly string[]): string {
  const noted = packages.filter(({ selection }) => left.some((sentence) => sentence.startsWith(`${selection.path}:`)));
  const exported = packages.length - noted.length;
  return `${counted(packages.length, 'package')}: ${exported} exported, ${noted.length} exported with notes`;
}

function leftOut({ selection }: RenderedPackage, { waits }: Form): string[] {
  const { path, chart } = selection;
  return [
    ...(chart.waitFors.length === 0 ? [] : [`${path}: its waits are left out: ${waits}`]),
    ...(chart.valuesPatch.length === 0 ? [] : [`${path}: the result of valuesPatch is part of the values`]),
    ...(chart.valuesFile === '' ? [] : [`${path}: the content of valuesFile is part of the values`]),
  ];
}
