// HelmReleases of Flux, each after those it depends on, with the addresses of the repositories beside them.
// Mirrors: fluxcd, helm-controller, api/v2, `HelmReleaseSpec`; source-controller, api/v1, `HelmRepositorySpec`.

import type { SourceInput } from '../../order/document.ts';
import type { JsonObject } from '../../order/order.ts';
import {
  type ImportedPackage,
  inOrder,
  leftOut,
  listAt,
  objectAt,
  objectsIn,
  present,
  sourceOf,
  textAt,
  unread,
} from './members.ts';

/** Gives the packages of the HelmReleases among documents. */
export function importHelmReleases(documents: readonly JsonObject[]): ImportedPackage[] {
  const releases = documents.filter(
    (document) =>
      textAt(document, 'kind') === 'HelmRelease' &&
      textAt(document, 'apiVersion').startsWith('helm.toolkit.fluxcd.io/'),
  );
  const needs = (release: JsonObject): string[] =>
    objectsIn(listAt(objectAt(release, 'spec'), 'dependsOn')).map(
      (other) => `${textAt(other, 'namespace') || idOf(release).split('/')[0]}/${textAt(other, 'name')}`,
    );
  return inOrder(releases, idOf, needs).map((release) => importRelease(release, documents));
}

function idOf(document: JsonObject): string {
  const metadata = objectAt(document, 'metadata');
  return `${textAt(metadata, 'namespace')}/${textAt(metadata, 'name')}`;
}

function importRelease(release: JsonObject, documents: readonly JsonObject[]): ImportedPackage {
  const spec = objectAt(release, 'spec');
  const metadata = objectAt(release, 'metadata');
  const chart = objectAt(objectAt(spec, 'chart'), 'spec');
  const reference =
    Object.keys(objectAt(spec, 'chartRef')).length > 0 ? objectAt(spec, 'chartRef') : objectAt(chart, 'sourceRef');
  const left: string[] = [];
  const source = findSource(reference, textAt(metadata, 'namespace'), documents);
  const asked = textAt(chart, 'chart');
  const isPath = textAt(reference, 'kind') === 'GitRepository' || textAt(reference, 'kind') === 'Bucket';
  if (isPath) left.push(`${asked} is a path of ${textAt(reference, 'kind')} ${textAt(reference, 'name')}`);
  if (listAt(spec, 'valuesFrom').length > 0) left.push('valuesFrom is left out: the cluster holds those values');
  const files = listAt(chart, 'valuesFiles')
    .map(String)
    .filter((file) => file !== 'values.yaml' && !file.endsWith('/values.yaml'));
  if (files.length > 1) left.push(`of its values files only ${files[0]} is named`);
  if (listAt(spec, 'postRenderers').length > 0) left.push('postRenderers are left out');
  if (spec.suspend === true) left.push('it is suspended there, and a package here all the same');
  left.push(...leftOut(unreadOf(spec, chart, source)));
  const own = textAt(metadata, 'name');
  const target = textAt(spec, 'targetNamespace');
  const prefix = isPath ? `${asked}/` : '';
  const [address, tag] = ociOf(source);
  return {
    chart: present({
      name: asked === '' ? (address.split('/').pop() ?? '') : (asked.split('/').pop() ?? ''),
      sourceRef: sourceRefOf(),
      version: textAt(chart, 'version') || tag,
      // Flux puts the target's namespace in front where no name is given.
      releaseName: textAt(spec, 'releaseName') || (target === '' ? own : `${target}-${own}`),
      namespace: target || textAt(metadata, 'namespace') || 'default',
      valuesFile: (files[0] ?? '').startsWith(prefix) ? (files[0] ?? '').slice(prefix.length) : (files[0] ?? ''),
      values: objectAt(spec, 'values'),
    }),
    left,
    unknown: asked === '' && address === '' ? whyUnknown(reference) : undefined,
  };

  function sourceRefOf(): SourceInput {
    if (isPath) return { kind: 'Local', name: asked.replace(/^(?:\.\/)+/, '') };
    if (asked === '') return sourceOf(address.slice(0, address.lastIndexOf('/')), true);
    const url = textAt(objectAt(source ?? {}, 'spec'), 'url');
    if (url !== '') return sourceOf(url);
    return present({
      kind: 'HelmRepository' as const,
      name: textAt(reference, 'name'),
      namespace: textAt(reference, 'namespace'),
    });
  }
}

// How often Flux looks at a release and its chart says nothing about what is installed.
function unreadOf(spec: JsonObject, chart: JsonObject, source: JsonObject | undefined): string[] {
  const own = ['chart', 'chartRef', 'releaseName', 'targetNamespace', 'values', 'valuesFrom', 'postRenderers'];
  const sections = ['install', 'upgrade'];
  const origin = objectAt(source ?? {}, 'spec');
  return [
    ...unread(spec, [...own, ...sections, 'dependsOn', 'interval', 'suspend']),
    ...sections.flatMap((name) => unread(objectAt(spec, name), ['createNamespace'], name)),
    ...unread(chart, ['chart', 'version', 'sourceRef', 'valuesFiles', 'interval'], 'chart.spec'),
    ...unread(origin, ['url', 'type', 'interval', 'ref', 'layerSelector'], 'source'),
    ...(textAt(source ?? {}, 'kind') === 'OCIRepository'
      ? unread(objectAt(origin, 'ref'), ['tag', 'semver'], 'ref')
      : []),
  ];
}

function whyUnknown(reference: JsonObject): string {
  const [kind, name] = [textAt(reference, 'kind'), textAt(reference, 'name')];
  return name === ''
    ? 'it names no chart: it may change another file'
    : `it names ${kind} ${name}, which is not among the files`;
}

function findSource(reference: JsonObject, home: string, documents: readonly JsonObject[]): JsonObject | undefined {
  const named = documents.filter(
    (document) =>
      textAt(document, 'kind') === textAt(reference, 'kind') &&
      textAt(objectAt(document, 'metadata'), 'name') === textAt(reference, 'name'),
  );
  const id = `${textAt(reference, 'namespace') || home}/${textAt(reference, 'name')}`;
  // Files often leave it to the one who applies them in which namespace they are.
  return named.find((document) => idOf(document) === id) ?? named.find((document) => idOf(document).startsWith('/'));
}

// An OCIRepository is the chart itself: its address ends in the chart's name.
function ociOf(source: JsonObject | undefined): readonly [address: string, version: string] {
  const spec = objectAt(source ?? {}, 'spec');
  const ref = objectAt(spec, 'ref');
  return [textAt(spec, 'url').replace(/^oci:\/\//, ''), textAt(ref, 'semver') || textAt(ref, 'tag')];
}
