// Saved Orders, opened in the editor.

import type { SavedOrder } from '../api.ts';
import { orderText } from './document.ts';
import { openOrder, savedOrder } from './draft.ts';

/** Opens a saved Order in the editor. */
export function openSaved({ order }: SavedOrder): void {
  const text = orderText(withoutServerFields(order));
  openOrder(text, `open ${order.metadata.name}`);
  savedOrder.value = text;
}

/** Sorts saved Orders by time, the newest first. */
export function sortNewestFirst(orders: readonly SavedOrder[]): readonly SavedOrder[] {
  const timeOf = ({ order }: SavedOrder): string => order.metadata.creationTimestamp;
  return [...orders].sort((a, b) => timeOf(b).localeCompare(timeOf(a)));
}

// The service sets these when the Order is saved again.
function withoutServerFields(order: SavedOrder['order']): unknown {
  const { uid: _, creationTimestamp: __, ...metadata } = order.metadata as Readonly<Record<string, unknown>>;
  return { ...order, metadata };
}
