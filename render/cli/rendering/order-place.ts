// Where a member of an Order is in its file.

import type { OrderText } from '../../order/read.ts';
import type { Setter } from '../../provenance/trace/setters.ts';

/** Returns how a member of an Order that sets a value is reported: by its file, line and column. */
export function placedIn(text: OrderText): (setter: Setter) => Setter {
  return (setter) => {
    const { file, ...place } = text.placeOf(setter.where);
    return { ...setter, where: file, ...place };
  };
}
