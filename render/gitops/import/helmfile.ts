// A helmfile: its releases, each after those it needs.
// Mirrors: helmfile, docs/index.md, "Configuration", v1.

import type { SourceInput } from '../../order/document.ts';
import type { JsonObject, JsonValue } from '../../order/order.ts';
import { isObject } from '../../order/shape.ts';
import {
  type ImportedPackage,
  inOrder,
  leftOut,
  listAt,
  objectAt,
  objectsIn,
  overlay,
  present,
  sourceOf,
  textAt,
  unread,
  withFileLeftOut,
  withSet,
} from './members.ts';

/** Gives the packages of a helmfile; none of another document. */
export function importHelmfile(document: JsonObject): ImportedPackage[] {
  if (document.apiVersion !== undefined || !Array.isArray(document.releases)) return [];
  const repositories = new Map(
    objectsIn(listAt(document, 'repositories')).map((entry) => [textAt(entry, 'name'), entry]),
  );
  const defaults = objectAt(document, 'helmDefaults');
  const releases = objectsIn(listAt(document, 'releases'));
  const homeOf = (release: JsonObject): string =>
    textAt(release, 'namespace') || textAt(defaults, 'namespace') || 'default';
  const ids = (release: JsonObject): string => `${homeOf(release)}/${textAt(release, 'name')}`;
  const needs = (release: JsonObject): string[] =>
    listAt(release, 'needs').map((need) => {
      // Perhaps with a context in front, perhaps the name alone.
      const words = String(need).split('/');
      return words.length === 1 ? `${homeOf(release)}/${words[0]}` : words.slice(-2).join('/');
    });
  const packages = inOrder(releases, ids, needs).map((release) =>
    importRelease(release, homeOf(release), repositories),
  );
  return withFileLeftOut(packages, [
    ...unread(document, ['repositories', 'releases', 'helmDefaults', 'bases']),
    ...unread(defaults, ['namespace', 'createNamespace'], 'helmDefaults'),
  ]);
}

function importRelease(
  release: JsonObject,
  namespace: string,
  repositories: ReadonlyMap<string, JsonObject>,
): ImportedPackage {
  const left: string[] = [];
  const { chart, tag, digest } = chartIn(textAt(release, 'chart'), textAt(release, 'version'));
  if (digest !== '') left.push(`the digest ${digest} of its chart is left out: drydock vendor pins charts`);
  const unknown = release.installed === false ? 'it is not to be installed' : whyUnknown(chart);
  const read = ['name', 'namespace', 'chart', 'version', 'values', 'set', 'setString', 'needs', 'labels'];
  const isPlain = typeof release.installed !== 'string';
  left.push(...leftOut(unread(release, [...read, 'createNamespace', ...(isPlain ? ['installed'] : [])])));
  return {
    chart: present({
      name: unknown === undefined ? (chart.replace(/\/+$/, '').split('/').pop() ?? '') : '',
      sourceRef: sourceRefOf(chart, repositories),
      version: tag,
      releaseName: textAt(release, 'name'),
      namespace,
      values: valuesOf(release, left),
    }),
    left,
    unknown,
  };
}

// A chart of a registry may name its version and digest, and so may the version.
function chartIn(
  reference: string,
  version: string,
): { readonly chart: string; readonly tag: string; readonly digest: string } {
  const isOci = reference.startsWith('oci://');
  const [, chart = reference, ownTag = '', ownDigest = ''] =
    (isOci ? /^(.*?)(?::([^/:@]+))?(?:@([a-z0-9]+:[0-9a-f]+))?$/.exec(reference) : null) ?? [];
  const [, tag = version, digest = ''] = /^(.*?)(?:@([a-z0-9]+:[0-9a-f]+))?$/.exec(version) ?? [];
  return { chart, tag: tag || ownTag, digest: digest || ownDigest };
}

function whyUnknown(chart: string): string | undefined {
  if (chart === '') return 'it names no chart: what bases and templates of a helmfile give is not read';
  if (/^(?:git|s3|github|https?)(?:::|\+)|\?ref=/.test(chart))
    return `${chart} is fetched from git, which an Order cannot name`;
  return /^[./]*$/.test(chart) ? `its chart is the folder ${chart}: name it from the folder above` : undefined;
}

function sourceRefOf(chart: string, repositories: ReadonlyMap<string, JsonObject>): SourceInput {
  if (chart.startsWith('oci://')) return sourceOf(chart.slice(0, chart.lastIndexOf('/')));
  const [first = '', ...rest] = chart.split('/');
  const repository = repositories.get(first);
  if (repository !== undefined && rest.length > 0) return sourceOf(textAt(repository, 'url'), repository.oci === true);
  if (/^\.{0,2}\//.test(chart) || rest.length !== 1) return { kind: 'Local', name: chart.replace(/^(?:\.\/)+/, '') };
  return { kind: 'HelmRepository', name: first };
}

function valuesOf(release: JsonObject, left: string[]): JsonObject {
  let values: JsonObject = {};
  for (const layer of listAt(release, 'values')) {
    if (isObject(layer)) values = overlay(values, layer);
    else left.push(`the values file ${String(layer)} is left out: lay it over the values`);
  }
  for (const [key, isText] of [
    ['set', false],
    ['setString', true],
  ] as const) {
    for (const entry of objectsIn(listAt(release, key))) {
      const set = withSet(values, [textAt(entry, 'name'), settingOf(entry)], isText);
      if (set === undefined) left.push(`what it sets as ${textAt(entry, 'name')} is left out`);
      else values = set;
    }
  }
  return values;
}

function settingOf(entry: JsonObject): string {
  const several = listAt(entry, 'values');
  if (several.length > 0) return `{${several.map(String).join(',')}}`;
  const value: JsonValue | undefined = entry.value;
  return value === undefined || value === null ? '' : String(value);
}
