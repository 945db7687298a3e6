// One side of a comparison: its documents as objects, each with what it is known by, without what a cluster adds.

import { decodeBase64 } from '../go/base64.ts';
import { decodeUtf8, isValidUtf8 } from '../go/utf8.ts';
import type { GoMap, GoValue } from '../go/value.ts';
import { definitionsOf } from '../manifest/definitions.ts';
import { member, readObjects, splitStream, textMember } from '../manifest/objects.ts';
import type { SourcedDocument } from '../manifest/source.ts';
import { type CustomScopes, scopeOf } from '../output/scope.ts';

/** A document, the file that it is from, and the namespace of its objects that name none. */
export interface DiffDocument extends SourcedDocument {
  /** Default that of the side. */
  readonly namespace?: string | undefined;
  /** Whether it is from `crds/` of a chart. Default: by the `# Source:` line, or the path of a document of a release. */
  readonly isFromCrds?: boolean | undefined;
}

/** One side of a comparison. */
export interface DiffSide {
  /** A manifest of any number of documents, or documents with the files that they are from. */
  readonly documents: string | readonly DiffDocument[];
  /** What the text is called in errors. Default `manifest`. */
  readonly name?: string | undefined;
  /** The namespace of objects that name none, as of a release. Default none. */
  readonly namespace?: string | undefined;
}

/** An object of one side. */
export interface SideObject {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** That of the object, else of the side; empty where neither says. */
  readonly namespace: string;
  readonly name: string;
  /** The file that it is from: of a `# Source:` line, else the name of the side. */
  readonly source: string;
  /** The document that holds it, and its place among the objects of that. */
  readonly document: SourcedDocument;
  /** Whether it is from `crds/` of a chart: Helm installs it once, and neither updates nor deletes it. */
  readonly isFromCrds: boolean;
  readonly object: GoMap;
}

/** Gives the documents of a side, each with its namespace. */
export function documentsOf({ documents, name = 'manifest', namespace = '' }: DiffSide): DiffDocument[] {
  const all = typeof documents === 'string' ? [{ path: name, content: documents }] : documents;
  return all.flatMap((document) => partsOf({ namespace, ...document }));
}

// Such as `web/crds/a.yaml` and `web/charts/db/crds/a.yaml`.
const chartCrds = /^(?:[^/]+\/charts\/)*[^/]+\/crds\//;

// The line by which Helm names the template stands at the head of a document.
function partsOf({ path, content, namespace, isFromCrds: given }: DiffDocument): DiffDocument[] {
  let above: string | undefined;
  return splitStream(content).map((document) => {
    const head = document.slice(0, 2000);
    const [, source = above] = /^\s*(?:#.*\n\s*)*?# Source: (.+?)\s*$/m.exec(head) ?? [];
    // Of a document that begins with `---` itself the line stands above that.
    above = /^(?:\s*#.*)*\s*$/.test(head) ? source : undefined;
    const isOfChart = source !== undefined || (namespace ?? '') !== '';
    const isFromCrds = given ?? (isOfChart && chartCrds.test(source ?? path));
    return { path: source ?? path, content: document, namespace, isFromCrds };
  });
}

/** Gives the objects of documents; `scopes` are those of custom kinds. Throws MANIFEST_INVALID where one is not YAML. */
export function objectsOf(documents: readonly DiffDocument[], scopes: CustomScopes): SideObject[] {
  return documents.flatMap((document) =>
    readObjects(document).map((object) => {
      const apiVersion = textMember(object, 'apiVersion');
      const [group, version] = splitVersion(apiVersion);
      const metadata = member(object, 'metadata');
      const kind = textMember(object, 'kind');
      const isInCluster = scopeOf(apiVersion, kind, scopes) === 'cluster';
      return {
        group,
        version,
        kind,
        namespace: isInCluster ? '' : textMember(metadata, 'namespace') || (document.namespace ?? ''),
        name: textMember(metadata, 'name') || textMember(metadata, 'generateName'),
        source: document.path,
        document,
        isFromCrds: document.isFromCrds === true,
        object,
      };
    }),
  );
}

/** Gives where objects of the custom kinds live that documents define. */
export function scopesOf(documents: readonly SourcedDocument[]): CustomScopes {
  const definitions = documents.flatMap((document) => definitionsOf(document));
  return new Map(
    definitions.map(({ group, kind, isNamespaced }) => [`${group}/${kind}`, isNamespaced ? 'namespaced' : 'cluster']),
  );
}

function splitVersion(apiVersion: string): readonly [group: string, version: string] {
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? ['', apiVersion] : [apiVersion.slice(0, slash), apiVersion.slice(slash + 1)];
}

/** Tells whether a kind is one of Kubernetes' own. */
export function isBuiltinGroup(group: string): boolean {
  return !group.includes('.') || group.endsWith('.k8s.io');
}

/** Tells whether an object has been in a cluster: `kubectl get` printed it. */
export function isLive(object: GoMap): boolean {
  const metadata = member(object, 'metadata');
  return ['uid', 'resourceVersion', 'managedFields'].some((name) => member(metadata, name) !== null);
}

/** Tells whether the cluster itself or Helm made an object: it stands in no manifest. */
export function isMadeByCluster({ kind, name, object }: SideObject): boolean {
  if (!isLive(object)) return false;
  const owners = member(member(object, 'metadata'), 'ownerReferences');
  if (Array.isArray(owners) && owners.length > 0) return true;
  if (kind === 'Secret') return textMember(object, 'type') === 'helm.sh/release.v1';
  if (kind === 'Endpoints' || kind === 'EndpointSlice' || kind === 'Event') return true;
  return (kind === 'ServiceAccount' && name === 'default') || (kind === 'ConfigMap' && name === 'kube-root-ca.crt');
}

/** Gives the data of a Secret as the texts that it stands for; another object as it is. Bytes that are no text stay base64. */
export function withPlainData(object: GoMap): GoMap {
  if (textMember(object, 'kind') !== 'Secret' || textMember(object, 'apiVersion') !== 'v1') return object;
  const data = new Map<string, GoValue>();
  const given = member(object, 'data');
  if (given instanceof Map) for (const [key, value] of given) data.set(key, plainText(value));
  const texts = member(object, 'stringData');
  if (texts instanceof Map) for (const [key, value] of texts) data.set(key, value);
  const rest = [...object].filter(([key]) => key !== 'data' && key !== 'stringData');
  return new Map<string, GoValue>(data.size === 0 ? rest : [...rest, ['data', data]]);
}

/** Gives the text that a value of a Secret's `data` stands for; what is no text stays base64. */
export function plainText(value: GoValue): GoValue {
  if (typeof value !== 'string') return value;
  try {
    const text = decodeUtf8(decodeBase64(value.replace(/\s/g, '')));
    return isValidUtf8(text) && !text.includes('\0') ? text : value;
  } catch {
    // It is no base64: the object will be refused, and is compared as it stands.
    return value;
  }
}
