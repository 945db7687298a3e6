// What two renderings with other dice give differently: the objects of a package, each with the members that differ.

import { joinPath } from '../core/paths.ts';
import type { RenderedPackage } from '../engine/packages.ts';
import { deepEqual } from '../go/deep-equal.ts';
import type { GoValue } from '../go/value.ts';
import type { SourcedDocument } from '../manifest/source.ts';
import { isSecret, type KubeObject, manifestObjects } from './objects.ts';
import type { CustomScopes } from './scope.ts';

/** An object that differs from rendering to rendering. */
export interface RandomObject {
  readonly object: KubeObject;
  /** The paths of what differs, such as `data.password`; empty where there is no such object in the other rendering. */
  readonly paths: readonly string[];
}

/** Returns the objects of a package that are random, in its order, hooks first. Renders the package once more where it drew. */
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
 * Returns those of random objects that are created once and kept: Secrets, and what does nothing random but trust one of
 * them, such as a webhook's `caBundle`.
 */
export function keptAmong(objects: readonly RandomObject[]): ReadonlySet<string> {
  const secrets = objects.filter(({ object, paths }) => isSecret(object) && paths.length > 0);
  const trusting = objects.filter(({ paths }) => paths.length > 0 && paths.every((path) => /\.caBundle$/.test(path)));
  return new Set((secrets.length === 0 ? [] : [...secrets, ...trusting]).map(({ object }) => objectKey(object)));
}

/** Returns what identifies an object among those of a package. */
export function objectKey({ apiVersion, kind, namespace, name }: KubeObject): string {
  return [apiVersion, kind, namespace, name].join(' ');
}

// The documents of a template keep their order, so a document and its place among them find its twin.
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
