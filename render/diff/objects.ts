// One side of a comparison: its documents as objects, each with what it is known by, without what a cluster adds.

import { decodeBase64 } from '../go/base64.ts';
import { decodeUtf8, isValidUtf8 } from '../go/utf8.ts';
import type { GoMap, GoValue } from '../go/value.ts';
import { member, readObjects, splitStream, textMember } from '../manifest/objects.ts';
import type { SourcedDocument } from '../manifest/source.ts';

/** One side of a comparison. */
export interface DiffSide {
  /** A manifest of any number of documents, or documents with the files that they are from. */
  readonly documents: string | readonly SourcedDocument[];
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
  readonly object: GoMap;
}

/** Gives the documents of a side. */
export function documentsOf({ documents, name = 'manifest' }: DiffSide): SourcedDocument[] {
  if (typeof documents !== 'string') return documents.flatMap((document) => partsOf(document));
  return partsOf({ path: name, content: documents });
}

// The line by which Helm names the template stands at the head of a document.
function partsOf({ path, content }: SourcedDocument): SourcedDocument[] {
  return splitStream(content).map((document) => {
    const [, source] = /^\s*(?:#.*\n\s*)*?# Source: (.+?)\s*$/m.exec(document.slice(0, 2000)) ?? [];
    return { path: source ?? path, content: document };
  });
}

/** Gives the objects of documents. Throws MANIFEST_INVALID where one is not YAML. */
export function objectsOf(documents: readonly SourcedDocument[], { namespace = '' }: DiffSide): SideObject[] {
  return documents.flatMap((document) =>
    readObjects(document).map((object) => {
      const [group, version] = splitVersion(textMember(object, 'apiVersion'));
      const metadata = member(object, 'metadata');
      return {
        group,
        version,
        kind: textMember(object, 'kind'),
        namespace: textMember(metadata, 'namespace') || namespace,
        name: textMember(metadata, 'name') || textMember(metadata, 'generateName'),
        source: document.path,
        document,
        object,
      };
    }),
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

function plainText(value: GoValue): GoValue {
  if (typeof value !== 'string') return value;
  try {
    const text = decodeUtf8(decodeBase64(value.replace(/\s/g, '')));
    return isValidUtf8(text) && !text.includes('\0') ? text : value;
  } catch {
    // It is no base64: the object will be refused, and is compared as it stands.
    return value;
  }
}
