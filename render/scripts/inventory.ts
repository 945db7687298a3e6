// What a package applies, written down on the cluster in the form of kubectl's ApplySets, so that the next run finds what
// is no longer wanted. Mirrors: k8s.io/kubectl/pkg/cmd/apply, applyset.go, v1.31.

import { sha256 } from '@noble/hashes/sha2.js';
import { encodeBase64 } from '../go/base64.ts';
import { encodeUtf8 } from '../go/utf8.ts';
import { compareStrings, type GoMap } from '../go/value.ts';
import { member } from '../manifest/objects.ts';
import { isNamed, type KubeObject } from '../output/objects.ts';
import { groupOf } from '../output/scope.ts';

/** The inventory of one package. */
export interface InventoryView {
  /** The value of the label `applyset.kubernetes.io/part-of` on every object. */
  readonly id: string;
  /** The name of the ConfigMap, in the namespace of the release. */
  readonly name: string;
  readonly namespace: string;
  /** The kinds of the objects, such as `ConfigMap,Deployment.apps`. */
  readonly kinds: string;
  /** The namespaces of the objects other than the release's, with commas. */
  readonly namespaces: string;
  /** A line for each object: its type, its namespace or `-`, its name. */
  readonly members: string;
}

/** Gives the inventory of the objects of a release. */
export function inventoryOf(release: string, namespace: string, objects: readonly KubeObject[]): InventoryView {
  const members = objects.filter(isNamed);
  const name = `drydock-${release}`;
  return {
    id: idOf(name, namespace),
    name,
    namespace,
    kinds: unique(members.map(({ apiVersion, kind }) => withGroup(kind, apiVersion))).join(','),
    namespaces: unique(members.map((object) => object.namespace).filter((own) => own !== '' && own !== namespace)).join(
      ',',
    ),
    members: unique(
      members.map(
        (object) =>
          `${withGroup(object.kind.toLowerCase(), object.apiVersion)} ${object.namespace === '' ? '-' : object.namespace} ${object.name}\n`,
      ),
    ).join(''),
  };
}

/** Gives an object with the label of its inventory. An object without a name of its own stays as it is. */
export function withMembership(object: KubeObject, id: string): KubeObject {
  const metadata = member(object.value, 'metadata');
  if (!isNamed(object) || !(metadata instanceof Map)) return object;
  const labels = member(metadata, 'labels');
  if (labels !== null && !(labels instanceof Map)) return object;
  const filled = new Map(labels ?? []).set('applyset.kubernetes.io/part-of', id);
  const value: GoMap = new Map(object.value).set('metadata', new Map(metadata).set('labels', filled));
  return { ...object, value };
}

function idOf(name: string, namespace: string): string {
  const hash = sha256(encodeUtf8(`${name}.${namespace}.ConfigMap.`));
  return `applyset-${encodeBase64(hash)
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/={1,2}$/, '')}-v1`;
}

function withGroup(kind: string, apiVersion: string): string {
  const group = groupOf(apiVersion);
  return group === '' ? kind : `${kind}.${group}`;
}

function unique(words: readonly string[]): string[] {
  return [...new Set(words)].sort(compareStrings);
}
