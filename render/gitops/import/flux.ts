// A Flux repository: builds its Kustomizations, substitutes variables, and reads its HelmReleases.
// Mirrors: fluxcd, kustomize-controller, api/v1, `KustomizationSpec`; fluxcd/pkg/kustomize, kustomize_varsub.go, v1.44.

import { emitYaml } from '../../codec/yaml/emit.ts';
import { limitIn } from '../../core/limits.ts';
import { GoError } from '../../go/value.ts';
import type { JsonObject } from '../../order/order.ts';
import { isObject } from '../../order/shape.ts';
import { valueOfJson } from '../../values/patch.ts';
import { substitute } from './envsubst.ts';
import { dataOf, type FluxSurroundings, importRelease } from './flux-release.ts';
import { Kustomize, type KustomizeResource, objectNameOf } from './kustomize.ts';
import {
  apiGroupOf,
  type FoundRelease,
  type ImportNote,
  inOrder,
  isEncrypted,
  listAt,
  Notes,
  objectAt,
  objectsAt,
  parseYamlAs,
  present,
  textAt,
} from './members.ts';
import { type FileTree, folderOf, hasFolder, resolvePath } from './tree.ts';

export interface Findings {
  readonly releases: readonly FoundRelease[];
  /** Notes without a release. */
  readonly notes: readonly ImportNote[];
  readonly resources: readonly KustomizeResource[];
}

interface Applied {
  readonly resource: KustomizeResource;
  /** The Flux Kustomization that applies it, or undefined. */
  readonly owner: Applied | undefined;
  readonly id: string;
  /** Its namespace. */
  readonly home: string;
  readonly spec: JsonObject;
  /** The identifiers of what it depends on. */
  readonly needs: readonly string[];
}

function applied(resource: KustomizeResource, owner: Applied | undefined): Applied {
  const spec = objectAt(resource.object, 'spec');
  const { name, namespace: home } = objectNameOf(resource.object);
  const needs = objectsAt(spec, 'dependsOn').map(
    (other) => `${textAt(other, 'namespace') || home}/${textAt(other, 'name')}`,
  );
  return { resource, owner, id: `${home}/${name}`, home, spec, needs };
}

/** Imports HelmReleases and what Flux Kustomizations among the resources lead to. */
export function importFlux(given: readonly KustomizeResource[], tree: FileTree): Findings {
  const repository = new FluxRepository(tree);
  repository.apply(given);
  return repository.findings();
}

const isKind = ({ resource: { object } }: Applied, kind: string, group: string): boolean =>
  textAt(object, 'kind') === kind && apiGroupOf(object) === group;

const steering = [
  'interval',
  'retryInterval',
  'timeout',
  'prune',
  'force',
  'wait',
  'healthChecks',
  'healthCheckExprs',
  'serviceAccountName',
  'deletionPolicy',
  'decryption',
  'ignoreMissingComponents',
];
const built = [
  'targetNamespace',
  'namePrefix',
  'nameSuffix',
  'patches',
  'patchesStrategicMerge',
  'patchesJson6902',
  'components',
  'images',
];

class FluxRepository {
  readonly #tree: FileTree;
  readonly #applied: Applied[] = [];
  readonly #notes: ImportNote[] = [];
  readonly #releases: FoundRelease[] = [];
  readonly #nodes = new Map<string, Applied>();
  #source: string | undefined;
  #base = '';

  constructor(tree: FileTree) {
    this.#tree = tree;
  }

