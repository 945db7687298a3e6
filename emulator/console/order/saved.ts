// Saved Orders, opened in the editor.

import { request, type SavedOrder } from '../api.ts';
import { showError, showMessage, users } from '../session.ts';
import { orderText } from './document.ts';
import { openOrder, savedOrder } from './draft.ts';

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

/** Saves an Order once more, for its owner, under a name. Rejects with an `ApiFailure`. */
export async function storeAgain({ owner, order }: SavedOrder, name: string): Promise<void> {
  const token = users.value?.find(({ login }) => login === owner)?.token;
  if (token === undefined) throw new Error(`${owner} has no token, so the Order cannot be saved.`);
  const plain = withoutServerFields(order);
  const body = { ...plain, metadata: { ...plain.metadata, name } };
  await request('POST', 'api/v1/user/deploy/orders', { token, body });
  showMessage(`Saved ${name}`);
}

/** Deletes a saved Order, and offers to restore it as it was. Rejects with an `ApiFailure`. */
export async function deleteSaved({ uid, owner, order }: SavedOrder, onChange: () => Promise<void>): Promise<void> {
  const path = `__drydock/orders/${uid}`;
  await request('DELETE', path);
  await onChange();
  const restore = () => request('PUT', path, { body: { owner, order } }).then(onChange, showError);
  showMessage(`Deleted ${order.metadata.name}`, false, { label: 'Undo', run: () => void restore() });
}

// The service sets these when the Order is saved again.
function withoutServerFields(order: SavedOrder['order']) {
  const { uid: _, creationTimestamp: __, ...metadata } = order.metadata as Readonly<Record<string, unknown>>;
  return { ...order, metadata };
}
