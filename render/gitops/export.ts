// Exports an Order for a tool that installs by itself: Argo CD, Flux, helmfile, kustomize.

import { plainValue } from '../codec/plain.ts';
import { isNested } from '../core/arguments.ts';
import { type Issue, RenderError } from '../core/errors.ts';
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
  | { readonly kind: 'path'; readonly path: string }
  | { readonly kind: 'embedded' };

interface ExportedPackage {
  /** Unique in the Order and valid as the name of an object: the release, with its namespace if two share a name. */
  readonly id: string;
  readonly path: string;
  readonly name: string;
  /** The version in the Order; empty for the newest release. */
  readonly version: string;
  readonly releaseName: string;
  readonly namespace: string;
  readonly place: ChartPlace;
  /** Undefined for none. */
  readonly values: JsonObject | undefined;
  /** API versions that its templates check for and that the Order provides. */
  readonly apiVersions: readonly string[];
}

function readPackages({ packages }: RenderedPackages): ExportedPackage[] {
  const releases = packages.map(({ selection }) => selection.chart.releaseName);
  return packages.map((item) => {
    const { path, chart } = item.selection;
    const { releaseName, namespace } = chart;
    const isShared = releases.filter((name) => name === releaseName).length > 1;
    return {
      id: isShared ? `${namespace}-${releaseName}` : releaseName,
      path,
      name: chart.name,
      version: chart.version,
      releaseName,
      namespace,
      place: placeOf(chart.sourceRef),
      values: valuesOf(item),
      apiVersions: [...item.apis.queried].filter((name) => item.apis.brought.has(name)).sort(),
    };
  });
}

// The values of the Order, with its values file and its patch.
function valuesOf({ selection, values }: RenderedPackage): JsonObject | undefined {
  const { valuesFile, valuesPatch, values: own } = selection.chart;
  const object = valuesFile === '' && valuesPatch.length === 0 ? own : (plainValue(values.overlay) as JsonObject);
  return Object.keys(object).length === 0 ? undefined : object;
}

function placeOf({ kind, name, namespace }: SourceRef): ChartPlace {
  if (isUrl(name)) {
    const url = name.replace(/(?<!\/)\/+$/, '');
    return { kind: 'repository', url, isOci: url.startsWith('oci://') };
  }
  if (kind === 'Embed') return { kind: 'embedded' };
  if (kind === 'Local' || kind === 'Legacy') return { kind: 'path', path: name };
  return { kind: 'object', name, namespace };
}

export function outOfReach({ path }: ExportedPackage, message: string, hint: string): RenderError {
  const issue: Issue = { path: `${joinPath(path, 'chart')}.sourceRef`, message, severity: 'error', hint };
  return new RenderError('ORDER_INVALID', message, { issues: [issue], hint });
}

/** Returns the URL of the Git repository with a chart from a path. Throws ORDER_INVALID if there is none. */
function gitUrlOf(item: ExportedPackage, { repoUrl = '' }: ExportOptions): string {
  if (repoUrl !== '') return repoUrl;
  const message = 'comes from a path, and the engine takes charts of paths from a Git repository';
  throw outOfReach(item, message, 'Name the repository that holds the path (--repo-url URL).');
}

/** Returns the error for a chart that is only bundled with this program. */
export function embedded(item: ExportedPackage): RenderError {
  return outOfReach(item, 'ships with drydock, which no engine knows', 'Take the chart from a repository or a path.');
}

/** Returns a path of the Order relative to the root of the Git repository. */
function repositoryPath(path: string, { folder = '' }: ExportOptions): string {
  return (resolvePath(folder, path) ?? plainPath(path)) || '.';
}

function plainPath(path: string): string {
  return path.replace(/^(?:\.\/)+/, '').replace(/(?<!\/)\/+$/, '') || '.';
}

// Mirrors: argo-cd, pkg/apis/application/v1alpha1, types.go, `Application`, v2.14.

