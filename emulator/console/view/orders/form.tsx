// The values of the selected package as a form with a field and a description for each value of the chart.

import { signal, useSignal } from '@preact/signals';
import { Fragment } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { knownValuesOfCharts } from '../../../../render/language/yaml/known-values.ts';
import {
  type ChartDetailsRequest,
  chartPath,
  loadChartDetails,
  type ShownChart,
  toChartRequest,
} from '../../chart-details.ts';
import { orderJson, setValueAt } from '../../order/document.ts';
import { chosen, orderDraft, orderView, typeOrder } from '../../order/draft.ts';
import { findFields, nearestField, parseFields, type ValueField, valueAtPath } from '../../order/fields.ts';
import { showMessage } from '../../session.ts';
import { useLoad } from '../load.ts';
import { Empty, SearchField, Select, TextField } from '../parts.tsx';
import { YamlInput } from '../yaml-input.tsx';
import { NoPackage, PartEditor } from './editors.tsx';
import { editorTab, wantedField } from './selection.ts';

// More results would not be useful.
const mostFound = 80;

export function FormPane() {
  const index = chosen.value;
  const item = orderView.value.packages[index];
  const request = item && item.chart !== '' ? toChartRequest(item) : undefined;
  const { value, fault } = useLoad(request ? chartPath(request) : '', request && (() => loadFields(request)));
  const { chart, fields } = value ?? {};
  const own = useMemo(() => valuesOf(item?.values ?? ''), [item?.values]);
  const search = useSignal('');
  const found = fields && search.value.trim() !== '' ? findFields(fields, search.value, mostFound) : undefined;
  const wanted = wantedField.value;
  useEffect(() => {
    if (!wanted || !chart || !fields) return;
    const near = nearestField(fields, wanted);
    // A search stays if it shows the field.
    if (!found?.some(({ path }) => path.join('\n') === near?.join('\n'))) search.value = '';
    if (near === undefined) {
      wantedField.value = undefined;
      editorTab.value = 'values';
      showMessage(
        `values.yaml of ${chart.name} does not list ${wanted.join('.')}, so the form has no field for it. Set it here.`,
      );
    } else if (near.length !== wanted.length) wantedField.value = near;
  }, [wanted, fields]);
  if (!item) return <NoPackage />;
  if (fault !== undefined) return <p class="soft pad">{fault}</p>;
  if (!chart || !fields) return <p class="soft pad">Loading the chart…</p>;
  if (fields.length === 0)
    return <Empty title="No values">The chart has no values for a form. You can set values under Values.</Empty>;
  const context = { index, own };
  return (
    <div class="form">
      <SearchField class="form-search" label="Search values by name or description" text={search} />
      <div class="form-fields" key={`${index} ${item.chart}`}>
        {(found ?? fields).map((field) => (
          <Fragment key={field.path.join('\n')}>
            {field.section === undefined ? undefined : <h3 class="form-section">{field.section}</h3>}
            <Field field={field} context={context} isFlat={found !== undefined} />
          </Fragment>
        ))}
        {found?.length === 0 ? <p class="soft pad">No values found</p> : undefined}
        {found?.length === mostFound ? <p class="soft pad">Only the first {mostFound} are shown</p> : undefined}
      </div>
      <Beside key={`${index} ${item.chart}`} index={index} chart={chart} release={item.release || item.chart} />
    </div>
  );
}

// With enough space, both are open.
const isBeside = signal(innerWidth > 900 && innerHeight >= 800);

/** The YAML written by the form, which can be edited as well. */
function Beside({ index, chart, release }: { index: number; chart: ShownChart; release: string }) {
  const words = useMemo(() => knownValuesOfCharts(chart), [chart]);
  const toggle = (isOpen: boolean): void => {
    isBeside.value = isOpen;
  };
  return (
    <details class="beside" open={isBeside.value} onToggle={(event) => toggle(event.currentTarget.open)}>
      <summary>YAML</summary>
      {isBeside.value ? (
        <div class="beside-editor values-own">
          <PartEditor index={index} part="values" label={`Values of ${release} as YAML`} words={words} />
        </div>
      ) : undefined}
    </details>
  );
}

const read = new WeakMap<ShownChart, readonly ValueField[]>();

async function loadFields(request: ChartDetailsRequest) {
  const chart = await loadChartDetails(request);
  const fields = read.get(chart) ?? (await parseFields(chart, pauses()));
  read.set(chart, fields);
  return { chart, fields };
}

