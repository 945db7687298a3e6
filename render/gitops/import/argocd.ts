// Applications of Argo CD, including those created by other Applications and ApplicationSets, in the order of their sync waves.
// Mirrors: argo-cd, pkg/apis/application/v1alpha1, types.go; reposerver/repository/repository.go, `helmTemplate`, v3.1.

import { loadChart } from '../../chart/load.ts';
import { RenderError } from '../../core/errors.ts';
import { seededHost } from '../../core/host.ts';
import { runInstall } from '../../engine/release.ts';
import type { JsonObject } from '../../order/order.ts';
import { isObject } from '../../order/shape.ts';
import { generateApplications } from './appset.ts';
import {
  isChart,
  Kustomize,
  type KustomizeResource,
  kustomizationIn,
  objectNameOf,
  readResources,
  resourcesOf,
} from './kustomize.ts';
import {
  escapeCommas,
  type FoundRelease,
  goMapOf,
  type ImportNote,
  listAt,
  Notes,
  objectAt,
  objectsAt,
  overlay,
  present,
  sourceOf,
  textAt,
  textsAt,
  unread,
  valuesOfText,
  withSet,
} from './members.ts';
import { type FileTree, filesBelow, hasFolder, resolvePath } from './tree.ts';

interface ArgoFindings {
  readonly releases: readonly FoundRelease[];
  readonly notes: readonly ImportNote[];
}

interface Waved {
  readonly release: FoundRelease;
  readonly waves: readonly number[];
}

export function importArgo(resources: readonly KustomizeResource[], tree: FileTree): ArgoFindings {
  const repository = new ArgoRepository(tree);
  repository.take(resources, []);
  const sorted = repository.found.toSorted((a, b) => compareWaves(a.waves, b.waves));
  return { releases: sorted.map(({ release }) => release), notes: repository.notes };
}

function compareWaves(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((wave, index) => wave !== b[index]);
  return at < 0 || b[at] === undefined ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}

class ArgoRepository {
  readonly found: Waved[] = [];
  readonly notes: ImportNote[] = [];
  readonly #tree: FileTree;
  // The texts of Applications by name, to detect cycles, and those that are named and created by another.
  readonly #done = new Map<string, string>();

  constructor(tree: FileTree) {
    this.#tree = tree;
  }

  take(resources: readonly KustomizeResource[], waves: readonly number[]): void {
    for (const resource of resources) {
      const { object, file } = resource;
      const kind = textAt(object, 'kind');
      if (kind === 'Application') this.#application(resource, waves);
      if (kind !== 'ApplicationSet') continue;
      const name = textAt(objectAt(object, 'metadata'), 'name');
      const { applications, refused } = generateApplications(object, this.#tree);
      const release = { origin: `ApplicationSet ${name}`, file, chart: { name: '', releaseName: name }, notes: [] };
      for (const { path, message } of refused)
        this.found.push({ waves, release: { ...release, skipped: `${path}: ${message}` } });
      for (const application of applications) this.#application({ ...resource, object: application, names: [] }, waves);
    }
  }

  #application(resource: KustomizeResource, outer: readonly number[]): void {
    const metadata = objectAt(resource.object, 'metadata');
    const id = `${textAt(metadata, 'namespace')}/${textAt(metadata, 'name')}`;
    const text = JSON.stringify(resource.object);
    const known = this.#done.get(id);
    if (known !== undefined && (outer.length > 0 || known === text)) return;
    this.#done.set(id, text);
    const waves = [...outer, Number(objectAt(metadata, 'annotations')['argocd.argoproj.io/sync-wave']) || 0];
    const spec = objectAt(resource.object, 'spec');
    const several = objectsAt(spec, 'sources');
    const sources = several.length === 0 ? [objectAt(spec, 'source')] : several;
    sources.forEach((source, index) => {
      if (textAt(source, 'chart') === '' && textAt(source, 'path') === '') return;
      const at = several.length === 0 ? 'spec.source' : `spec.sources[${index}]`;
      this.#source(resource, { source, sources, at, waves });
    });
  }

