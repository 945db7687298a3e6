// The JSON Patch of the selected package, and its values written as a patch.

import { useMemo } from 'preact/hooks';
import { orderJson, orderText, setPatch, setValues } from '../../order/document.ts';
import { changeOrder, chosen, orderDraft, orderView } from '../../order/draft.ts';
import { patchOf } from '../../order/fields.ts';
import { Code } from '../code.tsx';
import { Button, copyText } from '../parts.tsx';
import { useChart } from './chart.ts';
import { NoPackage, PartEditor } from './values.tsx';

/** The editor of the patch, and the patch of the values below it. */
export function PatchPane() {
  const index = chosen.value;
  const item = orderView.value.packages[index];
  const { chart } = useChart(item);
  const made = useMemo(() => madeBy(chart?.values, item?.values), [chart, item?.values]);
  if (!item) return <NoPackage />;
  const name = item.release || item.chart;
  // The patch applies after the values, so they go first.
  const move = (): void => {
    const before = item.patch === '' ? [] : (orderJson(item.patch) as readonly unknown[]);
    const patched = setPatch(orderDraft.value, index, orderText([...made, ...before]));
    const emptied = 'text' in patched ? setValues(patched.text, index, '') : patched;
    if ('text' in emptied) changeOrder(emptied.text, `move the values of ${name} to its patch`);
  };
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
          <Button icon="copy" kind="quiet" onPress={() => copyText(JSON.stringify(made, null, 2), 'Patch')}>
            Copy
          </Button>
          <Button kind="plain" disabled={made.length === 0} onPress={move}>
            Convert values to patch
          </Button>
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