// Maximum blocking time that is not noticeable, in milliseconds.
const longestRead = 8;

function pauses(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < longestRead) return;
    await new Promise((resolve) => setTimeout(resolve, 0));
    since = performance.now();
  };
}

interface Context {
  readonly index: number;
  readonly own: unknown;
}

interface FieldProps {
  readonly field: ValueField;
  readonly context: Context;
  readonly isFlat: boolean;
}

function Field({ field, context, isFlat }: FieldProps) {
  return field.kind === 'group' && !isFlat ? (
    <Group field={field} context={context} />
  ) : (
    <ValueRow field={field} context={context} isFlat={isFlat} />
  );
}

function Group({ field, context }: { readonly field: ValueField; readonly context: Context }) {
  const { path, members, about } = field;
  const isSet = valueAtPath(context.own, path) !== undefined;
  const wanted = wantedField.value;
  const isWanted = wanted !== undefined && path.every((step, at) => wanted[at] === step);
  const [isOpen, setOpen] = useState(isSet || isWanted);
  const head = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!isWanted) return;
    setOpen(true);
    if (wanted.length !== path.length) return;
    head.current?.scrollIntoView({ block: 'center' });
    head.current?.focus();
    wantedField.value = undefined;
  }, [wanted]);
  return (
    <details class="group" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary ref={head}>
        <span class="field-name">{path.at(-1)}</span> {isSet ? <span class="tag">set</span> : undefined}
      </summary>
      {isOpen ? (
        <div class="group-members">
          {about === '' ? undefined : <p class="field-about">{about}</p>}
          {members.map((member) => (
            <Field key={member.path.join('\n')} field={member} context={context} isFlat={false} />
          ))}
        </div>
      ) : undefined}
    </details>
  );
}

function ValueRow({ field, context, isFlat }: FieldProps) {
  const { path, about, own: fallback } = field;
  const set = valueAtPath(context.own, path);
  const isSet = set !== undefined;
  const row = useRef<HTMLDivElement>(null);
  const wanted = wantedField.value;
  useEffect(() => {
    if (wanted?.join('\n') !== path.join('\n')) return;
    row.current?.scrollIntoView({ block: 'center' });
    row.current?.querySelector<HTMLElement>('input, select, textarea')?.focus();
    wantedField.value = undefined;
  }, [wanted]);
  const id = `value-${path.join('.')}`;
  const write = (value: unknown): void =>
    typeOrder(
      setValueAt(orderDraft.peek(), context.index, { path, value }),
      `${value === undefined ? 'reset' : 'set'} ${path.join('.')}`,
    );
  return (
    <div class="value" data-set={isSet} ref={row}>
      <label class="field-name" for={id}>
        {isFlat ? path.join('.') : path.at(-1)}
      </label>
      <Input id={id} field={field} value={isSet ? set : fallback} onWrite={write} />
      {isSet ? (
        <button type="button" class="link" onClick={() => write(undefined)} aria-label={`Reset ${path.join('.')}`}>
          Reset
        </button>
      ) : undefined}
      {about === '' ? undefined : <p class="field-about">{about}</p>}
    </div>
  );
}

interface InputProps {
  readonly id: string;
  readonly field: ValueField;
  readonly value: unknown;
  readonly onWrite: (value: unknown) => void;
}

function Input({ id, field, value, onWrite }: InputProps) {
  if (field.kind === 'boolean') {
    return (
      <input
        id={id}
        type="checkbox"
        checked={value === true}
        onChange={(event) => onWrite(event.currentTarget.checked)}
      />
    );
  }
  if (field.kind === 'choice') {
    const text = String(value ?? '');
    // A value that is not among the choices is shown as an empty one.
    const other = field.choices.includes(text) ? [] : [[text, ''] as const];
    return <Select id={id} value={text} options={[...other, ...field.choices]} onChoose={onWrite} />;
  }
  if (field.kind === 'yaml' || (typeof value === 'object' && value !== null)) {
    return <YamlInput id={id} value={value} onWrite={onWrite} />;
  }
  const isNumber = field.kind === 'number';
  const write = (text: string): void => {
    if (text === String(value ?? '')) return;
    onWrite(isNumber && text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text);
  };
  return <TextField id={id} isNumber={isNumber} appliesTyping value={String(value ?? '')} onWrite={write} />;
}

function valuesOf(text: string): unknown {
  try {
    return orderJson(text) ?? {};
  } catch {
    return {};
  }
}
