// Applications of Argo CD, in the order of their sync waves.
// Mirrors: argo-cd, pkg/apis/application/v1alpha1, types.go, `ApplicationSource`, v2.14.

import type { JsonObject } from '../../order/order.ts';
import { isObject } from '../../order/shape.ts';
import {
  type ImportedPackage,
  leftOut,
  listAt,
  objectAt,
  objectsIn,
  present,
  sourceOf,
  textAt,
  unread,
  valuesOfText,
  withSet,
} from './members.ts';

const waveAnnotation = 'argocd.argoproj.io/sync-wave';

/** Gives the packages of the Applications among documents. */
export function importApplications(documents: readonly JsonObject[]): ImportedPackage[] {
  return documents
    .filter(
      (document) =>
        textAt(document, 'kind') === 'Application' && textAt(document, 'apiVersion').startsWith('argoproj.io/'),
    )
    .map((document) => ({
      document,
      wave: Number(textAt(objectAt(objectAt(document, 'metadata'), 'annotations'), waveAnnotation)) || 0,
    }))
    .sort((a, b) => a.wave - b.wave)
    .flatMap(({ document }) => importApplication(document));
}

function importApplication(document: JsonObject): ImportedPackage[] {
  const spec = objectAt(document, 'spec');
  const several = objectsIn(listAt(spec, 'sources'));
  const sources = several.length === 0 ? [objectAt(spec, 'source')] : several;
  return sources
    .filter((source) => textAt(source, 'chart') !== '' || textAt(source, 'path') !== '')
    .map((source) => importSource(document, source, several.length > 1));
}

function importSource(document: JsonObject, source: JsonObject, isOneOfSeveral: boolean): ImportedPackage {
  const helm = objectAt(source, 'helm');
  const isChart = textAt(source, 'chart') !== '' || isObject(source.helm);
  const name = textAt(source, 'chart');
  const path = textAt(source, 'path');
  const left: string[] = [];
  if (isOneOfSeveral) left.push('it has several sources; each that is a chart became a package');
  const address = textAt(source, 'repoURL');
  const version = name === '' ? '' : textAt(source, 'targetRevision');
  const files = listAt(helm, 'valueFiles').map(String);
  const [valuesFile = '', ...more] = files.filter((file) => !liesOutside(file));
  for (const file of files.filter(liesOutside))
    left.push(`the values file ${file} is left out: lay it over the values`);
  if (more.length > 0) left.push(`of its values files only ${valuesFile} is named`);
  if (listAt(helm, 'fileParameters').length > 0) left.push('fileParameters are left out');
  const revision = textAt(source, 'targetRevision');
  if (name === '') left.push(`${path} is a path of ${address}${revision === '' ? '' : ` at ${revision}`}`);
  left.push(...leftOut(unreadOf(objectAt(document, 'spec'), source, helm)));
  const isSchemeless = !/^[a-z]+:\/\//i.test(address);
  return {
    chart: present({
      name: isChart ? name || (path.split('/').pop() ?? '') : '',
      sourceRef: name === '' ? { kind: 'Local' as const, name: path } : sourceOf(address, isSchemeless),
      version: version === '*' ? '' : version,
      releaseName: textAt(helm, 'releaseName') || textAt(objectAt(document, 'metadata'), 'name'),
      namespace: textAt(objectAt(objectAt(document, 'spec'), 'destination'), 'namespace') || 'default',
      valuesFile,
      values: valuesOf(helm, left),
    }),
    left,
    unknown: isChart ? undefined : `nothing says that ${path} is a chart rather than manifests: it has no helm section`,
  };
}

// Our scripts make namespaces and apply on the server, too; projects and versions of Helm say nothing about what is installed.
function unreadOf(spec: JsonObject, source: JsonObject, helm: JsonObject): string[] {
  const { server, name } = objectAt(spec, 'destination');
  const isHere = server === undefined || server === 'https://kubernetes.default.svc';
  const sync = objectAt(spec, 'syncPolicy');
  const read = ['valueFiles', 'values', 'valuesObject', 'parameters', 'fileParameters', 'releaseName', 'version'];
  const options = listAt(sync, 'syncOptions').map(String);
  return [
    ...unread(spec, ['project', 'source', 'sources', 'destination', 'syncPolicy']),
    ...(isHere ? [] : ['destination.server']),
    ...(name === undefined || name === '' || name === 'in-cluster' ? [] : ['destination.name']),
    ...unread(sync, ['syncOptions'], 'syncPolicy'),
    ...options.filter((option) => !/^(?:CreateNamespace|ServerSideApply)=true$/.test(option)),
    ...unread(source, ['chart', 'path', 'repoURL', 'targetRevision', 'helm', 'ref'], 'source'),
    ...unread(helm, read, 'helm'),
  ];
}

// A file of another source (`$name/…`), of another folder of the repository, or of the web.
function liesOutside(file: string): boolean {
  return /^(?:\$|\/|[a-z]+:\/\/)|(?:^|\/)\.\.(?:\/|$)/.test(file);
}

// The object stands in place of the text, and single parameters over either.
// Mirrors: argo-cd, pkg/apis/application/v1alpha1, values.go, `ValuesYAML`, v2.14.
function valuesOf(helm: JsonObject, left: string[]): JsonObject {
  const text = isObject(helm.valuesObject) ? '' : textAt(helm, 'values');
  const fromText = text === '' ? {} : valuesOfText(text);
  if (fromText === undefined) left.push('its values are no YAML map and are left out');
  let values = isObject(helm.valuesObject) ? helm.valuesObject : (fromText ?? {});
  for (const parameter of objectsIn(listAt(helm, 'parameters'))) {
    const pair = [textAt(parameter, 'name'), textAt(parameter, 'value')] as const;
    const set = withSet(values, pair, parameter.forceString === true);
    if (set === undefined) left.push(`the parameter ${pair[0]} is left out`);
    else values = set;
  }
  return values;
}
