// Finds random output by rendering again with other random values: objects of a package, each with the members that differ.

import { joinPath } from '../core/paths.ts';
import type { RenderedPackage } from '../engine/packages.ts';
import { deepEqual } from '../go/deep-equal.ts';
import type { GoValue } from '../go/value.ts';
import type { SourcedDocument } from '../manifest/source.ts';
import { isSecret, type KubeObject, manifestObjects } from './objects.ts';
import type { CustomScopes } from './scope.ts';

/** An object that differs between renderings. */
export interface RandomObject {
  readonly object: KubeObject;
  /** The paths that differ, such as `data.password`; empty if the other rendering does not have the object. */
  readonly paths: readonly string[];
}

/** Returns the random objects of a package in its order, hooks first. Renders the package again if it used randomness. */
export function randomObjects(item: RenderedPackage, scopes: CustomScopes): RandomObject[] {
  const other = item.chance.again?.();
  if (other === undefined) return [];
  const twins = numbered([...other.hooks, ...other.manifests]);
  return [...numbered([...item.release.hooks, ...item.release.manifests])].flatMap(([key, document]) => {
    const twin = twins.get(key);
    if (twin?.content === document.content) return [];
    const others = twin === undefined ? [] : manifestObjects([twin], item, scopes);
    return manifestObjects([document], item, scopes).flatMap((object, index): RandomObject[] => {
      const match = others[index];
      const paths = match === undefined ? [] : differences(object.value, match.value, '');
      return match !== undefined && paths.length === 0 ? [] : [{ object, paths }];
    });
  });
}

/**
 * Returns the random objects that are created once and kept: Secrets, and objects that are random only because they refer to one, such as a
 * webhook's `caBundle`.
 */
export function keptAmong(objects: readonly RandomObject[]): ReadonlySet<string> {
  const secrets = objects.filter(({ object, paths }) => isSecret(object) && paths.length > 0);
  const trusting = objects.filter(({ paths }) => paths.length > 0 && paths.every((path) => /\.caBundle$/.test(path)));
  return new Set((secrets.length === 0 ? [] : [...secrets, ...trusting]).map(({ object }) => objectKey(object)));
}

/** Returns the identity of an object within a package. */
export function objectKey({ apiVersion, kind, namespace, name }: KubeObject): string {
  return [apiVersion, kind, namespace, name].join(' ');
}

// The documents of a template keep their order, so a document is matched by its position.
function numbered(documents: readonly SourcedDocument[]): Map<string, SourcedDocument> {
  const counts = new Map<string, number>();
  return new Map(
    documents.map((document) => {
      const count = (counts.get(document.path) ?? 0) + 1;
      counts.set(document.path, count);
      return [`${count} ${document.path}`, document];
    }),
  );
}

function differences(a: GoValue, b: GoValue, path: string): string[] {
  if (a instanceof Map && b instanceof Map) {
    return [...new Set([...a.keys(), ...b.keys()])].flatMap((key) =>
      a.has(key) && b.has(key)
        ? differences(a.get(key) as GoValue, b.get(key) as GoValue, joinPath(path, key))
        : [joinPath(path, key)],
    );
  }
  if (Array.isArray(a) && Array.isArray(b) && a.length === b.length) {
    return a.flatMap((item, index) => differences(item, b[index] as GoValue, joinPath(path, index)));
  }
  return deepEqual(a, b) ? [] : [path];
}
