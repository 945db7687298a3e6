// The commands of the command palette.

import { hrefOf } from '../address.ts';
import { advanceClock, clearFaults, clockSteps, freezeClock, resetData, switchScenario } from '../demo.ts';
import { addPackage, emptyOrder, movePackage } from '../order/document.ts';
import { changeOrder, chosen, openOrder, orderDraft, orderHistory, orderView, preview } from '../order/draft.ts';
import { goTo } from '../place.ts';
import { type AvailableChart, showMessage, signInAs, status, users } from '../session.ts';
import { fileName, removeDropped, saveOrder, shareLink } from './orders/actions.ts';
import { copyText, downloadText } from './parts.tsx';
import { startTour } from './tour.tsx';

/** A command. */
export interface PaletteCommand {
  readonly name: string;
  /** A hint beside the name. */
  readonly about: string;
  readonly keywords?: readonly string[] | undefined;
  readonly run: () => void | Promise<void>;
}

/** Lists the currently possible commands. */
export function commandsOf(charts: readonly AvailableChart[]): readonly PaletteCommand[] {
  const screens = [
    { name: 'Go to the Order', about: 'edit and preview', run: () => goTo(hrefOf('orders')) },
    { name: 'Go to the charts', about: 'available charts', run: () => goTo(hrefOf('charts')) },
    { name: 'Go to the saved Orders', about: 'of all users', run: () => goTo(hrefOf('stored')) },
    { name: 'Go to the users', about: 'profiles, clusters, credentials', run: () => goTo(hrefOf('users')) },
    { name: 'Go to the API', about: 'all operations', run: () => goTo(hrefOf('api')) },
    ...['requests', 'scenarios', 'faults', 'clock', 'snapshots', 'worlds'].map((part) => ({
      name: `Go to the ${part}`,
      about: 'emulator',
      run: () => goTo(hrefOf('control', [part])),
    })),
  ];
  const rendered: readonly PaletteCommand[] = preview.value
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
  const adds = chartCommands(charts).map((command) => ({
    ...command,
    name: `Add ${command.name}`,
    about: 'to the Order',
  }));
  const people = (users.value ?? []).map(({ login, is_admin }) => ({
    name: `Sign in as ${login}`,
    about: is_admin ? 'site admin' : 'user',
    run: () => signInAs(login),
  }));
  const dropped = charts.some((chart) => chart.dropped)
    ? [{ name: 'Remove dropped charts', about: 'those of folders stay', run: removeDropped }]
    : [];
  const tour = { name: 'Take the tour', about: 'the console in six steps', run: startTour };
  return [...screens, tour, ...orderCommands, ...dropped, ...rendered, ...adds, ...people, ...demoCommands()];
}

/** Lists a command for each chart, which adds it to the Order. */
export function chartCommands(charts: readonly AvailableChart[]): readonly PaletteCommand[] {
  return charts
    .filter(({ fault, type }) => fault === undefined && type !== 'library')
    .map(({ name, version, description = '', keywords, sourceRef }) => ({
      name: `${name} ${version}`,
      about: description,
      keywords,
      run: () => addChart({ name, version, sourceRef }),
    }));
}

function demoCommands(): readonly PaletteCommand[] {
  const { clock, scenarios = [], faults = 0 } = status.value ?? {};
  return [
    { name: 'Reset data', about: 'back to the seed', run: resetData },
    clock?.frozen
      ? { name: 'Run the clock', about: 'emulator', run: () => freezeClock(false) }
      : { name: 'Freeze the clock', about: 'emulator', run: () => freezeClock(true) },
    ...clockSteps.map((step) => ({
      name: `Advance the clock by ${step.label}`,
      about: 'emulator',
      run: () => advanceClock(step),
    })),
    ...scenarios.map((name) => ({
      name: `Turn on scenario ${name}`,
      about: 'emulator',
      run: () => switchScenario(name),
    })),
    ...(faults > 0 ? [{ name: 'Clear all faults', about: 'and scenarios', run: clearFaults }] : []),
  ];
}

const orderCommands: readonly PaletteCommand[] = [
  { name: 'Copy a link to the Order', about: 'the link contains it', run: shareLink },
  { name: 'Copy the Order', about: 'as YAML', run: () => copyText(orderDraft.value, 'Order') },
  {
    name: 'Download the Order',
    about: 'as YAML',
    run: () => downloadText(orderDraft.value, fileName('.yaml')),
  },
  { name: 'Save the Order', about: 'through the API, as the current user', run: saveOrder },
  { name: 'New Order', about: 'can be undone', run: () => openOrder(emptyOrder, 'new Order') },
  {
    name: 'Undo',
    about: 'the last edit of the Order',
    run: () => showEdit('Undone', orderHistory.undo()),
  },
  {
    name: 'Redo',
    about: 'the last edit that was undone',
    run: () => showEdit('Redone', orderHistory.redo()),
  },
];

function showEdit(done: 'Undone' | 'Redone', edit: string | undefined): void {
  showMessage(edit === undefined ? `Nothing to ${done === 'Undone' ? 'undo' : 'redo'}` : `${done}: ${edit}`);
}

/** Adds a chart to the Order and shows it: at the end, or before the package at index `at`. */
export function addChart(
  { name, version, sourceRef }: Pick<AvailableChart, 'name' | 'version' | 'sourceRef'>,
  at?: number,
): void {
  if (orderView.value.fault !== undefined) {
    showMessage(`The Order is invalid. Fix it first: ${orderView.value.fault}`, true);
    return;
  }
  const last = orderView.value.packages.length;
  const to = at ?? last;
  const added = addPackage(orderDraft.value, { chart: name, version, sourceRef });
  changeOrder(movePackage(added, last, to), `add ${name}`);
  chosen.value = to;
  goTo(hrefOf('orders'));
  showMessage(`Added ${name} ${version}`);
}
