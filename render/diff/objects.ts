// One side of a comparison: its documents as objects, without what a cluster adds.

import { parseWholeYaml } from '../codec/yaml/whole.ts';
import { attempt } from '../core/catch.ts';
import { limitIn } from '../core/limits.ts';
import { decodeBase64 } from '../go/base64.ts';
import { copyTree } from '../go/copy-tree.ts';
import { decodeUtf8, isValidUtf8 } from '../go/utf8.ts';
import { GoError, type GoMap, type GoValue, Int } from '../go/value.ts';
import { definitionsOf } from '../manifest/definitions.ts';
import { member, parseManifestDocument, splitStream, textMember, withType } from '../manifest/objects.ts';
import { type SourcedDocument, sentText } from '../manifest/source.ts';
import { type CustomScopes, scopeOf } from '../output/scope.ts';
import { isFingerprint } from './fingerprint.ts';

/** A document, its file, and the namespace of its objects without one. */
export interface DiffDocument extends SourcedDocument {
  /** Default: that of the side. */
  readonly namespace?: string | undefined;
  /** Whether it is from a chart's `crds/`. Default: according to the `# Source:` line, or the path of a document of a release. */
  readonly isFromCrds?: boolean | undefined;
}

/** One side of a comparison. */
export interface DiffSide {
  /** A manifest with any number of documents, or documents with their files. */
  readonly documents: string | readonly DiffDocument[];
  /** The name of the text in errors. Default `manifest`. */
  readonly name?: string | undefined;
  /** The namespace of objects without one, such as that of a release. Default none. */
  readonly namespace?: string | undefined;
}

export interface SideObject {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** That of the object or of the side; empty if neither has one. */
  readonly namespace: string;
  readonly name: string;
  /** Its file: from a `# Source:` line, or the name of the side. */
  readonly source: string;
  /** The document that contains it, and its index among the objects of that document. */
  readonly document: SourcedDocument;
  /** Whether it is from a chart's `crds/`: Helm installs it once and neither updates nor deletes it. */
  readonly isFromCrds: boolean;
  readonly object: GoMap;
}

/** Returns the documents of a side, each with its namespace. */
export function documentsOf({ documents, name = 'manifest', namespace = '' }: DiffSide): DiffDocument[] {
  const all = typeof documents === 'string' ? [{ path: name, content: documents }] : documents;
  return all.flatMap((document) => partsOf({ namespace, ...document }));
}

// For example `web/crds/a.yaml` and `web/charts/db/crds/a.yaml`.
const chartCrds = /^(?:[^/]+\/charts\/)*[^/]+\/crds\//;
const chartTemplates = /^(?:[^/]+\/charts\/)*[^/]+\/templates\//;

/** Reports whether an object is from a chart's `templates/`. */
export function isFromTemplates({ source, isFromCrds }: SideObject): boolean {
  return !isFromCrds && chartTemplates.test(source);
}

// The line with the template's name is at the start of a document.
function partsOf(whole: DiffDocument): DiffDocument[] {
  const { path, namespace, isFromCrds: given } = whole;
  let above: string | undefined;
  return splitStream(sentText(whole)).map((document) => {
    const comments = headComments(document);
    const source = comments.lines.find((line) => line.startsWith('# Source: '))?.slice('# Source: '.length) ?? above;
    // For a document that itself begins with `---` the line comes before that.
    above = comments.isAll ? source : undefined;
    const isOfChart = source !== undefined || (namespace ?? '') !== '';
    const isFromCrds = given ?? (isOfChart && chartCrds.test(source ?? path));
    return { path: source ?? path, content: document, namespace, isFromCrds };
  });
}

function headComments(document: string): { readonly lines: readonly string[]; readonly isAll: boolean } {
  const lines: string[] = [];
  for (let start = 0; start < document.length; ) {
    const end = document.indexOf('\n', start);
    const line = document.slice(start, end < 0 ? undefined : end).trim();
    if (line !== '' && !line.startsWith('#')) return { lines, isAll: false };
    lines.push(line);
    start = end < 0 ? document.length : end + 1;
  }
  return { lines, isAll: true };
}

/**
 * Returns the objects of documents; `scopes` are those of custom kinds. A document that is not an object is one with a single member,
 * `document`. Throws MANIFEST_INVALID if a document is not YAML.
 */
