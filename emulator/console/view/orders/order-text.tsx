// The whole Order as text, with problems at their lines.

import { useEffect, useMemo, useState } from 'preact/hooks';
import { type EditorMark, withHint } from '../../../../render/language/help.ts';
import { marks, orderDraft, orderView, typeOrder, wantedLine } from '../../order/draft.ts';
import { help, prepareOrderHelp } from '../../order/order-help.ts';
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
