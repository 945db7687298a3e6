// Keys and file names for the resources of a package: short if possible, always unique, and independent of unrelated resources.
// Mirrors: kubepack, lib-helm `ResourceKey` and `ResourceFilename`, with its collisions and cut words completed.

import { camelize, pascalize, underscore } from './inflect.ts';

/** The parts of a resource's name. */
export interface ResourceIdentity {
  readonly apiVersion: string;
  readonly kind: string;
  /** Empty for cluster-scoped objects. */
  readonly namespace: string;
  /** `metadata.name`, or `metadata.generateName`, or empty. */
  readonly name: string;
}

/** The names of a resource in a list. */
export interface ResourceName {
  /** Unique in its package, such as `appsDeployment_api`. */
  readonly key: string;
  /** Unique in its package, without extension, such as `deployment` or `deployment_api`. */
  readonly filename: string;
}

/** Returns names for the resources of a package, in order. `releaseName` is removed from the start of names; empty for none. */
export function nameResources(resources: readonly ResourceIdentity[], releaseName: string): ResourceName[] {
  const stems = resources.map((resource) => stemsOf(resource, releaseName));
  const keys = separate(
    resources,
    stems.map((stem) => stem.key),
  );
  const filenames = separate(resources, chooseFilenames(stems));
  return resources.map((_, index) => ({ key: keys[index]!, filename: filenames[index]! }));
}

interface Stems {
  readonly key: string;
  /** From short to long: kind; kind and name; group, kind and name. */
  readonly filenames: readonly [string, string, string];
}

function stemsOf({ apiVersion, kind, name }: ResourceIdentity, releaseName: string): Stems {
  const slash = apiVersion.indexOf('/');
  const group = slash < 0 ? '' : apiVersion.slice(0, slash);
  const type = kind === '' ? 'Document' : kind;
  const prefix = pascalize(
    group
      .replace(/\.k8s\.io$/, '')
      .replace(/\.kubernetes\.io$/, '')
      .replaceAll('.', '_'),
  );
  const suffix = suffixOf(name, releaseName);
  const keySuffix = underscore(suffix);
  const fileSuffix = pascalize(suffix.replaceAll('.', '-').replace(/^-+|(?<!-)-+$/g, ''));
  return {
    key: camelize(prefix + type) + (keySuffix === '' ? '' : `_${keySuffix}`),
    filenames: [underscore(type), underscore(type + fileSuffix), underscore(prefix + type + fileSuffix)],
  };
}

// Only whole words are removed: the `web` of `website` stays.
function suffixOf(name: string, releaseName: string): string {
  if (releaseName === '' || !name.startsWith(releaseName)) return name;
  const rest = name.slice(releaseName.length);
  return rest === '' || /^[^A-Za-z0-9]/.test(rest) ? rest : name;
}

function chooseFilenames(stems: readonly Stems[]): string[] {
  const counts = [0, 1, 2].map((form) => countOf(stems.map((stem) => stem.filenames[form]!)));
  return stems.map(({ filenames }) => filenames.find((name, form) => counts[form]?.get(name) === 1) ?? filenames[2]);
}

// Equal names get their namespace, then a hash of the whole identity, which does not depend on other resources; true duplicates get a
// number.
function separate(resources: readonly ResourceIdentity[], stems: readonly string[]): string[] {
  const byNamespace = unlessUnique(stems, (index) => underscore(resources[index]?.namespace ?? ''));
  const byHash = unlessUnique(byNamespace, (index) => hashOf(resources[index]!));
  const taken = new Map<string, number>();
  return byHash.map((name) => {
    const number = (taken.get(name) ?? 0) + 1;
    taken.set(name, number);
    return number === 1 ? name : `${name}_${number}`;
  });
}

function unlessUnique(names: readonly string[], suffix: (index: number) => string): string[] {
  const counts = countOf(names);
  return names.map((name, index) => {
    const more = counts.get(name) === 1 ? '' : suffix(index);
    return more === '' ? name : `${name}_${more}`;
  });
}

function countOf(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

// FNV-1a, 32 bits: enough for a few names, and the same everywhere.
function hashOf({ apiVersion, kind, namespace, name }: ResourceIdentity): string {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode([apiVersion, kind, namespace, name].join('\n'))) {
    hash = Math.imul(hash ^ byte, 0x01000193);
  }
  return (hash >>> 0).toString(16).padStart(8, '0');
}