function argocdDocuments(
  packages: readonly ExportedPackage[],
  _plan: RenderedPackages,
  options: ExportOptions,
): JsonObject[] {
  return packages.map((item, wave) => ({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: {
      name: item.id,
      namespace: 'argocd',
      annotations: { 'argocd.argoproj.io/sync-wave': String(wave) },
    },
    spec: {
      project: 'default',
      source: { ...applicationSource(item, options), helm: applicationValues(item) },
      destination: { server: 'https://kubernetes.default.svc', namespace: item.namespace },
      syncPolicy: { automated: {}, syncOptions: ['CreateNamespace=true', 'ServerSideApply=true'] },
    },
  }));
}

function applicationSource(item: ExportedPackage, options: ExportOptions): JsonObject {
  const { place, name, version } = item;
  if (place.kind === 'embedded') throw embedded(item);
  if (place.kind === 'object') {
    throw outOfReach(
      item,
      `names the repository ${JSON.stringify(place.name)}, and Argo CD takes addresses`,
      'Give the URL of the repository.',
    );
  }
  if (place.kind === 'path') {
    const repoURL = gitUrlOf(item, options);
    return { repoURL, path: repositoryPath(place.path, options), targetRevision: options.revision ?? 'HEAD' };
  }
  // It identifies a registry by its address without a scheme.
  const repoURL = place.isOci ? place.url.slice('oci://'.length) : place.url;
  return { repoURL, chart: name, targetRevision: version === '' ? '*' : version };
}

// Values are passed as text, because fields of an object cannot be null.
function applicationValues({ releaseName, values }: ExportedPackage): JsonObject {
  return {
    releaseName,
    ...(values === undefined ? {} : { values: formatValuesJson(valueOfJson(values) as GoMap) }),
  };
}

// Mirrors: fluxcd, helm-controller, api/v2, `HelmRelease`; source-controller, api/v1, `HelmRepository` and `GitRepository`.

const home = 'flux-system';
const interval = '1h';

function fluxDocuments(
  packages: readonly ExportedPackage[],
  rendered: RenderedPackages,
  options: ExportOptions,
): JsonObject[] {
  const sources = new Map<string, JsonObject>();
  const releases = packages.map((item, index): JsonObject => {
    const { releaseName, namespace, values, version } = item;
    const before = packages[index - 1];
    return {
      apiVersion: 'helm.toolkit.fluxcd.io/v2',
      kind: 'HelmRelease',
      metadata: { name: item.id, namespace: home },
      spec: {
        interval,
        releaseName,
        targetNamespace: namespace,
        storageNamespace: namespace,
        install: { createNamespace: true },
        ...(before === undefined ? {} : { dependsOn: [{ name: before.id }] }),
        chart: {
          spec: {
            ...fluxChart(item, { sources, order: rendered.order.metadata.name, options }),
            ...(version === '' ? {} : { version }),
          },
        },
        ...(values === undefined ? {} : { values }),
      },
    };
  });
  return [...sources.values(), ...releases];
}

interface Shelf {
  readonly sources: Map<string, JsonObject>;
  readonly order: string;
  readonly options: ExportOptions;
}

function fluxChart(item: ExportedPackage, { sources, order, options }: Shelf): JsonObject {
  const { place, name } = item;
  if (place.kind === 'embedded') throw embedded(item);
  if (place.kind === 'object') {
    const namespace = place.namespace === '' ? {} : { namespace: place.namespace };
    return { chart: name, sourceRef: { kind: 'HelmRepository', name: place.name, ...namespace } };
  }
  const isPath = place.kind === 'path';
  const url = isPath ? gitUrlOf(item, options) : place.url;
  const known = sources.get(url);
  const source = known ?? fluxSource(url, isPath, { order, options, number: sources.size });
  sources.set(url, source);
  const kind = isPath ? 'GitRepository' : 'HelmRepository';
  const sourceRef = { kind, name: (source.metadata as JsonObject).name as string };
  return { chart: isPath ? `./${repositoryPath(place.path, options)}` : name, sourceRef };
}

