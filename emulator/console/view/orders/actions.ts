// The actions on the whole Order: save, share, open.

import { type Signal, signal } from '@preact/signals';
import { counted } from '../../../../render/core/counted.ts';
import { request, root } from '../../api.ts';
import { clearChartCache } from '../../chart-details.ts';
import { addPackage, orderJson, setPart } from '../../order/document.ts';
import {
  changeOrder,
  chosen,
  markUnchanged,
  openOrder,
  orderDraft,
  orderHistory,
  orderView,
  renderAgain,
  savedOrder,
} from '../../order/draft.ts';
import { chosenFiles, type DroppedFile, type FileText, packText, takeFiles, unpackText } from '../../order/files.ts';
import { goTo, hrefOf } from '../../place.ts';
import { type AvailableChart, currentUser, loadCharts, showMessage } from '../../session.ts';
import { copyText } from '../parts.tsx';

/** How often an Order was saved in this page. */
export const timesSaved: Signal<number> = signal(0);

/** Saves the Order through the API, as the current user. Rejects with an `ApiFailure`. */
export async function saveOrder(): Promise<void> {
  if (!currentUser.value) throw new Error('No user has a token, so Orders cannot be saved.');
  const text = orderDraft.value;
  const body = orderJson(text);
  const stored = await request<{ metadata: { uid: string; name: string } }>('POST', 'api/v1/user/deploy/orders', {
    token: currentUser.value.token,
    body,
  });
  timesSaved.value++;
  savedOrder.value = text;
  markUnchanged();
  showMessage(`Saved ${stored.metadata.name}`);
}

export async function shareLink(): Promise<void> {
  const packed = await packText(orderDraft.value);
  await copyText(`${root}${hrefOf('orders', [], { order: packed })}`, 'Link');
}

/** Opens the Order in a link, and removes it from the address, which would become outdated. */
export async function openShared(packed: string): Promise<void> {
  try {
    openOrder(await unpackText(packed), 'open the linked Order');
    showMessage('Opened the linked Order', false, { label: 'Undo', run: () => void orderHistory.undo() });
  } finally {
    goTo(hrefOf('orders'));
  }
}

export async function chooseFiles(): Promise<void> {
  await openFiles(await chosenFiles('.yaml,.yml,.json,.tgz,.gz', true));
}

/** Opens files: adds charts to the Order, applies values to the selected package. Rejects if a file cannot be read. */
export async function openFiles(files: readonly DroppedFile[]): Promise<void> {
  if (files.length === 0) return;
  const before = orderDraft.peek();
  const { charts, orders, values, refused } = await takeFiles(files);
  const words: string[] = [];
  if (charts.length > 0) {
    clearChartCache();
    await loadCharts();
  }
  const [order] = orders;
  if (order && order.text.length > longestOrder) {
    words.push(`${order.name} is larger than 4 MB. Render it with \`drydock render\`.`);
  } else if (order) {
    openOrder(order.text, `open ${order.name}`);
    words.push(`Opened ${order.name}.`);
  } else for (const chart of charts) words.push(addOpened(chart));
  for (const one of values) words.push(applyValues(one));
  if (orderDraft.peek() !== before) goTo(hrefOf('orders'));
  // The same text may now render to another manifest.
  if (charts.length > 0) renderAgain();
  // The message has room for a few: errors come first.
  words.unshift(...refused.map(({ name, message, hint = '' }) => `${name}: ${message}. ${hint}`.trim()));
  if (words.length === 0) words.push('The files contain no chart, Order, values or bundle.');
  showMessage(words.slice(0, 4).join(' '), refused.length > 0);
}

export async function removeDropped(): Promise<void> {
  const { charts } = await request<{ readonly charts: number }>('DELETE', '__drydock/files');
  if (charts === 0) return showMessage('There are no dropped charts');
  clearChartCache();
  await loadCharts();
  renderAgain();
  showMessage(`Removed ${counted(charts, 'chart')}`);
}

// The Order is parsed after each keystroke.
const longestOrder = 4_000_000;

function addOpened(chart: AvailableChart): string {
  const { name, version, type } = chart;
  const isThere = orderView.value.packages.some((item) => item.chart === name);
  if (isThere || type === 'library' || orderView.value.fault !== undefined) return `${name} ${version} is available.`;
  addToOrder(chart);
  return `Added ${name} ${version}.`;
}

/** Adds a chart to the end of the Order and selects it. */
export function addToOrder({ name, version, sourceRef }: Pick<AvailableChart, 'name' | 'version' | 'sourceRef'>): void {
  changeOrder(addPackage(orderDraft.value, { chart: name, version, sourceRef }), `add ${name}`);
  chosen.value = orderView.value.packages.length - 1;
}

function applyValues({ name, text }: FileText): string {
  const item = orderView.value.packages[chosen.value];
  if (!item) return `${name} contains values: add a package first, then drop it again.`;
  const written = setPart(orderDraft.value, chosen.value, { name: 'values', text });
  if ('fault' in written) return `${name}: ${written.fault}`;
  changeOrder(written.text, `apply ${name}`);
  return `Applied ${name} to ${item.release || item.chart}.`;
}

export function fileName(end: string): string {
  return `${orderView.value.name || 'order'}${end}`;
}
