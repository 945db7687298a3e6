// The place of an Order's member in its file.

import type { OrderText } from '../order/read.ts';
import type { Setter } from '../provenance/trace/setters.ts';

/** Formats an Order's member that sets a value: its file, line and column. */
export function placedIn(text: OrderText): (setter: Setter) => Setter {
  return (setter) => {
    const { file, ...place } = text.placeOf(setter.where);
    return { ...setter, where: file, ...place };
  };
}