function fluxSource(
  url: string,
  isGit: boolean,
  { order, options, number }: { readonly order: string; readonly options: ExportOptions; readonly number: number },
): JsonObject {
  const metadata = { name: `${order}-${number + 1}`, namespace: home };
  const apiVersion = 'source.toolkit.fluxcd.io/v1';
  if (!isGit) {
    const type = url.startsWith('oci://') ? { type: 'oci' } : {};
    return { apiVersion, kind: 'HelmRepository', metadata, spec: { url, interval, ...type } };
  }
  const { revision } = options;
  const ref = revision === undefined ? {} : { ref: { name: revision } };
  return { apiVersion, kind: 'GitRepository', metadata, spec: { url, interval, ...ref } };
}

// Mirrors: helmfile, docs/index.md, "Configuration", v1: a file that does not end in .gotmpl is not a template.

function helmfileDocuments(packages: readonly ExportedPackage[]): JsonObject[] {
  const repositories = new Map<string, JsonObject>();
  const releases = packages.map((item, index): JsonObject => {
    const { releaseName, namespace, values, version } = item;
    const before = packages[index - 1];
    return {
      name: releaseName,
      namespace,
      chart: helmfileChart(item, repositories),
      ...(version === '' ? {} : { version }),
      ...(before === undefined ? {} : { needs: [`${before.namespace}/${before.releaseName}`] }),
      ...(values === undefined ? {} : { values: [values] }),
    };
  });
  const list = [...repositories.values()];
  return [{ ...(list.length === 0 ? {} : { repositories: list }), releases }];
}

function helmfileChart(item: ExportedPackage, repositories: Map<string, JsonObject>): string {
  const { place, name } = item;
  if (place.kind === 'embedded') throw embedded(item);
  if (place.kind === 'path') return isAbsolutePath(place.path) ? place.path : `./${plainPath(place.path)}`;
  // helmfile uses the repositories configured in the local Helm.
  if (place.kind === 'object') return `${place.name}/${name}`;
  const known = repositories.get(place.url) ?? {
    name: `repository-${repositories.size + 1}`,
    url: place.isOci ? place.url.slice('oci://'.length) : place.url,
    ...(place.isOci ? { oci: true } : {}),
  };
  repositories.set(place.url, known);
  return `${String(known.name)}/${name}`;
}

// Mirrors: kustomize, api/types, helmchartargs.go, `HelmChart` and `HelmGlobals`, v5.6.

function kustomizeDocuments(packages: readonly ExportedPackage[], rendered: RenderedPackages): JsonObject[] {
  const homes = new Set<string>();
  const helmCharts = packages.map((item): JsonObject => {
    const { name, version, releaseName, namespace, values, apiVersions } = item;
    const { place } = item;
    if (place.kind === 'embedded') throw embedded(item);
    if (place.kind === 'object') {
      const message = `names the repository ${JSON.stringify(place.name)}, and kustomize takes addresses`;
      throw outOfReach(item, message, 'Give the URL of the repository.');
    }
    if (place.kind === 'path') homes.add(homeOf(item, place.path));
    if (homes.size > 1) {
      const message = 'is in another folder than the chart before it, and kustomize has one folder of charts';
      throw outOfReach(item, message, 'Put the charts of paths into one folder.');
    }
    return {
      name,
      ...(place.kind === 'repository' ? { repo: place.url } : {}),
      ...(version === '' ? {} : { version }),
      releaseName,
      namespace,
      includeCRDs: true,
      kubeVersion: rendered.kubeVersion,
      ...(apiVersions.length === 0 ? {} : { apiVersions: [...apiVersions] }),
      ...(values === undefined ? {} : { valuesInline: values }),
    };
  });
  const [chartHome] = homes;
  return [
    {
      apiVersion: 'kustomize.config.k8s.io/v1beta1',
      kind: 'Kustomization',
      ...(chartHome === undefined ? {} : { helmGlobals: { chartHome } }),
      helmCharts,
    },
  ];
}

