// The command palette, Ctrl-K or ⌘-K, and its commands.

import { signal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import { emptyOrder } from '../order/document.ts';
import { openOrder, orderView } from '../order/draft.ts';
import { goTo, hrefOf } from '../place.ts';
import { matcherOf } from '../search.ts';
import {
  type AvailableChart,
  advanceClock,
  charts,
  chartsFault,
  clearFaults,
  clockSteps,
  freezeClock,
  resetData,
  showError,
  showMessage,
  signInAs,
  status,
  switchScenario,
  users,
} from '../session.ts';
import { addToOrder, saveOrder, shareLink } from './orders/actions.ts';
import { Button } from './parts.tsx';
import { startTour } from './tour.tsx';

// All commands, or the charts to add.
type PaletteMode = 'commands' | 'charts';

const mode = signal<PaletteMode | undefined>(undefined);

export function openPalette(what: PaletteMode): void {
  mode.value = what;
}

addEventListener('keydown', (event) => {
  if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
  event.preventDefault();
  mode.value = mode.value === undefined ? 'commands' : undefined;
});

export function Palette() {
  return mode.value === undefined ? null : <OpenPalette key={mode.value} listed={mode.value} />;
}

/** The button that adds a chart: it opens a searchable list of charts. */
export function AddChart() {
  const isEmpty = chartCommands(charts.value ?? []).length === 0;
  return (
    <span class="add-chart">
      <Button icon="add" disabled={isEmpty} onPress={() => openPalette('charts')}>
        {chartsFault.value === undefined ? 'Add chart' : 'No charts available'}
      </Button>
    </span>
  );
}

// Maximum number of shown items.
const mostShown = 100;

function OpenPalette({ listed }: { readonly listed: PaletteMode }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [search, setSearch] = useState('');
  const [at, setAt] = useState(0);
  const all = listed === 'charts' ? chartCommands(charts.value ?? []) : commandsOf(charts.value ?? []);
  const found = searchCommands(all, search).slice(0, mostShown);
  useEffect(() => openDialog(dialog.current), []);
  useEffect(() => document.getElementById(`command-${at}`)?.scrollIntoView({ block: 'nearest' }), [at, search]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined && event.key !== 'Enter') return;
    event.preventDefault();
    if (step === undefined) void run(found[at]);
    else setAt((at + step + found.length) % Math.max(found.length, 1));
  };
  const typed = (text: string): void => {
    setSearch(text);
    setAt(0);
  };
  return (
    <dialog ref={dialog} class="palette" aria-label="Commands" onClose={close}>
      <input
        class="palette-search"
        type="text"
        role="combobox"
        aria-label="Search commands"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={found[at] ? `command-${at}` : undefined}
        placeholder={listed === 'charts' ? 'Search charts by name, description or keyword' : 'Type a command'}
        autocomplete="off"
        spellcheck={false}
        value={search}
        onInput={(event) => typed(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div class="palette-list" id="palette-list" role="listbox" aria-label="Commands">
        {found.map((command, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keyboard, as comboboxes do.
          <div
            key={command.name}
            id={`command-${index}`}
            class="palette-item"
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            onMouseMove={() => setAt(index)}
            onClick={() => void run(command)}
          >
            <span>{command.name}</span>
            <span class="soft">{command.about}</span>
          </div>
        ))}
      </div>
      {found.length === 0 ? (
        <p class="palette-none">{listed === 'charts' ? 'No charts found' : 'No commands found'}</p>
      ) : undefined}
    </dialog>
  );
}

function close(): void {
  mode.value = undefined;
}

async function run(command: PaletteCommand | undefined): Promise<void> {
  if (!command) return;
  close();
  try {
    await command.run();
  } catch (failure) {
    showError(failure);
  }
}

// A click outside closes it, and the focus returns to where it was.
function openDialog(dialog: HTMLDialogElement | null): () => void {
  const before = document.activeElement;
  dialog?.addEventListener('click', (event) => event.target === dialog && close());
  dialog?.showModal();
  return () => {
    if (before instanceof HTMLElement) before.focus();
  };
}

/** Returns the commands whose texts contain every word of a search, those with a matching name first. */
export function searchCommands<One extends Omit<PaletteCommand, 'run'>>(
  commands: readonly One[],
  search: string,
): readonly One[] {
  const matches = matcherOf(search);
  const isOther = ({ name }: One): number => (matches(name) ? 0 : 1);
  return commands
    .filter(({ name, about, keywords = [] }) => matches(`${name} ${about} ${keywords.join(' ')}`))
    .sort((a, b) => isOther(a) - isOther(b));
}

interface PaletteCommand {
  readonly name: string;
  readonly about: string;
  readonly keywords?: readonly string[] | undefined;
  readonly run: () => void | Promise<void>;
}

function commandsOf(charts: readonly AvailableChart[]): readonly PaletteCommand[] {
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
  return [...screens, ...orderCommands, ...adds, ...people, ...demoCommands()];
}

function chartCommands(charts: readonly AvailableChart[]): readonly PaletteCommand[] {
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
  const about = 'emulator';
  return [
    { name: 'Reset data', about: 'back to the seed', run: resetData },
    clock?.frozen
      ? { name: 'Run the clock', about, run: () => freezeClock(false) }
      : { name: 'Freeze the clock', about, run: () => freezeClock(true) },
    ...clockSteps.map((step) => ({ name: `Advance the clock by ${step.label}`, about, run: () => advanceClock(step) })),
    ...scenarios.map((name) => ({ name: `Turn on scenario ${name}`, about, run: () => switchScenario(name) })),
    ...(faults > 0 ? [{ name: 'Clear all faults', about: 'and scenarios', run: clearFaults }] : []),
  ];
}

const screens: readonly PaletteCommand[] = [
  { name: 'Go to the Order', about: 'edit and preview', run: () => goTo(hrefOf('orders')) },
  { name: 'Go to the charts', about: 'available charts', run: () => goTo(hrefOf('charts')) },
  { name: 'Go to the saved Orders', about: 'of all users', run: () => goTo(hrefOf('stored')) },
  { name: 'Go to the users', about: 'profiles, clusters, credentials', run: () => goTo(hrefOf('users')) },
  { name: 'Go to the API', about: 'all operations', run: () => goTo(hrefOf('api')) },
  ...['requests', 'scenarios', 'faults', 'snapshots', 'worlds'].map((part) => ({
    name: `Go to the ${part}`,
    about: 'emulator',
    run: () => goTo(hrefOf('control', [part])),
  })),
  { name: 'Take the tour', about: 'the console in six steps', run: startTour },
];

const orderCommands: readonly PaletteCommand[] = [
  { name: 'Copy a link to the Order', about: 'the link contains it', run: shareLink },
  { name: 'Save the Order', about: 'through the API, as the current user', run: saveOrder },
  { name: 'New Order', about: 'can be undone', run: () => openOrder(emptyOrder, 'new Order') },
];

/** Adds a chart to the end of the Order and shows it. */
export function addChart(chart: Pick<AvailableChart, 'name' | 'version' | 'sourceRef'>): void {
  const { fault } = orderView.value;
  if (fault !== undefined) {
    showMessage(`The Order is invalid. Fix it first: ${fault}`, true);
    return;
  }
  addToOrder(chart);
  goTo(hrefOf('orders'));
  showMessage(`Added ${chart.name} ${chart.version}`);
}