export function sideObjects(documents: readonly DiffDocument[], scopes: CustomScopes): SideObject[] {
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

function readObjects({ path, content }: SourcedDocument): GoMap[] {
  return splitStream(content).flatMap((document) => {
    const value = readDocument(document, path);
    return flattenList(copyTree(value, (scalar) => (scalar instanceof Int ? asJson(scalar) : scalar)));
  });
}

// JSON does not distinguish `1` and `1.0`.
function asJson(integer: Int): GoValue {
  const value = Number(integer.value);
  return Number.isSafeInteger(value) ? value : integer;
}

// Of several documents in a text a cluster reads the first.
function readDocument(document: string, path: string): GoValue {
  try {
    return parseWholeYaml(document).documents[0]!;
  } catch (error) {
    if (!(error instanceof GoError)) throw limitIn(path, error);
    // Only what follows the document may be invalid.
    return parseManifestDocument(document, path);
  }
}

function flattenList(value: GoValue): GoMap[] {
  if (value === null) return [];
  if (!(value instanceof Map)) return [new Map([['document', value]])];
  const kind = textMember(value, 'kind');
  const items = member(value, 'items');
  if (!kind.endsWith('List') || !Array.isArray(items)) return [value];
  const objects = items.flatMap((item) => (item instanceof Map ? flattenList(withType(item, value, kind)) : []));
  const others = items.filter((item) => !(item instanceof Map));
  const rest = new Map([...value].filter(([name]) => name !== 'items'));
  if (others.length > 0) rest.set('items', others);
  // Members of a list other than its items belong to no item.
  const isPlain = [...rest].every(
    ([name, own]) =>
      (name === 'apiVersion' && (own === 'v1' || kind !== 'List')) || name === 'kind' || isEmptyMetadata(name, own),
  );
  return isPlain ? objects : [rest, ...objects];
}

function isEmptyMetadata(name: string, value: GoValue): boolean {
  if (name !== 'metadata') return false;
  return value === null || (value instanceof Map && [...value.values()].every((own) => own === '' || own === null));
}

/** Returns the scopes of the custom kinds that documents define. */
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

/** Reports whether a kind is built into Kubernetes. */
export function isBuiltinGroup(group: string): boolean {
  return !group.includes('.') || group.endsWith('.k8s.io');
}

/** Reports whether an object is from a cluster: `kubectl get` printed it. */
export function isLive(object: GoMap): boolean {
  const metadata = member(object, 'metadata');
  return ['uid', 'resourceVersion', 'managedFields'].some((name) => member(metadata, name) !== null);
}

/** Reports whether an object was created by the cluster itself or by Helm: it is in no manifest. */
export function isMadeByCluster({ kind, name, object }: SideObject): boolean {
  if (!isLive(object)) return false;
  const owners = member(member(object, 'metadata'), 'ownerReferences');
  if (Array.isArray(owners) && owners.length > 0) return true;
  if (kind === 'Secret') return textMember(object, 'type') === 'helm.sh/release.v1';
  if (kind === 'Endpoints' || kind === 'EndpointSlice' || kind === 'Event') return true;
  return (kind === 'ServiceAccount' && name === 'default') || (kind === 'ConfigMap' && name === 'kube-root-ca.crt');
}

/**
 * Returns an object with the data of a Secret decoded to texts; any other object unchanged. Binary data stays binary, and invalid base64 is
 * kept distinct from decoded values.
 */
export function withPlainData(object: GoMap): GoMap {
  if (textMember(object, 'kind') !== 'Secret' || textMember(object, 'apiVersion') !== 'v1') return object;
  const data = new Map<string, GoValue>();
  const hidden = new Map<string, GoValue>();
  const given = member(object, 'data');
  if (given instanceof Map) for (const [key, value] of given) data.set(key, plainData(value));
  const texts = member(object, 'stringData');
  if (texts instanceof Map) {
    for (const [key, value] of texts) {
      const overridden = data.get(key);
      if (overridden !== undefined) hidden.set(key, overridden);
      data.set(key, value);
    }
  }
  const isOther = (value: GoValue): boolean => value !== null && !(value instanceof Map);
  const rest = [...object].filter(([key, value]) => (key !== 'data' && key !== 'stringData') || isOther(value));
  return new Map<string, GoValue>([
    ...rest,
    ...(data.size === 0 ? [] : [['data', data] as const]),
    ...(hidden.size === 0 ? [] : [['data behind stringData', hidden] as const]),
  ]);
}

/** Returns the text or the bytes of a value in a Secret's `data`. */
export function plainData(value: GoValue): GoValue {
  if (typeof value !== 'string' || isFingerprint(value)) return value;
  const bytes = attempt(() => decodeBase64(value.replace(/\s/g, '')), Error, undefined);
  if (bytes === undefined) return new Map([['not base64', value]]);
  const text = decodeUtf8(bytes);
  return isValidUtf8(text) && !text.includes('\0') ? text : bytes;
}
