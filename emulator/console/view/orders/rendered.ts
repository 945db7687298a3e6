// Outputs of the Order that are created on demand, for the last rendered text; the last good one stays.

import { useEffect, useState } from 'preact/hooks';
import { errorMessage } from '../../api.ts';
import { preview } from '../../order/draft.ts';

/** An output of the Order, or why it is not available. */
export interface RenderedForm<Form> {
  readonly form: Form | undefined;
  readonly fault: string | undefined;
}

/** Returns an output of the last rendered Order, updated with each rendering; `key` identifies the output. */
export function useRendered<Form>(key: string, make: (order: string) => Promise<Form>): RenderedForm<Form> {
  const order = preview.value?.order;
  const rendering = preview.value;
  const [made, setMade] = useState<RenderedForm<Form> & { readonly key: string }>({
    key,
    form: undefined,
    fault: undefined,
  });
  useEffect(() => {
    if (order === undefined) return undefined;
    let isGone = false;
    make(order).then(
      (form) => !isGone && setMade({ key, form, fault: undefined }),
      (failure) =>
        !isGone &&
        setMade((last) => ({ key, form: last.key === key ? last.form : undefined, fault: errorMessage(failure) })),
    );
    return () => {
      isGone = true;
    };
  }, [rendering, key]);
  return made.key === key ? made : { form: undefined, fault: undefined };
}
