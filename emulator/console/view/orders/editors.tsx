// The editors of YAML: the values of the selected package beside the defaults of the chart, its JSON Patch, and the whole Order, with
// problems at their lines.

import { batch, useSignal, useSignalEffect } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { type EditorHelp, type EditorMark, withHint } from '../../../../render/language/help.ts';
import { marksInValues, orderHelp, yamlHelp, yamlMark } from '../../../../render/language/yaml/help.ts';
import {
  type KnownValues,
  knownValuesOfChart,
  knownValuesOfCharts,
} from '../../../../render/language/yaml/known-values.ts';
import { request } from '../../api.ts';
import { loadChartDetails, type ShownChart, toChartRequest } from '../../chart-details.ts';
import {
  type OrderPackage,
  orderJson,
  orderText,
  type PackagePart,
  sameValues,
  setPart,
} from '../../order/document.ts';
import { chosen, marks, orderDraft, orderView, typeOrder, wantedLine } from '../../order/draft.ts';
import { patchOf } from '../../order/fields.ts';
import { Code } from '../code.tsx';
import { useChart, useLoad } from '../load.ts';
import { CopyButton, Empty } from '../parts.tsx';

export function ValuesPane() {
  const index = chosen.value;
  const item = orderView.value.packages[index];
  const { value: chart, fault } = useChart(item);
  const words = useMemo(() => chart && knownValuesOfCharts(chart), [chart]);
  if (!item) return <NoPackage />;
  const release = item.release || item.chart;
  return (
    <div class="values" key={`${index} ${item.chart}`}>
      <div class="values-own">
        <PartEditor index={index} part="values" label={`Values of ${release}`} words={words}>
          Values of <b>{release}</b>
        </PartEditor>
      </div>
      <div class="values-chart">
        <p class="values-head">
          Chart defaults <span class="soft">{chart ? `${chart.name} ${chart.version}` : item.chart}, read-only</span>
        </p>
        {fault === undefined ? (
          <Code label={`values.yaml of ${item.chart}`} text={chart?.values ?? ''} />
        ) : (
          <p class="soft pad">{fault}</p>
        )}
      </div>
    </div>
  );
}

export function NoPackage() {
  const { fault } = orderView.value;
  return (
    <Empty title={fault === undefined ? 'No package selected' : 'The Order is invalid'}>
      {fault === undefined ? 'Select a package to edit its values.' : `Fix it under Order YAML: ${fault}`}
    </Empty>
  );
}

interface PartProps {
  readonly index: number;
  readonly part: 'values' | 'patch';
  readonly label: string;
  /** The line above it while there is no problem; its space is reserved. */
  readonly children?: ComponentChildren;
  readonly words?: KnownValues | undefined;
}

/** An editor for a part of a package, with problems at their places. */
export function PartEditor({ index, part, label, words, children }: PartProps) {
  const shown = useSignal(orderView.value.packages[index]?.[part] ?? '');
  const name: PackagePart = part === 'values' ? 'values' : 'valuesPatch';
  const [fault, setFault] = useState<string>();
  const latest = useRef(shown.peek());
  // Takes over changes made elsewhere; its own are already here. Runs after the next paint: text typed since then, even if invalid, takes
  // precedence.
  useSignalEffect(() => {
    const inOrder = orderView.value.packages[index]?.[part] ?? '';
    if (inOrder === latest.current) return;
    latest.current = inOrder;
    if (sameValues(inOrder, shown.peek())) return;
    shown.value = inOrder;
    setFault(undefined);
  });
  const write = (text: string): void => {
    shown.value = text;
    const written = setPart(orderDraft.peek(), index, { name, text });
    setFault('fault' in written ? written.fault : undefined);
    if (!('text' in written)) return;
    batch(() => {
      typeOrder(written.text, `typing in the ${part} of ${orderView.peek().packages[index]?.release ?? 'a package'}`);
      latest.current = orderView.value.packages[index]?.[part] ?? '';
    });
  };
  const issues = marks.value;
  const place = `spec.packages[${index}].chart.${name}`;
  const faults = useMemo(() => {
    const broken = yamlMark(shown.value);
    return broken ? [broken] : marksInValues(issues, shown.value, place);
  }, [issues, shown.value, place]);
  const help = useMemo(() => words && yamlHelp((path) => ({ words, path })), [words]);
  return (
    <>
      <p
        class="values-head"
        data-fault={fault !== undefined}
        hidden={children === undefined && fault === undefined}
        aria-live="polite"
      >
        {fault === undefined ? children : `${fault} The Order keeps the last valid ${part}.`}
      </p>
      <Code
        label={label}
        text={shown}
        marks={faults}
        words={help ?? (part === 'values' ? noHelp : undefined)}
        onChange={write}
      />
    </>
  );
}

// Until the chart is loaded.
const noHelp: EditorHelp = { complete: () => undefined, describe: () => undefined };

export function PatchPane() {
  const index = chosen.value;
  const item = orderView.value.packages[index];
  const { value: chart } = useChart(item);
  const made = useMemo(() => madeBy(chart?.values, item?.values), [chart, item?.values]);
  if (!item) return <NoPackage />;
  const name = item.release || item.chart;
  return (
    <div class="values">
      <div class="values-own">
        <PartEditor key={`${index}`} index={index} part="patch" label={`Patch of ${name}`}>
          JSON Patch of <b>{name}</b>, applied after its values
        </PartEditor>
      </div>
      <div class="values-chart">
        <div class="values-head values-tools">
          <span>The values as a patch</span>
          <span class="spring" />
          <CopyButton text={JSON.stringify(made, null, 2)} what="Patch" />
        </div>
        <Code label={`The values of ${name} as a patch`} text={made.length === 0 ? '[]\n' : orderText(made)} />
      </div>
    </div>
  );
}

function madeBy(own: string | undefined, over: string | undefined): ReturnType<typeof patchOf> {
  try {
    return patchOf(orderJson(own ?? ''), orderJson(over ?? ''));
  } catch {
    return [];
  }
}

export function OrderEditor() {
  const found = marks.value;
  const help = useOrderHelp();
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

/** Completion and hover help for an Order: members from its schema, and values from the packages' charts. Missing ones are ignored. */
function useOrderHelp(): EditorHelp {
  const { packages } = orderView.value;
  const { value: order } = useLoad('schema', loadOrderWords);
  const { value: charts } = useLoad('charts', () => Promise.all(packages.map(loadChartWords)), packages);
  return useMemo(() => orderHelp({ order: () => order, valuesOf: (index) => charts?.[index] }), [order, charts]);
}

async function loadChartWords(item: OrderPackage): Promise<KnownValues | undefined> {
  return item.chart === '' ? undefined : loadChartDetails(toChartRequest(item)).then(wordsOf, () => undefined);
}

async function loadOrderWords(): Promise<KnownValues> {
  const document = await request<object>('GET', 'api/v1/swagger.v1.json');
  // References are relative to the document.
  return knownValuesOfChart('', { ...document, $ref: '#/components/schemas/CreateOrderOption' });
}

const words = new WeakMap<ShownChart, KnownValues>();

function wordsOf(chart: ShownChart): KnownValues {
  const made = words.get(chart) ?? knownValuesOfCharts(chart);
  words.set(chart, made);
  return made;
}
