// The values of the chosen package: what is laid over those of the chart, beside what the chart has.

import { useSignal, useSignalEffect } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { sameValues, setValues } from '../../order/document.ts';
import { chosen, orderDraft, orderView } from '../../order/draft.ts';
import { chartOf, type ShownChart } from '../../shelf.ts';
import { Code } from '../code.tsx';
import { Empty, Fault } from '../parts.tsx';
import { wordsOf } from './actions.ts';

/** The editor of values, and the chart's own below it. */
export function ValuesPane() {
  const index = chosen.value;
  const { packages, fault } = orderView.value;
  const item = packages[index];
  if (!item) {
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
  return <Values key={`${index} ${item.chart}`} index={index} />;
}

function Values({ index }: { readonly index: number }) {
  const item = orderView.value.packages[index];
  const shown = useSignal(item?.values ?? '');
  const [fault, setFault] = useState<string>();
  // What was written elsewhere comes here; what was written here is there already. A text at fault is not taken from who writes it.
  useSignalEffect(() => {
    const inOrder = orderView.value.packages[index]?.values ?? '';
    if (!sameValues(inOrder, shown.peek())) shown.value = inOrder;
  });
  const write = (text: string): void => {
    shown.value = text;
    const written = setValues(orderDraft.peek(), index, text);
    setFault('fault' in written ? written.fault : undefined);
    if ('text' in written) orderDraft.value = written.text;
  };
  const release = item?.release || item?.chart || '';
  return (
    <div class="values">
      <div class="values-own">
        <p class="values-head">
          Laid over the chart's values for <b>{release}</b>
        </p>
        {fault === undefined ? undefined : (
          <Fault message={fault} mend="The Order keeps the last values that could be read." />
        )}
        <Code label={`Values of ${release}`} text={shown} onChange={write} />
      </div>
      <ChartValues index={index} />
    </div>
  );
}

function ChartValues({ index }: { readonly index: number }) {
  const item = orderView.value.packages[index];
  const [chart, setChart] = useState<ShownChart>();
  const [fault, setFault] = useState<string>();
  const { chart: name = '', version = '', source } = item ?? {};
  const [kind = '', from = '', namespace = ''] = [source?.kind, source?.name, source?.namespace];
  useEffect(() => {
    let isGone = false;
    chartOf({ name, version, source: { kind, name: from, namespace } }).then(
      (found) => {
        if (isGone) return;
        setChart(found);
        setFault(undefined);
      },
      (failure) => !isGone && setFault(wordsOf(failure)),
    );
    return () => {
      isGone = true;
    };
  }, [name, version, kind, from, namespace]);
  return (
    <div class="values-chart">
      <p class="values-head">
        The chart's own <span class="soft">{chart ? `${chart.name} ${chart.version}` : name}, for reading</span>
      </p>
      {fault === undefined ? (
        <Code label={`values.yaml of ${name}`} text={chart?.values ?? ''} />
      ) : (
        <p class="soft pad">{fault}</p>
      )}
    </div>
  );
}
