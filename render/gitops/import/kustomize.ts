// `kustomize build` for resources that install charts, and the helmCharts of a kustomization.
// Mirrors: sigs.k8s.io/kustomize, api/internal/target/kusttarget.go; api/types/kustomization.go, v5.7.

import { RenderError } from '../../core/errors.ts';
import { asLimit } from '../../core/limits.ts';
import { encodeBase64 } from '../../go/base64.ts';
import { encodeUtf8 } from '../../go/utf8.ts';
import { GoError } from '../../go/value.ts';
import { splitStream } from '../../manifest/objects.ts';
import type { JsonObject } from '../../order/order.ts';
import { isObject } from '../../order/shape.ts';
import {
  apiGroupOf,
  type FoundRelease,
  type ImportNote,
  listAt,
  Notes,
  objectAt,
  objectsAt,
  overlay,
  parseYamlAs,
  present,
  sourceOf,
  textAt,
  textsAt,
  unread,
  valuesOfText,
  type YamlDialect,
} from './members.ts';
import { isSelected, jsonPatch, PatchError, type PatchedName, strategicMerge } from './patches.ts';
import { type FileTree, filesBelow, folderOf, hasFolder, resolvePath } from './tree.ts';

// Mirrors: sigs.k8s.io/kustomize, api/types/helmchartargs.go; api/internal/builtins/HelmChartInflationGenerator.go, v5.7.

const chartMembers = [
  'name',
  'repo',
  'version',
  'releaseName',
  'namespace',
  'valuesInline',
  'valuesFile',
  'additionalValuesFiles',
  'includeCRDs',
  'valuesMerge',
];

interface KustomizationPlace {
  readonly file: string;
  /** The folder that its paths are relative to. */
  readonly folder: string;
}

function helmChartsOf(kustomization: JsonObject, { file, folder }: KustomizationPlace, tree: FileTree): FoundRelease[] {
  const home = textAt(objectAt(kustomization, 'helmGlobals'), 'chartHome') || 'charts';
  const changing = [
    'patches',
    'patchesStrategicMerge',
    'patchesJson6902',
    'namePrefix',
    'nameSuffix',
    'commonLabels',
    'labels',
    'commonAnnotations',
    'images',
    'replicas',
    'replacements',
    'transformers',
    'components',
  ];
  const outer = changing.filter((key) => unread(kustomization, []).includes(key));
  return objectsAt(kustomization, 'helmCharts').map((entry, index) => {
    const at = `helmCharts[${index}]`;
    const notes = new Notes(file);
    const [repo, name] = [textAt(entry, 'repo'), textAt(entry, 'name')];
    const path = repo === '' ? (resolvePath(folder, `${home}/${name}`) ?? `${home}/${name}`) : '';
    notes.unread(entry, at, chartMembers);
    for (const key of outer) notes.add(key, 'is not applied to what the chart renders');
    const read = (item: string): JsonObject => {
      const text = tree.read(resolvePath(folder, item) ?? '');
      const values = text === undefined ? undefined : valuesOfText(text);
      if (values === undefined) notes.add(at, `the values file ${item} is not a YAML mapping of the repository`);
      return values ?? {};
    };
    const merge = textAt(entry, 'valuesMerge') || 'override';
    const first = textAt(entry, 'valuesFile');
    let values = objectAt(entry, 'valuesInline');
    if (first !== '' && merge === 'override') values = overlay(read(first), values);
    else if (first !== '' && merge === 'merge') values = overlay(values, read(first));
    else if (merge !== 'override') notes.add(`${at}.valuesMerge`, "puts the chart's own values over these");
    for (const item of textsAt(entry, 'additionalValuesFiles')) values = overlay(values, read(item));
    return {
      origin: `helmCharts ${textAt(entry, 'releaseName') || name}`,
      file,
      chart: present({
        name,
        sourceRef: repo === '' ? { kind: 'Local' as const, name: path } : sourceOf(repo),
        version: textAt(entry, 'version'),
        releaseName: textAt(entry, 'releaseName') || name,
        namespace: textAt(entry, 'namespace') || textAt(kustomization, 'namespace') || 'default',
        values,
      }),
      notes: notes.list,
      skipped: name === '' ? 'it names no chart' : undefined,
    };
  });
}

