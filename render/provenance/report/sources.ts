// The files that explanations refer to: templates and values files of a chart and its sub-charts.

import { type Chart, childPath } from '../../chart/chart.ts';
import { decodeUtf8 } from '../../go/utf8.ts';

/** Returns the templates and values files of a chart and its sub-charts by their names in explanations. */
export function chartTexts(chart: Chart, folder: string = chart.metadata.name): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  const visit = (one: Chart, path: string): void => {
    for (const { name, data } of one.templates) texts.set(`${path}/${name}`, decodeUtf8(data));
    for (const { name, data } of one.files) if (/\.ya?ml$/.test(name)) texts.set(`${path}/${name}`, decodeUtf8(data));
    if (one.dependenciesData !== undefined)
      texts.set(`${path}/${one.dependenciesData.name}`, decodeUtf8(one.dependenciesData.data));
    if (one.valuesData !== undefined) texts.set(`${path}/values.yaml`, decodeUtf8(one.valuesData));
    for (const child of one.children) visit(child, childPath(path, child));
  };
  visit(chart, folder);
  return texts;
}
