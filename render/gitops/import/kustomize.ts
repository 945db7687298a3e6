// The charts of a kustomization, in the order in which they stand there.
// Mirrors: kustomize, api/types, helmchartargs.go, `HelmChart`, v5.6.

import type { JsonObject } from '../../order/order.ts';
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
  withFileLeftOut,
} from './members.ts';

const chartMembers = [
  'name',
  'repo',
  'version',
  'releaseName',
  'namespace',
  'valuesInline',
  'valuesFile',
  'additionalValuesFiles',
  'includeCRDs',
];

/** Gives the packages of a kustomization; none of another document. */
export function importKustomization(document: JsonObject): ImportedPackage[] {
  if (!Array.isArray(document.helmCharts) || (document.kind ?? 'Kustomization') !== 'Kustomization') return [];
  const home = textAt(objectAt(document, 'helmGlobals'), 'chartHome') || 'charts';
  const own = ['apiVersion', 'kind', 'metadata', 'helmCharts', 'helmGlobals', 'namespace'];
  const packages = objectsIn(listAt(document, 'helmCharts')).map((entry) => {
    const left: string[] = [];
    const repo = textAt(entry, 'repo');
    const name = textAt(entry, 'name');
    const files = [textAt(entry, 'valuesFile'), ...listAt(entry, 'additionalValuesFiles').map(String)].filter(Boolean);
    for (const file of files) left.push(`the values file ${file} is left out: lay it over the values`);
    left.push(...leftOut(unread(entry, chartMembers)));
    return {
      chart: present({
        name,
        sourceRef:
          repo === '' ? { kind: 'Local' as const, name: home === '.' ? name : `${home}/${name}` } : sourceOf(repo),
        version: textAt(entry, 'version'),
        releaseName: textAt(entry, 'releaseName') || name,
        namespace: textAt(entry, 'namespace') || textAt(document, 'namespace') || 'default',
        values: objectAt(entry, 'valuesInline'),
      }),
      left,
    };
  });
  return withFileLeftOut(packages, unread(document, own));
}