/** A Kubernetes object of a file after kustomize. */
export interface KustomizeResource {
  readonly object: JsonObject;
  readonly file: string;
  /** All its names; the current one is last. */
  readonly names: readonly PatchedName[];
  /** Transformations of kustomize that are not implemented here. */
  readonly notes: readonly ImportNote[];
}

export interface Build {
  readonly resources: readonly KustomizeResource[];
  readonly releases: readonly FoundRelease[];
  /** Notes without a resource. */
  readonly notes: readonly ImportNote[];
}

const kustomizationNames = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'];

const kinds: Readonly<Record<string, readonly string[]>> = {
  '': ['ConfigMap', 'Secret'],
  'helm.toolkit.fluxcd.io': ['HelmRelease'],
  'source.toolkit.fluxcd.io': ['HelmRepository', 'OCIRepository', 'HelmChart', 'GitRepository', 'Bucket'],
  'kustomize.toolkit.fluxcd.io': ['Kustomization'],
  'argoproj.io': ['Application', 'ApplicationSet'],
};

export function kustomizationIn(tree: FileTree, folder: string): string | undefined {
  const names = tree.list(folder) ?? [];
  const name = kustomizationNames.find((item) => names.includes(item));
  return name === undefined ? undefined : (resolvePath(folder, name) ?? name);
}

export function isChart(tree: FileTree, folder: string): boolean {
  return tree.list(folder)?.includes('Chart.yaml') === true;
}

/** Returns a kustomization that lists what Flux applies from a folder without one: every manifest, with subfolders built. */
function generatedKustomization(tree: FileTree, folder: string): JsonObject {
  const built: string[] = [];
  const files = filesBelow(tree, folder, (path) => {
    const hasOwn = kustomizationIn(tree, path) !== undefined;
    if (hasOwn) built.push(path);
    // Templates of a chart are not manifests.
    return hasOwn || isChart(tree, path);
  }).filter((path) => /\.ya?ml$/.test(path));
  return { resources: [...built, ...files].sort().map((path) => `/${path}`) };
}

/** Returns the objects in a YAML file. Throws ORDER_INVALID if the file is not YAML. */
export function readResources(text: string, file: string, dialect: YamlDialect): JsonObject[] {
  return splitStream(text).flatMap((document) => {
    try {
      const value = parseYamlAs(document, dialect);
      if (!isObject(value)) return [];
      return /List$/.test(textAt(value, 'kind')) && Array.isArray(value.items) ? value.items.filter(isObject) : [value];
    } catch (error) {
      const line = text.slice(0, text.indexOf(document)).split('\n').length - 1;
      if (!(error instanceof GoError)) throw asLimit(error)?.in(file, { before: line }) ?? error;
      const at = error.place.line === undefined ? {} : { ...error.place, line: line + error.place.line };
      throw new RenderError('ORDER_INVALID', error.message, {
        place: { file, ...at },
        cause: error,
        hint: 'Correct the YAML.',
      });
    }
  });
}

/** Returns the objects of a file that define installations. */
export function resourcesOf(objects: readonly JsonObject[], file: string): KustomizeResource[] {
  return objects
    .filter((object) => kinds[apiGroupOf(object)]?.includes(textAt(object, 'kind')) === true)
    .map((object) => ({ object, file, names: [objectNameOf(object)], notes: [] }));
}

export function objectNameOf(object: JsonObject): PatchedName {
  const metadata = objectAt(object, 'metadata');
  return { name: textAt(metadata, 'name'), namespace: textAt(metadata, 'namespace') };
}

export class Kustomize {
  readonly #tree: FileTree;
  readonly #notes: ImportNote[] = [];
  readonly #releases: FoundRelease[] = [];
  // Folders being built, to detect cycles.
  readonly #open = new Set<string>();

