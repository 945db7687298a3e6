// Rendered documents as Kubernetes objects with flattened lists and known namespaces.

import type { RenderedPackage, RenderedPackages } from '../engine/packages.ts';
import type { GoMap } from '../go/value.ts';
import { member, readObjects, textMember } from '../manifest/objects.ts';
import type { SourcedDocument } from '../manifest/source.ts';
import { type CustomScopes, type Scope, scopeOf } from './scope.ts';

/** An object of a release. Missing texts are empty. */
export interface KubeObject {
  /** The template or CRD file it comes from. */
  readonly path: string;
  readonly apiVersion: string;
  readonly kind: string;
  /** `metadata.name`, or the `generateName` of an object that the server names. */
  readonly name: string;
  readonly generated: boolean;
  readonly scope: Scope;
  /** Its own namespace, or that of the release; empty for cluster-scoped kinds. */
  readonly namespace: string;
  /** The object with its namespace filled in, if its kind is known to have one. */
  readonly value: GoMap;
}

/** Returns the scopes of the custom kinds whose CRDs are in any package of the Order, in `crds/` or in templates. */
export function customScopes(rendered: RenderedPackages): CustomScopes {
  const scopes = new Map<string, Scope>();
  for (const { definitions } of rendered.packages) {
    const { crds, objects, transient } = definitions;
    for (const { group, kind, isNamespaced } of [...crds, ...objects, ...transient]) {
      if (kind !== '') scopes.set(`${group}/${kind}`, isNamespaced ? 'namespaced' : 'cluster');
    }
  }
  return scopes;
}

/** Returns the objects of a package's documents, in order. Throws MANIFEST_INVALID if a CRD file is not YAML. */
export function manifestObjects(
  documents: readonly SourcedDocument[],
  { release }: RenderedPackage,
  scopes: CustomScopes,
): KubeObject[] {
  return documents.flatMap((document) =>
    readObjects(document).map((value) => objectOf(value, document.path, release.namespace, scopes)),
  );
}

/** Reports whether an object defines a custom kind. */
export function isCrd({ kind }: KubeObject): boolean {
  return kind === 'CustomResourceDefinition';
}

export function isSecret({ apiVersion, kind }: KubeObject): boolean {
  return apiVersion === 'v1' && kind === 'Secret';
}

const typeWord = /^(?:[a-z0-9](?:[-a-z0-9.]*[a-z0-9])?\/)?[a-z0-9]+ [A-Za-z][A-Za-z0-9]*$/;

/** Reports whether an object has a type and a name by which kubectl finds it. */
export function isNamed({ apiVersion, kind, name, namespace, generated }: KubeObject): boolean {
  if (generated || !typeWord.test(`${apiVersion} ${kind}`)) return false;
  return /^[A-Za-z0-9][-A-Za-z0-9_.:]*$/.test(name) && /^(?:[a-z0-9][-a-z0-9]*)?$/.test(namespace);
}

function objectOf(value: GoMap, path: string, releaseNamespace: string, scopes: CustomScopes): KubeObject {
  const apiVersion = textMember(value, 'apiVersion');
  const kind = textMember(value, 'kind');
  const metadata = member(value, 'metadata');
  const name = textMember(metadata, 'name');
  const scope = scopeOf(apiVersion, kind, scopes);
  const own = textMember(metadata, 'namespace');
  const generated = name === '' && textMember(metadata, 'generateName') !== '';
  return {
    path,
    apiVersion,
    kind,
    name: generated ? textMember(metadata, 'generateName') : name,
    generated,
    scope,
    namespace: scope === 'cluster' ? '' : own || releaseNamespace,
    value: scope === 'namespaced' && own === '' ? withNamespace(value, releaseNamespace) : value,
  };
}

/** Returns a copy of an object with a namespace. */
export function withNamespace(value: GoMap, namespace: string): GoMap {
  const metadata = member(value, 'metadata');
  const filled = new Map(metadata instanceof Map ? metadata : []);
  return new Map(value).set('metadata', filled.set('namespace', namespace));
}
