// Completion and hover help for an Order: members from its schema, and values from the package's chart.

import { signal } from '@preact/signals';
import type { EditorHelp } from '../../../render/language/help.ts';
import {
  type KnownValues,
  knownValuesOfChart,
  knownValuesOfCharts,
} from '../../../render/language/yaml/known-values.ts';
import { orderHelp } from '../../../render/language/yaml/order.ts';
import { isSchema } from '../../../render/language/yaml/parts.ts';
import { request } from '../api.ts';
import { chartPath, loadChartDetails, type ShownChart, toChartRequest } from '../chart-details.ts';
import { orderView } from './draft.ts';

const ofOrder = signal<KnownValues | undefined>(undefined);
const ofCharts = new WeakMap<ShownChart, KnownValues>();
const known = new Map<string, ShownChart>();

/** The help of the editor, with everything loaded so far. */
export const help: EditorHelp = orderHelp({
  order: () => ofOrder.peek(),
  valuesOf: (index) => {
    const item = orderView.peek().packages[index];
    const found = item && known.get(chartPath(toChartRequest(item)));
    return found && wordsOf(found);
  },
});

/** Loads the schema and charts for the help of the current Order. Missing ones are ignored. */
export function prepareOrderHelp(): void {
  for (const item of orderView.peek().packages) {
    if (item.chart === '') continue;
    const request = toChartRequest(item);
    loadChartDetails(request).then(
      (found) => known.set(chartPath(request), found),
      () => undefined,
    );
  }
  if (ofOrder.peek() !== undefined) return;
  request<object>('GET', 'api/v1/swagger.v1.json').then(
    (document) => {
      // References are relative to the document.
      const schema = { ...document, $ref: '#/components/schemas/CreateOrderOption' };
      if (isSchema(schema)) ofOrder.value = knownValuesOfChart('', schema);
    },
    () => undefined,
  );
}

function wordsOf(chart: ShownChart): KnownValues {
  const made = ofCharts.get(chart) ?? knownValuesOfCharts(chart);
  ofCharts.set(chart, made);
  return made;
}
