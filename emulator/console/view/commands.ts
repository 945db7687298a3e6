// The commands of the palette.

import { hrefOf } from '../address.ts';
import { addPackage, emptyOrder, movePackage } from '../order/document.ts';
import { changeOrder, chosen, openOrder, orderDraft, orderHistory, orderView, preview } from '../order/draft.ts';
import { goTo } from '../place.ts';
import { actAs, type ListedChart, say, users } from '../session.ts';
import { forgetDropped, shareLink, storeOrder } from './orders/actions.ts';
import { copyText, downloadText } from './parts.tsx';

/** Something that the page can do. */
export interface Command {
  readonly name: string;
  /** What it is about, in a few words. */
  readonly about: string;
  readonly run: () => void | Promise<void>;
}

/** Returns every command that makes sense now. */
export function commandsOf(charts: readonly ListedChart[]): readonly Command[] {
  const screens = [
    { name: 'Go to the Order', about: 'compose and preview', run: () => goTo(hrefOf('orders')) },
    { name: 'Go to the charts', about: 'what is at hand', run: () => goTo(hrefOf('charts')) },
    { name: 'Go to the stored Orders', about: 'of every user', run: () => goTo(hrefOf('stored')) },
    { name: 'Go to the users', about: 'what the API says to each', run: () => goTo(hrefOf('users')) },
    { name: 'Go to the API', about: 'every call, to try', run: () => goTo(hrefOf('api')) },
    ...['requests', 'scenarios', 'faults', 'clock', 'snapshots', 'worlds'].map((part) => ({
      name: `Go to the ${part}`,
      about: 'control of the emulator',
      run: () => goTo(hrefOf('control', [part])),
    })),
  ];
  const rendered: readonly Command[] = preview.value
    ? [
        {
          name: 'Copy the manifest',
          about: 'all objects as YAML',
          run: () => copyText(preview.value?.manifest ?? '', 'Manifest'),
        },
        {
          name: 'Download the manifest',
          about: 'manifest.yaml',
          run: () => downloadText(preview.value?.manifest ?? '', 'manifest.yaml'),
        },
      ]
    : [];
  const adds = charts
    .filter(({ fault, type }) => fault === undefined && type !== 'library')
    .map(({ name, version, sourceRef }) => ({
      name: `Add ${name} ${version}`,
      about: 'to the Order',
      run: () => addChart({ name, version, sourceRef }),
    }));
  const people = (users.value ?? []).map(({ login, is_admin }) => ({
    name: `Act as ${login}`,
    about: is_admin ? 'site admin' : 'user',
    run: () => actAs(login),
  }));
  return [...screens, ...orderCommands, ...rendered, ...adds, ...people];
}

const orderCommands: readonly Command[] = [
  { name: 'Copy a link to the Order', about: 'the link holds all of it', run: shareLink },
  { name: 'Copy the Order', about: 'as YAML', run: () => copyText(orderDraft.value, 'Order') },
  {
    name: 'Download the Order',
    about: 'as YAML',
    run: () => downloadText(orderDraft.value, `${orderView.value.name || 'order'}.yaml`),
  },
  { name: 'Store the Order', about: 'by the API, as the chosen user', run: storeOrder },
  { name: 'Forget dropped charts', about: 'those of folders stay', run: forgetDropped },
  { name: 'Begin a new Order', about: 'can be undone', run: () => openOrder(emptyOrder, 'begin a new Order') },
  {
    name: 'Undo',
    about: 'the last edit of the Order',
    run: () => sayEdit('Undone', orderHistory.undo()),
  },
  {
    name: 'Redo',
    about: 'the last edit that was undone',
    run: () => sayEdit('Redone', orderHistory.redo()),
  },
];

function sayEdit(done: 'Undone' | 'Redone', edit: string | undefined): void {
  say(edit === undefined ? `Nothing to ${done === 'Undone' ? 'undo' : 'redo'}` : `${done}: ${edit}`);
}

/** Adds a chart to the Order and shows it: behind all others, or before the package that has the place `at`, from 0. */
export function addChart(
  { name, version, sourceRef }: Pick<ListedChart, 'name' | 'version' | 'sourceRef'>,
  at?: number,
): void {
  if (orderView.value.fault !== undefined) {
    say(`The Order cannot be read: mend it first. ${orderView.value.fault}`, true);
    return;
  }
  const last = orderView.value.packages.length;
  const to = at ?? last;
  const added = addPackage(orderDraft.value, { chart: name, version, sourceRef });
  changeOrder(movePackage(added, last, to), `add ${name}`);
  chosen.value = to;
  goTo(hrefOf('orders'));
  say(`${name} ${version} added.`);
}
