// The values of the chosen package as text: what is laid over those of the chart, beside what the chart has.

import { useSignal, useSignalEffect } from '@preact/signals';
import { useState } from 'preact/hooks';
import { sameValues, setPatch, setValues } from '../../order/document.ts';
import { chosen, orderDraft, orderView } from '../../order/draft.ts';
import { Code } from '../code.tsx';
import { Empty, Fault } from '../parts.tsx';
import { useChart } from './chart.ts';

/** The editor of values, and the chart's own below it. */
export function ValuesPane() {
  const index = chosen.value;
  const item = orderView.value.packages[index];
  const { chart, fault } = useChart(item);
  if (!item) return <NoPackage />;
  const release = item.release || item.chart;
  return (
    <div class="values" key={`${index} ${item.chart}`}>
      <div class="values-own">
        <p class="values-head">
          Laid over the chart's values for <b>{release}</b>
        </p>
        <PartEditor index={index} part="values" label={`Values of ${release}`} />
      </div>
      <div class="values-chart">
        <p class="values-head">
          The chart's own <span class="soft">{chart ? `${chart.name} ${chart.version}` : item.chart}, for reading</span>
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

/** What stands in place of a package's values where there is none. */
export function NoPackage() {
  const { fault } = orderView.value;
  return (
    <Empty title={fault === undefined ? 'No package is chosen' : 'The Order cannot be read'}>
      <p>
        {fault === undefined
          ? 'Choose one above: its values are written here.'
          : `Mend it under “Whole Order”: ${fault}`}
      </p>
    </Empty>
  );
}

interface PartProps {
  readonly index: number;
  readonly part: 'values' | 'patch';
  readonly label: string;
}

/** An editor of one part of a package. */
export function PartEditor({ index, part, label }: PartProps) {
  const shown = useSignal(orderView.value.packages[index]?.[part] ?? '');
  const [fault, setFault] = useState<string>();
  // What was written elsewhere comes here; what was written here is there already. A text at fault is not taken from who writes it.
  useSignalEffect(() => {
    const inOrder = orderView.value.packages[index]?.[part] ?? '';
    if (!sameValues(inOrder, shown.peek())) shown.value = inOrder;
  });
  const write = (text: string): void => {
    shown.value = text;
    const written = (part === 'values' ? setValues : setPatch)(orderDraft.peek(), index, text);
    setFault('fault' in written ? written.fault : undefined);
    if ('text' in written) orderDraft.value = written.text;
  };
  return (
    <>
      {fault === undefined ? undefined : (
        <Fault message={fault} mend={`The Order keeps the last ${part} that could be read.`} />
      )}
      <Code label={label} text={shown} onChange={write} />
    </>
  );
}
