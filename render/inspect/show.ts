// `helm show`: the content of a chart.
// Mirrors: helm.sh/helm/v3/pkg/action, show.go, v3.17.3; helm.sh/helm/v4/pkg/action, show.go, v4.2.3.

import { type Chart, crdFiles } from '../chart/chart.ts';
import { emitYaml } from '../codec/yaml/emit.ts';
import { metadataJson } from '../engine/objects.ts';
import { decodeUtf8 } from '../go/utf8.ts';
import type { Helm } from '../helm/helm.ts';

/** The parts of a chart that can be shown. */
export const shownParts = ['all', 'chart', 'crds', 'readme', 'values'] as const;

/** A part of a chart that can be shown. */
export type ShownPart = (typeof shownParts)[number];

const readmes = ['readme.md', 'readme.txt', 'readme'];

/** Returns what `helm show` prints for a chart. */
export function showPart(chart: Chart, part: ShownPart, helm: Helm): string {
  const isAll = part === 'all';
  const shows = (wanted: ShownPart): boolean => isAll || part === wanted;
  const separator = isAll ? '---\n' : '';
  let text = shows('chart') ? `${emitYaml(metadataJson(chart.metadata), helm.codec.yamlKeys)}\n` : '';
  if (shows('values') && chart.valuesData !== undefined) text += `${separator}${decodeUtf8(chart.valuesData)}\n`;
  const readme = chart.files.find(({ name }) => readmes.includes(name.toLowerCase()));
  if (shows('readme') && readme !== undefined) text += `${separator}${decodeUtf8(readme.data)}\n`;
  return shows('crds') ? text + showCrds(chart, isAll, helm) : text;
}

function showCrds(chart: Chart, isAll: boolean, { show }: Helm): string {
  return crdFiles(chart)
    .map(({ data }, i) => {
      const text = decodeUtf8(data);
      const isStarted = show.separatesCrds || (isAll && i === 0);
      return `${isStarted && !text.startsWith('---') ? '---\n' : ''}${text}\n`;
    })
    .join('');
}