  apply(given: readonly KustomizeResource[]): void {
    let pending = this.#take(given, undefined);
    while (pending.length > 0) {
      // One whose variables are known; else the first, which reports the missing ones.
      const [first] = pending;
      const next = pending.find((node) => this.#missing(node).length === 0) ?? first;
      if (next === undefined) return;
      pending = [...pending.filter((node) => node !== next), ...this.#build(next)];
    }
  }

  // Adds resources; returns the Kustomizations among them that are new.
  #take(resources: readonly KustomizeResource[], owner: Applied | undefined): Applied[] {
    const taken = resources.map((resource) => applied(resource, owner));
    this.#applied.push(...taken);
    const nodes = taken.filter(
      (item) => isKind(item, 'Kustomization', 'kustomize.toolkit.fluxcd.io') && !this.#nodes.has(item.id),
    );
    for (const node of nodes) this.#nodes.set(node.id, node);
    return nodes;
  }

  #build(node: Applied): Applied[] {
    const { file } = node.resource;
    const { spec } = node;
    const notes = new Notes(file);
    const at = (path: string): string => `Kustomization ${node.id}: ${path}`;
    notes.unread(
      spec,
      at('spec'),
      [...built, 'path', 'sourceRef', 'postBuild', 'dependsOn', 'commonMetadata'],
      steering,
    );
    const path = this.#pathOf(spec, file);
    const elsewhere = this.#otherSource(node);
    if (elsewhere !== undefined || path === undefined || !hasFolder(this.#tree, path)) {
      const why = elsewhere ?? `there is no folder ${textAt(spec, 'path')} in this repository`;
      notes.add(at('spec.path'), `${why}: what it installs is not known`);
      this.#notes.push(...notes.list);
      return [];
    }
    const more: JsonObject = {};
    for (const key of built)
      if (spec[key] !== undefined) more[key === 'targetNamespace' ? 'namespace' : key] = spec[key];
    const build = new Kustomize(this.#tree).build(path, present(more));
    this.#releases.push(...build.releases);
    this.#notes.push(...notes.list, ...build.notes);
    const replace = this.#substitution(node);
    return this.#take(build.resources.map(replace), node);
  }

  // A source can be a folder of the repository: its paths start where the first of them exists.
  #pathOf(spec: JsonObject, file: string): string | undefined {
    const path = resolvePath('', textAt(spec, 'path'));
    if (path === undefined) return undefined;
    const below = (base: string): string => `${base}/${path}`.replace(/^\/|\/$/g, '');
    const bases = [this.#base, ''];
    for (let folder = folderOf(file); folder !== ''; folder = folderOf(folder)) bases.push(folder);
    this.#base = bases.find((base) => hasFolder(this.#tree, below(base))) ?? this.#base;
    return below(this.#base);
  }

  // The first Kustomization reads this repository; one with another source leads elsewhere, unless its source has the same URL.
  #otherSource({ spec, home }: Applied): string | undefined {
    const reference = objectAt(spec, 'sourceRef');
    const [kind, name] = [textAt(reference, 'kind'), textAt(reference, 'name')];
    if (kind === 'ExternalArtifact') return `it reads ${kind} ${name}, which is made from other sources`;
    this.#source ??= name;
    if (name === this.#source) return undefined;
    const source = this.#find(kind, textAt(reference, 'namespace') || home, name);
    const own = this.#applied.find(({ resource }) => objectNameOf(resource.object).name === this.#source);
    const urlOf = (item: Applied | undefined): string => textAt(item?.spec ?? {}, 'url').replace(/\.git$/, '');
    if (source === undefined || urlOf(source) === urlOf(own)) return undefined;
    return `it reads ${kind} ${name} (${urlOf(source)}), which is another repository`;
  }

  #missing({ spec, home }: Applied): string[] {
    return references(spec)
      .filter((item) => this.#find(textAt(item, 'kind'), home, textAt(item, 'name')) === undefined)
      .map((item) => `${textAt(item, 'kind')} ${textAt(item, 'name')}${item.optional === true ? ' (optional)' : ''}`);
  }

  #find(kind: string, namespace: string, name: string): Applied | undefined {
    const named = this.#applied.filter(
      ({ resource }) => textAt(resource.object, 'kind') === kind && resource.names.some((item) => item.name === name),
    );
    return named.find(({ home }) => home === namespace) ?? named.find(({ home }) => home === '' || namespace === '');
  }

  // Substitutes variables in the text of a resource, as the controller does after kustomize.
  #substitution(node: Applied): (resource: KustomizeResource) => KustomizeResource {
    const { spec, home } = node;
    const values = new Map<string, string>();
    const encrypted = new Map<string, string>();
    for (const reference of references(spec)) {
      const [kind, name] = [textAt(reference, 'kind'), textAt(reference, 'name')];
      const object = this.#find(kind, home, name)?.resource.object ?? {};
      for (const key of Object.keys({ ...objectAt(object, 'data'), ...objectAt(object, 'stringData') })) {
        if (isEncrypted(object)) encrypted.set(key, `${kind} ${name}, which is encrypted with SOPS`);
        else values.set(key, (dataOf(object, key) ?? '').replaceAll('\n', ''));
      }
    }
    const inline = objectAt(objectAt(spec, 'postBuild'), 'substitute');
    for (const key of Object.keys(inline)) values.set(key, textAt(inline, key).replaceAll('\n', ''));
    const missing = this.#missing(node).filter((item) => !item.endsWith(' (optional)'));
    const isOn = values.size + encrypted.size + missing.length > 0;
    const unknown = (name: string): string | undefined =>
      values.has(name)
        ? undefined
        : (encrypted.get(name) ??
          (missing.length > 0 ? `${missing.join(' or ')}, which is not among the files` : undefined));
    return (resource) => (isOn && !isDisabled(resource.object) ? substituted(resource, values, unknown) : resource);
  }

