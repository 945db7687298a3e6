// The helmCharts of a kustomization.
// Mirrors: sigs.k8s.io/kustomize, api/types/helmchartargs.go; api/internal/builtins/HelmChartInflationGenerator.go, v5.7.

import type { JsonObject } from '../../order/order.ts';
import { type FoundRelease, Notes } from './found.ts';
import { objectAt, objectsAt, overlay, present, sourceOf, textAt, textsAt, unread, valuesOfText } from './members.ts';
import { type FileTree, resolvePath } from './tree.ts';

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
  'valuesMerge',
];

/** Returns the charts that a kustomization inflates, in order. */
export function helmChartsOf(
  kustomization: JsonObject,
  file: string,
  { folder, tree }: { readonly folder: string; readonly tree: FileTree },
): FoundRelease[] {
  const home = textAt(objectAt(kustomization, 'helmGlobals'), 'chartHome') || 'charts';
  const changing = [
    'patches',
    'patchesStrategicMerge',
    'patchesJson6902',
    'namePrefix',
    'nameSuffix',
    'commonLabels',
    'labels',
    'commonAnnotations',
    'images',
    'replicas',
    'replacements',
    'transformers',
    'components',
  ];
  const outer = changing.filter((key) => unread(kustomization, []).includes(key));
  return objectsAt(kustomization, 'helmCharts').map((entry, index) => {
    const at = `helmCharts[${index}]`;
    const notes = new Notes(file);
    const [repo, name] = [textAt(entry, 'repo'), textAt(entry, 'name')];
    const path = repo === '' ? (resolvePath(folder, `${home}/${name}`) ?? `${home}/${name}`) : '';
    notes.unread(entry, at, chartMembers);
    for (const key of outer) notes.add(key, 'is not applied to what the chart renders');
    const read = (item: string): JsonObject => {
      const text = tree.read(resolvePath(folder, item) ?? '');
      const values = text === undefined ? undefined : valuesOfText(text);
      if (values === undefined) notes.add(at, `the values file ${item} is not a YAML mapping of the repository`);
      return values ?? {};
    };
    const merge = textAt(entry, 'valuesMerge') || 'override';
    const first = textAt(entry, 'valuesFile');
    let values = objectAt(entry, 'valuesInline');
    if (first !== '' && merge === 'override') values = overlay(read(first), values);
    else if (first !== '' && merge === 'merge') values = overlay(values, read(first));
    else if (merge !== 'override') notes.add(`${at}.valuesMerge`, "puts the chart's own values over these");
    for (const item of textsAt(entry, 'additionalValuesFiles')) values = overlay(values, read(item));
    return {
      origin: `helmCharts ${textAt(entry, 'releaseName') || name}`,
      file,
      chart: present({
        name,
        sourceRef: repo === '' ? { kind: 'Local' as const, name: path } : sourceOf(repo),
        version: textAt(entry, 'version'),
        releaseName: textAt(entry, 'releaseName') || name,
        namespace: textAt(entry, 'namespace') || textAt(kustomization, 'namespace') || 'default',
        values,
      }),
      notes: notes.list,
      skipped: name === '' ? 'it names no chart' : undefined,
    };
  });
}
