// What is done with the Order as a whole: stored, shared, opened.

import { hrefOf } from '../../address.ts';
import { ApiFailure, ask, root } from '../../api.ts';
import { orderJson } from '../../order/document.ts';
import { changeOrder, orderDraft, orderView } from '../../order/draft.ts';
import { packText, unpackText } from '../../order/share.ts';
import { goTo } from '../../place.ts';
import { say, user } from '../../session.ts';
import { copyText } from '../parts.tsx';

/** Stores the Order by the API, in the name of the chosen user. Rejects with what the API says. */
export async function storeOrder(): Promise<void> {
  if (!user.value) throw new Error('Nobody can store an Order: the emulator has no user with a token.');
  const body = orderJson(orderDraft.value);
  const stored = await ask<{ metadata: { uid: string; name: string } }>('POST', 'api/v1/user/deploy/orders', {
    token: user.value.token,
    body,
  });
  say(`${stored.metadata.name} is stored as ${stored.metadata.uid}.`);
}

/** Puts a link on the clipboard that holds the whole Order. */
export async function shareLink(): Promise<void> {
  const packed = await packText(orderDraft.value);
  await copyText(`${root}${hrefOf('orders', [], { order: packed })}`, 'Link with the whole Order');
}

/** Takes the Order out of a link, and the link out of the address: what is changed from here on is not in it. */
export async function openShared(packed: string): Promise<void> {
  try {
    changeOrder(await unpackText(packed));
    say('The Order of the link is open. Undo brings yours back.');
  } finally {
    goTo(hrefOf('orders'));
  }
}

// What a person wrote is far shorter.
const longestFile = 4 * 1024 * 1024;

/** Opens a file as the Order. Rejects where it is too long for one. */
export async function openFile(file: File): Promise<void> {
  if (file.size > longestFile) throw new Error(`${file.name} is longer than 4 MiB: that is no Order.`);
  changeOrder(await file.text());
  say(`${file.name} is open.`);
}

/** Says a failure of the API in one sentence, for a place beside what failed. */
export function wordsOf(failure: unknown): string {
  if (failure instanceof ApiFailure) return failure.refusal.message;
  return failure instanceof Error ? failure.message : String(failure);
}

/** Gives the name of the Order for files. */
export function fileName(end: string): string {
  return `${orderView.value.name || 'order'}${end}`;
}