  findings(): Findings {
    const find: FluxSurroundings['find'] = (...reference) => this.#find(...reference)?.resource;
    const first = new Map<string, string>();
    const found = new Map<Applied, FoundRelease>();
    for (const item of this.#applied) {
      if (!isKind(item, 'HelmRelease', 'helm.toolkit.fluxcd.io')) continue;
      const release = importRelease(item.resource, { tree: this.#tree, find });
      const text = JSON.stringify(item.resource.object);
      const before = release.skipped === undefined ? first.get(item.id) : undefined;
      // Two Kustomizations may apply the same file.
      if (before === text) continue;
      if (release.skipped === undefined && before === undefined) first.set(item.id, text);
      const twice = 'another definition of it is imported';
      found.set(item, before === undefined ? release : { ...release, skipped: twice });
    }
    const releases = [...found.keys()];
    const ids = new Set(releases.map(({ id }) => id));
    const sorted = inOrder(releases, (item) => this.#needs(item, releases));
    return {
      releases: [...this.#releases, ...sorted.map((item) => withNeeds(found.get(item)!, item, ids))],
      notes: this.#notes,
      resources: this.#applied.map(({ resource }) => resource),
    };
  }

  #needs(item: Applied, releases: readonly Applied[]): Applied[] {
    const before = this.#before(item.owner);
    const isBefore = (node: Applied | undefined): boolean =>
      node !== undefined && (before.has(node.id) || isBefore(node.owner));
    return [
      ...releases.filter((other) => isBefore(other.owner)),
      ...releases.filter((other) => item.needs.includes(other.id)),
    ];
  }

  // The Kustomizations that one, or an enclosing one, depends on, directly or indirectly.
  #before(start: Applied | undefined): ReadonlySet<string> {
    const before = new Set<string>();
    const visit = (node: Applied | undefined): void => {
      for (let at = node; at !== undefined; at = at.owner) {
        for (const id of at.needs) {
          if (before.has(id)) continue;
          before.add(id);
          visit(this.#nodes.get(id));
        }
      }
    };
    visit(start);
    return before;
  }
}

function references(spec: JsonObject): JsonObject[] {
  return objectsAt(objectAt(spec, 'postBuild'), 'substituteFrom');
}

// Adds notes about releases that are needed and missing, and about Kustomizations that are suspended.
function withNeeds(found: FoundRelease, item: Applied, ids: ReadonlySet<string>): FoundRelease {
  const notes = new Notes(found.file, found.notes);
  item.needs.forEach((id, index) => {
    if (!ids.has(id))
      notes.add(`spec.dependsOn[${index}]`, `HelmRelease ${id.replace(/^\//, '')} is not among the files`);
  });
  for (let node = item.owner; node !== undefined; node = node.owner) {
    const why = 'Flux does not apply it while it is suspended; the Order does';
    if (node.spec.suspend === true) notes.add(`Kustomization ${node.id}: spec.suspend`, why);
  }
  return { ...found, notes: notes.list };
}

function isDisabled(object: JsonObject): boolean {
  const metadata = objectAt(object, 'metadata');
  return ['labels', 'annotations'].some(
    (key) => objectAt(metadata, key)['kustomize.toolkit.fluxcd.io/substitute'] === 'disabled',
  );
}

function substituted(
  resource: KustomizeResource,
  values: ReadonlyMap<string, string>,
  unknown: (name: string) => string | undefined,
): KustomizeResource {
  const notes = new Notes(resource.file, resource.notes);
  const open = new Map<string, string>();
  try {
    const text = emitYaml(valueOfJson(resource.object));
    if (!text.includes('$')) return resource;
    const replaced = substitute(text, (name, hasDefault) => {
      const why = unknown(name);
      if (why !== undefined) open.set(name, why);
      return why === undefined || hasDefault ? (values.get(name) ?? '') : `\${${name}}`;
    });
    for (const [name, why] of open) notes.add('', `the value of \${${name}} is in ${why}`);
    const object = parseYamlAs(replaced);
    if (!isObject(object)) return { ...resource, notes: notes.list };
    const { name, namespace } = objectAt(object, 'metadata');
    const names = [...resource.names, { name: String(name ?? ''), namespace: String(namespace ?? '') }];
    return { ...resource, object, names, notes: notes.list };
  } catch (error) {
    if (!(error instanceof GoError)) throw limitIn(resource.file, error);
    notes.add('', `its variables are not replaced: ${error.message}`);
    return { ...resource, notes: notes.list };
  }
}

/** Returns the folders that Flux is configured to apply: the paths of its own Kustomizations and of FluxInstances. */
export function fluxRoots(objects: readonly JsonObject[]): string[] {
  const paths = objects.flatMap((object) => {
    const spec = objectAt(object, 'spec');
    if (textAt(object, 'kind') === 'FluxInstance') return [textAt(objectAt(spec, 'sync'), 'path')];
    const isOwn =
      textAt(objectAt(object, 'metadata'), 'name') === 'flux-system' &&
      apiGroupOf(object) === 'kustomize.toolkit.fluxcd.io';
    return isOwn && listAt(spec, 'dependsOn').length === 0 ? [textAt(spec, 'path')] : [];
  });
  return [...new Set(paths.map((path) => resolvePath('', path)).filter((path) => path !== undefined))];
}