/** Returns what a kustomization cannot represent of an Order, one sentence each. */
function leftByKustomize({ packages }: RenderedPackages): string[] {
  const [namespace = '', ...others] = new Set(packages.map(({ release }) => release.namespace));
  const hooked = packages.filter(({ release }) => release.hooks.length > 0).map(({ selection }) => selection.path);
  const where = 'objects without a namespace go to the current namespace of kubectl';
  return [
    others.length === 0
      ? `${where}: apply it with --namespace ${namespace}`
      : `${where}, and this Order has several namespaces: split it, or have the charts name theirs`,
    ...hooked.map((path) => `${path}: its hooks are ordinary objects to kustomize`),
  ];
}

function homeOf(item: ExportedPackage, path: string): string {
  const steps = plainPath(path).split('/');
  if (steps.pop() !== item.name) {
    const message = `is in a folder that is not named ${item.name}, and kustomize looks for a folder with the name of the chart`;
    throw outOfReach(item, message, 'Call the folder as the chart.');
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
 * one. Throws ORDER_INVALID for each chart that the tool cannot reach, such as a path without its repository.
 */
export function exportOrder(rendered: RenderedPackages, engine: Engine, options: ExportOptions = {}): ExportedOrder {
  const form = forms[engine];
  const packages = readPackages(rendered);
  const documents = orInvalid(() => form.documents(packages, rendered, options));
  const text = documents
    .map((document) => formatObject(valueOfJson(withoutAbsent(document) as JsonObject) as GoMap))
    .join('---\n');
  const left = [...(form.left?.(rendered) ?? []), ...rendered.packages.flatMap((item) => leftOut(item, form))];
  return {
    ...(engine === 'helmfile' ? asHelmfile(text) : { fileName: form.fileName, text }),
    left,
    summary: summaryOf(rendered, left),
  };
}

function summaryOf({ packages }: RenderedPackages, left: readonly string[]): string {
  const noted = packages.filter(({ selection }) => left.some((sentence) => sentence.startsWith(`${selection.path}:`)));
  const count = `${packages.length} ${packages.length === 1 ? 'package' : 'packages'}`;
  return `${count}: ${packages.length - noted.length} exported, ${noted.length} exported with notes`;
}

// helmfile before 1.0 renders every file as a template, and 1.0 those with this ending: braces in values are escaped for both.
function asHelmfile(text: string): Pick<ExportedOrder, 'fileName' | 'text'> {
  if (!text.includes('{{')) return { fileName: 'helmfile.yaml', text };
  return { fileName: 'helmfile.yaml.gotmpl', text: text.replaceAll('{{', '{{`{{`}}') };
}

function orInvalid<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof RenderError) || error.issues.length === 0) throw error;
    throw orderInvalid(error.issues);
  }
}

function leftOut({ selection }: RenderedPackage, form: Form): string[] {
  const { path, chart } = selection;
  return [
    ...(chart.waitFors.length === 0 ? [] : [`${path}: its waits are left out: ${form.waits}`]),
    ...(chart.valuesPatch.length === 0 ? [] : [`${path}: the result of valuesPatch is part of the values`]),
    ...(chart.valuesFile === '' ? [] : [`${path}: the content of valuesFile is part of the values`]),
  ];
}

function withoutAbsent(value: JsonValue | undefined): JsonValue {
  if (Array.isArray(value)) return Array.from(value, withoutAbsent);
  if (!isNested<JsonValue>(value)) return value ?? null;
  const present = Object.entries(value).filter(([, item]) => item !== undefined);
  return Object.fromEntries(present.map(([key, item]) => [key, withoutAbsent(item)]));
}
