// The whole Order as text, with problems at their lines.

import { signal } from '@preact/signals';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { type EditorHelp, type EditorMark, withHint } from '../../../../render/language/help.ts';
import { orderHelp } from '../../../../render/language/yaml/help.ts';
import {
  type KnownValues,
  knownValuesOfChart,
  knownValuesOfCharts,
} from '../../../../render/language/yaml/known-values.ts';
import { isSchema } from '../../../../render/language/yaml/parts.ts';
import { request } from '../../api.ts';
import { chartPath, loadChartDetails, type ShownChart, toChartRequest } from '../../chart-details.ts';
import { marks, orderDraft, orderView, typeOrder, wantedLine } from '../../order/draft.ts';
import { Code } from '../code.tsx';

/** The editor of the Order. */
export function OrderEditor() {
  const found = marks.value;
  const { packages } = orderView.value;
  useEffect(prepareOrderHelp, [packages]);
  const shown = useMemo(
    () =>
      found.flatMap(({ line, column = 1, message, hint, severity }): EditorMark[] =>
        line === undefined ? [] : [{ line, column, severity, message: withHint(message, hint) }],
      ),
    [found],
  );
  const wanted = wantedLine.value;
  const [line, setLine] = useState<{ readonly line: number; readonly focus: boolean }>();
  // A request is handled once.
  useEffect(() => {
    if (!wanted) return;
    setLine({ line: wanted.line, focus: true });
    wantedLine.value = undefined;
  }, [wanted]);
  return (
    <Code
      label="The Order as YAML"
      text={orderDraft}
      marks={shown}
      words={help}
      line={line}
      onChange={(text) => typeOrder(text, 'typing')}
    />
  );
}

// Completion and hover help for an Order: members from its schema, and values from the package's chart.

const ofOrder = signal<KnownValues | undefined>(undefined);
const ofCharts = new WeakMap<ShownChart, KnownValues>();
const known = new Map<string, ShownChart>();

/** The help of the editor, with everything loaded so far. */
const help: EditorHelp = orderHelp({
  order: () => ofOrder.peek(),
  valuesOf: (index) => {
    const item = orderView.peek().packages[index];
    const found = item && known.get(chartPath(toChartRequest(item)));
    return found && wordsOf(found);
  },
});

/** Loads the schema and charts for the help of the current Order. Missing ones are ignored. */
function prepareOrderHelp(): void {
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
