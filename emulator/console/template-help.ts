// Hover texts for values in templates.

import type { EditorHelp } from '../../render/language/help.ts';
import { valueCard } from '../../render/language/yaml/help.ts';
import { type ChartValues, knownValuesOfCharts } from '../../render/language/yaml/known-values.ts';

/** Describes the hovered value, such as `image` or `image.tag` in `.Values.image.tag`, from the chart's values and schema. */
export function valuesInTemplates(chart: ChartValues): EditorHelp {
  const values = knownValuesOfCharts(chart);
  return {
    complete: () => undefined,
    describe: (text, at) => {
      const start = text.lastIndexOf('\n', at - 1) + 1;
      const [line = ''] = text.slice(start).split('\n', 1);
      for (const { 0: whole, index } of line.matchAll(/\.Values(?:\.[A-Za-z_]\w*)+/g)) {
        const [from, to] = [start + index + '.Values.'.length, start + index + whole.length];
        if (at < from || at > to) continue;
        const rest = text.slice(at, to);
        const end = at + (rest.includes('.') ? rest.indexOf('.') : rest.length);
        const path = text.slice(from, end).split('.');
        const known = values.known(path);
        return known && { from, to: end, card: valueCard(known, path) };
      }
      return undefined;
    },
  };
}
