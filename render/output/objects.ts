// Rendered documents as Kubernetes objects: lists flattened, namespaces known, nothing dropped.

import { parseYaml } from '../codec/yaml-parse.ts';
import { RenderError } from '../errors.ts';
import { GoError, type GoMap, type GoValue } from '../go/value.ts';
import type { SourcedDocument } from '../manifest/source.ts';
import { splitManifests } from '../manifest/split.ts';
import type { OrderPlan, RenderedPackage } from '../plan.ts';
import { type CustomScopes, member, readCrdScope, type Scope, scopeOf } from './scope.ts';

/** Is one object of a release. Absent texts are empty. */
export interface KubeObject {
  /** The template or CRD file it comes from. */
  readonly path: string;
  readonly apiVersion: string;
  readonly kind: string;
  /** `metadata.name`, or the `generateName` of an object that the server names. */
  readonly name: string;
  readonly generated: boolean;
  readonly scope: Scope;
  /** Where it will live: its own namespace, else the release's; empty for cluster-scoped kinds. */
  readonly namespace: string;
  /** The object with its namespace filled in, where its kind is known to have one. */
  readonly value: GoMap;
}

/** Gives the scopes of the custom kinds whose CRDs any package of the Order brings, in `crds/` or in templates. */
export function customScopes(plan: OrderPlan): CustomScopes {
  const scopes = new Map<string, Scope>();
  for (const { release } of plan.packages) {
    for (const document of [...release.crds, ...release.manifests, ...release.hooks]) {
      if (!document.content.includes('CustomResourceDefinition')) continue;
      for (const [value] of readableValues(document)) {
        const entry = member(value, 'kind') === 'CustomResourceDefinition' ? readCrdScope(value) : undefined;
        if (entry !== undefined) scopes.set(...entry);
      }
    }
  }
  return scopes;
}

/** Gives the objects of documents of a package, in order. Throws MANIFEST_INVALID where a CRD file is not YAML. */
export function objectsOf(
  documents: readonly SourcedDocument[],
  { release }: RenderedPackage,
  scopes: CustomScopes,
): KubeObject[] {
  return documents.flatMap((document) =>
    valuesOf(document).map(([value, path]) => objectOf(value, path, release.namespace, scopes)),
  );
}

// Scopes are guesses as long as there is nothing better: who needs the objects themselves hears of the fault.
function readableValues(document: SourcedDocument): readonly [GoMap, string][] {
  try {
    return valuesOf(document);
  } catch (error) {
    if (error instanceof RenderError) return [];
    throw error;
  }
}

/** Gives the names of the CRDs in the `crds/` folders of a package's charts. Throws MANIFEST_INVALID as `objectsOf`. */
export function crdNames(item: RenderedPackage): string[] {
  return objectsOf(item.release.crds, item, new Map())
    .filter((object) => isCrd(object) && isNamed(object))
    .map((object) => object.name);
}

/** Tells whether an object defines a custom kind. */
export function isCrd({ kind }: KubeObject): boolean {
  return kind === 'CustomResourceDefinition';
}

const typeWord = /^(?:[a-z0-9](?:[-a-z0-9.]*[a-z0-9])?\/)?[a-z0-9]+ [A-Za-z][A-Za-z0-9]*$/;

/** Tells whether an object has a type and a name of its own by which kubectl finds it: a server takes no other. */
export function isNamed({ apiVersion, kind, name, namespace, generated }: KubeObject): boolean {
  if (generated || !typeWord.test(`${apiVersion} ${kind}`)) return false;
  return /^[A-Za-z0-9][-A-Za-z0-9_.:]*$/.test(name) && /^(?:[a-z0-9][-a-z0-9]*)?$/.test(namespace);
}

function objectOf(value: GoMap, path: string, releaseNamespace: string, scopes: CustomScopes): KubeObject {
  const apiVersion = text(value, 'apiVersion');
  const kind = text(value, 'kind');
  const metadata = member(value, 'metadata');
  const name = text(metadata, 'name');
  const scope = scopeOf(apiVersion, kind, scopes);
  const own = text(metadata, 'namespace');
  const generated = name === '' && text(metadata, 'generateName') !== '';
  return {
    path,
    apiVersion,
    kind,
    name: generated ? text(metadata, 'generateName') : name,
    generated,
    scope,
    namespace: scope === 'cluster' ? '' : own || releaseNamespace,
    value: scope === 'namespaced' && own === '' ? withNamespace(value, releaseNamespace) : value,
  };
}

/** Gives a copy of an object that carries a namespace. */
export function withNamespace(value: GoMap, namespace: string): GoMap {
  const metadata = member(value, 'metadata');
  const filled = new Map(metadata instanceof Map ? metadata : []);
  return new Map(value).set('metadata', filled.set('namespace', namespace));
}

// A CRD file may hold several documents; a document of comments alone holds nothing.
function valuesOf({ path, content }: SourcedDocument): [GoMap, string][] {
  return splitManifests(content).flatMap((document) =>
    flatten(parse(document, path)).map((value): [GoMap, string] => [value, path]),
  );
}

function parse(document: string, path: string): GoValue {
  try {
    return parseYaml(document);
  } catch (error) {
    if (!(error instanceof GoError)) throw error;
    throw new RenderError('MANIFEST_INVALID', `YAML parse error on ${path}: ${error.message}`, {
      place: { file: path },
      cause: error,
      mend: 'Mend the YAML of this file.',
    });
  }
}

function flatten(value: GoValue): GoMap[] {
  if (!(value instanceof Map)) return [];
  const kind = text(value, 'kind');
  const items = member(value, 'items');
  if (!kind.endsWith('List') || !Array.isArray(items)) return [value];
  return items.flatMap((item) => flatten(item instanceof Map ? withType(item, value, kind) : item));
}

// The items of a typed list (`ConfigMapList`) need not repeat their type.
function withType(item: GoMap, list: GoMap, listKind: string): GoMap {
  if (item.has('kind') || listKind === 'List') return item;
  return new Map([['apiVersion', member(list, 'apiVersion')], ['kind', listKind.slice(0, -'List'.length)], ...item]);
}

function text(value: GoValue, key: string): string {
  const found = member(value, key);
  return typeof found === 'string'
    ? found
    : typeof found === 'number' || typeof found === 'boolean'
      ? String(found)
      : '';
}