  #source(
    resource: KustomizeResource,
    given: Pick<Reading, 'source' | 'sources' | 'at'> & { readonly waves: readonly number[] },
  ): void {
    const { source, waves } = given;
    const path = textAt(source, 'chart') === '' ? resolvePath('', textAt(source, 'path')) : undefined;
    if (path === undefined || isObject(source.helm) || isChart(this.#tree, path)) {
      const release = readSource(resource, given, this.#tree);
      const inner = path === undefined ? [] : this.#rendered(path, release);
      if (inner.length > 0) this.take(inner, waves);
      else this.found.push({ release, waves });
      return;
    }
    if (hasFolder(this.#tree, path) && this.#folder(path, source, waves)) return;
    const why = hasFolder(this.#tree, path)
      ? `${path || 'the repository'} holds manifests and no chart, and an Order installs charts`
      : `${path} may be a chart or plain manifests: it has no helm section, and is not in this repository`;
    const release = readSource(resource, given, this.#tree);
    this.found.push({ release: { ...release, skipped: why }, waves });
  }

  // An app of apps: a folder of Applications, built by kustomize or applied directly. Returns whether it defines any, also known ones.
  #folder(path: string, source: JsonObject, waves: readonly number[]): boolean {
    if (kustomizationIn(this.#tree, path) !== undefined) {
      const build = new Kustomize(this.#tree).build(path);
      this.notes.push(...build.notes);
      this.found.push(...build.releases.map((release) => ({ release, waves })));
      this.take(build.resources, waves);
      return build.releases.length > 0 || build.resources.some(isApplication);
    }
    const isDeep = objectAt(source, 'directory').recurse === true;
    const files = filesBelow(this.#tree, path, () => !isDeep);
    const manifests = files.filter((file) => /\.(?:ya?ml|json)$/.test(file));
    const resources = manifests.flatMap((file) => resourcesOf(this.#objects(file), file));
    this.take(resources, waves);
    return resources.some(isApplication);
  }

  // A template or values file is not a manifest.
  #objects(file: string): JsonObject[] {
    try {
      return readResources(this.#tree.read(file) ?? '', file, '1.1');
    } catch (error) {
      return this.#leaveOut(error, file, 'is not read');
    }
  }

  #leaveOut(error: unknown, file: string, what: string): never[] {
    if (!(error instanceof RenderError)) throw error;
    this.notes.push({ file, path: '', message: `${what}: ${error.message}`, severity: 'note' });
    return [];
  }

  // A chart whose templates create Applications is rendered to find them.
  #rendered(path: string, { chart, file }: FoundRelease): KustomizeResource[] {
    const files = new Map(
      filesBelow(this.#tree, path).map((name) => [
        name.slice(path === '' ? 0 : path.length + 1),
        this.#tree.read(name) ?? '',
      ]),
    );
    const texts = [...files].filter(([name]) => name.startsWith('templates/'));
    if (!texts.some(([, text]) => /^[ \t]*kind:\s*["']?Application(?:Set)?\b/m.test(text))) return [];
    try {
      const { manifests } = runInstall(loadChart(files), {
        name: chart.releaseName,
        namespace: chart.namespace ?? 'default',
        values: goMapOf(chart.values ?? {}),
        host: seededHost(),
      });
      return manifests.flatMap(({ content, path: name }) => resourcesOf(readResources(content, name, '1.1'), file));
    } catch (error) {
      return this.#leaveOut(error, file, `the chart ${path} does not render`);
    }
  }
}

function isApplication({ object }: KustomizeResource): boolean {
  return /^Application(?:Set)?$/.test(textAt(object, 'kind'));
}

interface Reading {
  readonly source: JsonObject;
  readonly sources: readonly JsonObject[];
  /** Its path in the Application. */
  readonly at: string;
  readonly notes: Notes;
  readonly tree: FileTree;
  /** Replaces Argo CD's variables in a text. */
  readonly fill: (text: string) => string;
  /** The folder of a chart of this repository. */
  readonly folder: string | undefined;
}

function readSource(
  { object, file, notes: given }: KustomizeResource,
  { source, sources, at }: Pick<Reading, 'source' | 'sources' | 'at'>,
  tree: FileTree,
): FoundRelease {
  const notes = new Notes(file, given);
  const [spec, helm] = [objectAt(object, 'spec'), objectAt(source, 'helm')];
  const [chart, address] = [textAt(source, 'chart'), textAt(source, 'repoURL')];
  const path = chart === '' ? (resolvePath('', textAt(source, 'path')) ?? textAt(source, 'path')) : '';
  const folder = chart === '' && hasFolder(tree, path) ? path : undefined;
  const revision = textAt(source, 'targetRevision');
  if (chart === '' && folder === undefined)
    notes.add(
      `${at}.path`,
      `${path} is a path of ${address}${revision === '' ? '' : ` at ${revision}`}: put the chart there before you render the Order`,
    );
  const namespace = textAt(objectAt(spec, 'destination'), 'namespace') || 'default';
  const { name } = objectNameOf(object);
  const variables: Readonly<Record<string, string>> = {
    ARGOCD_APP_NAME: name,
    ARGOCD_APP_NAMESPACE: namespace,
    ARGOCD_APP_SOURCE_PATH: path,
    ARGOCD_APP_SOURCE_REPO_URL: address,
    ARGOCD_APP_SOURCE_TARGET_REVISION: revision,
  };
  const fill = (text: string): string =>
    text.replace(/\$\{?(ARGOCD_APP_[A-Z_]+)\}?/g, (whole, key: string) => variables[key] ?? whole);
  const reading: Reading = { source, sources, at, notes, tree, fill, folder };
  noteUnread(spec, reading);
  const files = readValueFiles(helm, reading);
  return {
    origin: `Application ${name}`,
    file,
    chart: present({
      name: chart || path.split('/').pop() || '',
      sourceRef:
        chart === '' ? { kind: 'Local' as const, name: path } : sourceOf(address, !/^[a-z]+:\/\//i.test(address)),
      version: chart === '' || revision === '*' ? '' : revision,
      releaseName: textAt(helm, 'releaseName') || name,
      namespace: textAt(helm, 'namespace') || namespace,
      valuesFile: files.valuesFile,
      values: valuesOf(helm, files.values, reading),
    }),
    notes: notes.list,
  };
}

function noteUnread(spec: JsonObject, { source, notes, at }: Reading): void {
  const destination = objectAt(spec, 'destination');
  const cluster = textAt(destination, 'server') || textAt(destination, 'name');
  if (!['', 'https://kubernetes.default.svc', 'in-cluster'].includes(cluster))
    notes.add('spec.destination', `names the cluster ${cluster}; an Order is for the cluster where it is installed`);
  notes.unread(
    spec,
    'spec',
    ['source', 'sources', 'destination', 'syncPolicy', 'project'],
    ['revisionHistoryLimit', 'info', 'ignoreDifferences'],
  );
  const sync = objectAt(spec, 'syncPolicy');
  notes.unread(sync, 'spec.syncPolicy', ['syncOptions'], ['automated', 'retry']);
  const options = textsAt(sync, 'syncOptions');
  options.forEach((option, index) => {
    if (!/^(?:CreateNamespace|ServerSideApply)=true$/.test(option)) notes.info(`spec.syncPolicy.syncOptions[${index}]`);
  });
  notes.unread(source, at, ['chart', 'path', 'repoURL', 'targetRevision', 'helm', 'ref', 'directory', 'name']);
  const read = [
    'valueFiles',
    'values',
    'valuesObject',
    'parameters',
    'fileParameters',
    'releaseName',
    'namespace',
    'ignoreMissingValueFiles',
  ];
  notes.unread(objectAt(source, 'helm'), `${at}.helm`, read, ['version', 'passCredentials']);
  if (unread(objectAt(source, 'directory'), ['recurse']).length > 0)
    notes.add(`${at}.directory`, 'is not part of an Order');
}

// A single file of the chart remains a reference; several are merged into the values in order.
function readValueFiles(
  helm: JsonObject,
  reading: Reading,
): { readonly valuesFile: string; readonly values: JsonObject } {
  const { at, notes, tree, fill, folder } = reading;
  const files = textsAt(helm, 'valueFiles').map(fill);
  const isInChart = (file: string): boolean => !/^(?:\$|\/|[a-z]+:\/\/)|(?:^|\/)\.\.(?:\/|$)/.test(file);
  const [first = ''] = files;
  const isFirstCarried = isInChart(first) && (folder === undefined || files.length === 1);
  let values: JsonObject = {};
  for (const [index, file] of files.entries()) {
    const place = `${at}.helm.valueFiles[${index}]`;
    if (index === 0 && isFirstCarried) continue;
    const path = pathOfFile(file, reading);
    const text = path === undefined ? undefined : tree.read(path);
    const read = text === undefined ? undefined : valuesOfText(text);
    if (read !== undefined) values = overlay(values, read);
    else if (text !== undefined) notes.add(place, `${file} is not a YAML mapping: it is left out`);
    else if (isInChart(file) && folder === undefined)
      notes.add(place, `an Order names one values file of a chart: ${file} is left out`);
    else if (helm.ignoreMissingValueFiles !== true || path === undefined)
      notes.add(place, `${file} is not in this repository: it is left out`);
  }
  return { valuesFile: isFirstCarried ? first : '', values };
}

// `$ref/path` starts at the root of another source's repository; this one, if the file exists here.
function pathOfFile(file: string, { sources, folder }: Reading): string | undefined {
  const [, ref, rest = ''] = /^\$([^/]+)\/(.*)$/.exec(file) ?? [];
  if (ref !== undefined)
    return sources.some((source) => textAt(source, 'ref') === ref) ? resolvePath('', rest) : undefined;
  if (/^[a-z]+:\/\//.test(file) || folder === undefined) return undefined;
  return resolvePath(folder, file);
}

// The object replaces the text, and single parameters are applied last.
// Mirrors: argo-cd, pkg/apis/application/v1alpha1, values.go, `ValuesYAML`, v3.1.
function valuesOf(helm: JsonObject, files: JsonObject, { at, notes, fill }: Reading): JsonObject {
  const text = isObject(helm.valuesObject) ? '' : textAt(helm, 'values');
  const fromText = text === '' ? {} : valuesOfText(text);
  if (fromText === undefined) notes.add(`${at}.helm.values`, 'is not a YAML mapping: it is left out');
  let values = overlay(files, isObject(helm.valuesObject) ? helm.valuesObject : (fromText ?? {}));
  objectsAt(helm, 'parameters').forEach((parameter, index) => {
    const pair = [textAt(parameter, 'name'), escapeCommas(fill(textAt(parameter, 'value')))] as const;
    const set = withSet(values, pair, parameter.forceString === true);
    if (set === undefined) notes.add(`${at}.helm.parameters[${index}]`, `${pair[0]} cannot be set: it is left out`);
    else values = set;
  });
  listAt(helm, 'fileParameters').forEach((_, index) => {
    notes.add(`${at}.helm.fileParameters[${index}]`, 'is left out: put the text into the values');
  });
  return values;
}