  constructor(tree: FileTree) {
    this.#tree = tree;
  }

  /** Builds a folder; `more` is merged into its kustomization, like by a Flux Kustomization. */
  build(folder: string, more: JsonObject = {}): Build {
    return this.#finish(this.#folder(folder, [], more));
  }

  buildDocument(document: JsonObject, file: string): Build {
    return this.#finish(this.#apply(document, { file, folder: folderOf(file) }, []));
  }

  // Generated names get no hash: references to them, as to renamed resources, are found by any of their names.
  #finish(resources: readonly KustomizeResource[]): Build {
    const [releases, notes] = [this.#releases.splice(0), this.#notes.splice(0)];
    return { resources, releases, notes };
  }

  #folder(folder: string, given: readonly KustomizeResource[], more: JsonObject = {}): readonly KustomizeResource[] {
    if (this.#open.has(folder)) {
      this.#note(folder, '', 'is built within itself');
      return given;
    }
    const file = kustomizationIn(this.#tree, folder);
    let kustomization = generatedKustomization(this.#tree, folder);
    if (file !== undefined) {
      const [own] = this.#read(file);
      if (own === undefined) return given;
      kustomization = own;
    }
    this.#open.add(folder);
    try {
      const whole: JsonObject = { ...kustomization, ...more };
      for (const key of ['patches', 'components', 'images']) {
        whole[key] = [...listAt(kustomization, key), ...listAt(more, key)];
      }
      return this.#apply(whole, { file: file ?? folder, folder }, given);
    } finally {
      this.#open.delete(folder);
    }
  }

  #apply(
    kustomization: JsonObject,
    place: KustomizationPlace,
    given: readonly KustomizeResource[],
  ): readonly KustomizeResource[] {
    const { file, folder } = place;
    let resources = [...given];
    for (const key of ['resources', 'bases']) {
      textsAt(kustomization, key).forEach((path, index) => {
        resources.push(...this.#resource(path, place, `${key}[${index}]`));
      });
    }
    for (const [key, kind] of [
      ['configMapGenerator', 'ConfigMap'],
      ['secretGenerator', 'Secret'],
    ] as const) {
      for (const entry of objectsAt(kustomization, key))
        resources = this.#generate(resources, entry, { ...place, kind });
    }
    textsAt(kustomization, 'components').forEach((path, index) => {
      const at = resolvePath(folder, path);
      if (at !== undefined && hasFolder(this.#tree, at)) resources = [...this.#folder(at, resources)];
      else this.#note(file, `components[${index}]`, `${path} is not a folder of the repository`);
    });
    this.#releases.push(...helmChartsOf(kustomization, place, this.#tree));
    return this.#transform(resources, kustomization, place);
  }

  #resource(path: string, { file, folder }: KustomizationPlace, from: string): readonly KustomizeResource[] {
    const at = resolvePath(folder, path);
    if (at === undefined || /^[a-z+]+:\/\/|^github\.com\/|\?ref=|^git@/.test(path)) {
      this.#note(file, from, `${path} is not in the repository, and nothing is fetched`);
      return [];
    }
    if (hasFolder(this.#tree, at)) return this.#folder(at, []);
    if (this.#tree.read(at) === undefined) {
      this.#note(file, from, `there is no file or folder ${at}`);
      return [];
    }
    return resourcesOf(this.#read(at), at);
  }

  #read(file: string): JsonObject[] {
    return readResources(this.#tree.read(file) ?? '', file, '1.2');
  }

  #note(file: string, path: string, message: string): void {
    this.#notes.push({ file, path, message, severity: 'note' });
  }

  #generate(
    resources: KustomizeResource[],
    entry: JsonObject,
    place: KustomizationPlace & { readonly kind: 'ConfigMap' | 'Secret' },
  ): KustomizeResource[] {
    const { file, kind } = place;
    const data: JsonObject = {};
    for (const literal of textsAt(entry, 'literals')) addPair(data, literal, withoutQuotes);
    for (const path of [...textsAt(entry, 'envs'), ...(textAt(entry, 'env') === '' ? [] : [textAt(entry, 'env')])]) {
      // Unlike literals, lines keep their quotes. `trimStart` also removes a byte order mark.
      for (const text of this.#text(path, place).split(/\r?\n/)) {
        const line = text.trimStart();
        if (!line.startsWith('#')) addPair(data, line);
      }
    }
    for (const item of textsAt(entry, 'files')) {
      const [, key, path = item] = /^([^=]+)=(.+)$/.exec(item) ?? [];
      data[key ?? path.split('/').pop() ?? path] = this.#text(path, place);
    }
    if (kind === 'Secret') for (const key of Object.keys(data)) data[key] = encodeBase64(encodeUtf8(textAt(data, key)));
    const name = { name: textAt(entry, 'name'), namespace: textAt(entry, 'namespace') };
    const behavior = textAt(entry, 'behavior');
    if (behavior === 'merge' || behavior === 'replace') {
      return resources.map((item) => {
        const isIt = textAt(item.object, 'kind') === kind && item.names.some((other) => other.name === name.name);
        if (!isIt) return item;
        const below = behavior === 'merge' ? objectAt(item.object, 'data') : {};
        return { ...item, object: { ...item.object, data: { ...below, ...data } } };
      });
    }
    return [
      ...resources,
      { object: { apiVersion: 'v1', kind, metadata: present(name), data }, file, names: [name], notes: [] },
    ];
  }

  #text(path: string, { file, folder }: KustomizationPlace): string {
    const at = resolvePath(folder, path);
    const text = at === undefined ? undefined : this.#tree.read(at);
    if (text === undefined) this.#note(file, '', `there is no file ${path}`);
    return text ?? '';
  }

  // In kustomize's order: patches, namespace, prefix, suffix, labels, annotations, JSON patches.
  #transform(
    resources: readonly KustomizeResource[],
    kustomization: JsonObject,
    place: KustomizationPlace,
  ): readonly KustomizeResource[] {
    let changed = resources;
    const patch = (key: string, isStrategic = false): void => {
      listAt(kustomization, key).forEach((entry, index) => {
        const text = isObject(entry) ? JSON.stringify(entry) : entry;
        const item: JsonObject = isObject(entry) && !isStrategic ? entry : { patch: text, path: text };
        changed = this.#patch(changed, item, { ...place, path: `${key}[${index}]` });
      });
    };
    patch('patchesStrategicMerge', true);
    patch('patches');
    const [namespace, prefix, suffix] = ['namespace', 'namePrefix', 'nameSuffix'].map((key) =>
      textAt(kustomization, key),
    );
    const labels = Object.assign(
      {},
      objectAt(kustomization, 'commonLabels'),
      ...objectsAt(kustomization, 'labels').map((item) => objectAt(item, 'pairs')),
    );
    changed = changed.map((item) => {
      const metadata = objectAt(item.object, 'metadata');
      const was = objectNameOf(item.object);
      const name = { name: `${prefix}${was.name}${suffix}`, namespace: namespace || was.namespace };
      const isRenamed = name.name !== was.name || name.namespace !== was.namespace;
      const next = present({
        ...metadata,
        ...name,
        labels: { ...objectAt(metadata, 'labels'), ...labels },
        annotations: { ...objectAt(metadata, 'annotations'), ...objectAt(kustomization, 'commonAnnotations') },
      });
      return {
        ...item,
        object: { ...item.object, metadata: next },
        names: isRenamed ? [...item.names, name] : item.names,
      };
    });
    patch('patchesJson6902');
    return changed.map((item) => withUndone(item, kustomization, place.file));
  }

  #patch(
    resources: readonly KustomizeResource[],
    entry: JsonObject,
    { file, folder, path }: KustomizationPlace & { readonly path: string },
  ): readonly KustomizeResource[] {
    const inline = entry.patch;
    const named = resolvePath(folder, textAt(entry, 'path'));
    const fromFile = named === undefined ? undefined : this.#tree.read(named);
    const text = fromFile ?? (typeof inline === 'string' ? inline : undefined);
    if (text === undefined) {
      this.#note(file, path, `there is no patch ${textAt(entry, 'path')}`);
      return resources;
    }
    const target = isObject(entry.target) ? entry.target : undefined;
    const parts = splitStream(text).map((part) => valueOrNote(part, (message) => this.#note(file, path, message)));
    return parts.reduce<readonly KustomizeResource[]>((list, part) => {
      return list.flatMap((item) => {
        try {
          return patched(item, part, target);
        } catch (error) {
          if (!(error instanceof PatchError)) throw error;
          const note: ImportNote = {
            file,
            path,
            message: `this patch is not applied: ${error.message}`,
            severity: 'note',
          };
          return [{ ...item, notes: [...item.notes, note] }];
        }
      });
    }, resources);
  }
}

function valueOrNote(text: string, note: (message: string) => void): JsonObject | readonly JsonObject[] {
  try {
    const value = parseYamlAs(text, '1.2');
    return Array.isArray(value) ? value.filter(isObject) : isObject(value) ? value : {};
  } catch (error) {
    if (!(error instanceof GoError)) throw error;
    note(error.message);
    return {};
  }
}

function patched(
  item: KustomizeResource,
  patch: JsonObject | readonly JsonObject[],
  target: JsonObject | undefined,
): KustomizeResource[] {
  if (Array.isArray(patch)) {
    if (target === undefined || !isSelected(item.object, item.names, target)) return [item];
    return [{ ...item, object: jsonPatch(item.object, patch) }];
  }
  const strategic: JsonObject = Object.fromEntries(Object.entries(patch));
  if (Object.keys(strategic).length === 0) return [item];
  const own = objectNameOf(strategic);
  const isIt =
    target === undefined
      ? textAt(item.object, 'kind') === textAt(strategic, 'kind') &&
        apiGroupOf(item.object) === apiGroupOf(strategic) &&
        item.names.some(
          ({ name, namespace }) => name === own.name && (namespace || 'default') === (own.namespace || 'default'),
        )
      : isSelected(item.object, item.names, target);
  if (!isIt) return [item];
  const merged = strategicMerge(item.object, strategic);
  if (merged === undefined) return [];
  const type = { apiVersion: textAt(item.object, 'apiVersion'), kind: textAt(item.object, 'kind') };
  const metadata = { ...objectAt(merged, 'metadata'), ...present({ ...objectNameOf(item.object) }) };
  return [{ ...item, object: { ...merged, ...present(type), metadata } }];
}

// Transformers that are not implemented here; images only change lists of containers, at any depth.
function withUndone(item: KustomizeResource, kustomization: JsonObject, file: string): KustomizeResource {
  const undone = ['replacements', 'vars', 'transformers', 'generators', 'openapi'].filter(
    (key) => kustomization[key] !== undefined && Object.keys(kustomization[key] as object).length > 0,
  );
  const hasImages =
    listAt(kustomization, 'images').length > 0 && /"(?:init)?[cC]ontainers":\[/.test(JSON.stringify(item.object));
  const notes = new Notes(file, item.notes);
  for (const key of [...undone, ...(hasImages ? ['images'] : [])])
    notes.add(key, 'is not applied: import reads no such part of a kustomization');
  return notes.list.length === item.notes.length ? item : { ...item, notes: notes.list };
}

// Mirrors: sigs.k8s.io/kustomize, api/kv/kv.go, `keyValuesFromLine`, `parseLiteralSource`, v5.7.
function addPair(data: JsonObject, pair: string, read: (value: string) => string = String): void {
  const at = pair.indexOf('=');
  if (at > 0) data[pair.slice(0, at)] = read(pair.slice(at + 1));
}

function withoutQuotes(value: string): string {
  return /^(["']).*\1$/s.test(value) ? value.slice(1, -1) : value;
}
