// What is done with the Order as a whole: stored, shared, opened.

import { type Signal, signal } from '@preact/signals';
import { hrefOf } from '../../address.ts';
import { ask, root } from '../../api.ts';
import { addPackage, orderJson, setValues } from '../../order/document.ts';
import { changeOrder, chosen, openOrder, orderDraft, orderView, renderAgain } from '../../order/draft.ts';
import { type DroppedFile, type NamedText, takeFiles } from '../../order/files.ts';
import { packText, unpackText } from '../../order/share.ts';
import { goTo } from '../../place.ts';
import { type ListedChart, loadCharts, say, user } from '../../session.ts';
import { forgetCharts } from '../../shelf.ts';
import { copyText } from '../parts.tsx';

/** How often an Order was stored from this page. */
export const timesStored: Signal<number> = signal(0);

/** Stores the Order by the API, in the name of the chosen user. Rejects with what the API says. */
export async function storeOrder(): Promise<void> {
  if (!user.value) throw new Error('Nobody can store an Order: the emulator has no user with a token.');
  const body = orderJson(orderDraft.value);
  const stored = await ask<{ metadata: { uid: string; name: string } }>('POST', 'api/v1/user/deploy/orders', {
    token: user.value.token,
    body,
  });
  timesStored.value++;
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
    openOrder(await unpackText(packed), 'open the Order of the link');
    say('The Order of the link is open. Undo brings yours back.');
  } finally {
    goTo(hrefOf('orders'));
  }
}

/** Opens files as what they are: charts join the Order, values are laid over the chosen package. Rejects where they cannot be read. */
export async function openFiles(files: readonly DroppedFile[]): Promise<void> {
  if (files.length === 0) return;
  const before = orderDraft.peek();
  const { charts, orders, values, refused } = await takeFiles(files);
  const words: string[] = [];
  if (charts.length > 0) {
    forgetCharts();
    await loadCharts();
  }
  const [order] = orders;
  if (order && order.text.length > longestOrder) {
    words.push(
      `${order.name} has more than 4 MB: that is not an Order that a person wrote. Render it with \`drydock render\`.`,
    );
  } else if (order) {
    openOrder(order.text, `open ${order.name}`);
    words.push(`${order.name} is open.`);
  } else for (const chart of charts) words.push(addOpened(chart));
  for (const one of values) words.push(layOver(one));
  if (orderDraft.peek() !== before) goTo(hrefOf('orders'));
  // What is rendered from the same text may be another now.
  if (charts.length > 0) renderAgain();
  for (const { name, message, mend = '' } of refused) words.push(`${name}: ${message}. ${mend}`.trim());
  if (words.length === 0) words.push('It contains no chart, Order, values or bundle.');
  say(words.slice(0, 4).join(' '), refused.length > 0);
}

/** Forgets the charts that were dropped or opened, and renders without them. */
export async function forgetDropped(): Promise<void> {
  const { charts } = await ask<{ readonly charts: number }>('DELETE', '__drydock/files');
  if (charts === 0) return say('No chart was dropped onto the page or opened.');
  forgetCharts();
  await loadCharts();
  renderAgain();
  say(charts === 1 ? 'One chart is forgotten.' : `${charts} charts are forgotten.`);
}

// It is read anew with every letter that is typed.
const longestOrder = 4_000_000;

function addOpened({ name, version, sourceRef, type }: ListedChart): string {
  const isThere = orderView.value.packages.some(({ chart }) => chart === name);
  if (isThere || type === 'library' || orderView.value.fault !== undefined) return `${name} ${version} is at hand.`;
  changeOrder(addPackage(orderDraft.value, { chart: name, version, sourceRef }), `add ${name}`);
  chosen.value = orderView.value.packages.length - 1;
  return `${name} ${version} is at hand, and added.`;
}

function layOver({ name, text }: NamedText): string {
  const item = orderView.value.packages[chosen.value];
  if (!item) return `${name} holds values: add a package first, then drop it again.`;
  const written = setValues(orderDraft.value, chosen.value, text);
  if ('fault' in written) return `${name}: ${written.fault}`;
  changeOrder(written.text, `apply ${name}`);
  return `${name} overrides the values of ${item.release || item.chart}. Undo removes it.`;
}

/** Returns the name of the Order for files. */
export function fileName(end: string): string {
  return `${orderView.value.name || 'order'}${end}`;
}
