// The frame of every screen: navigation, current user, messages, demo bar and command palette.

import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { counted } from '../../../render/core/counted.ts';
import { world } from '../api.ts';
import { droppedFiles } from '../order/files.ts';
import { hrefOf, place } from '../place.ts';
import {
  advanceClock,
  clearFaults,
  clockSteps,
  currentUser,
  freezeClock,
  hideMessage,
  loadSession,
  loadStatus,
  message,
  resetData,
  type Status,
  showError,
  signInAs,
  status,
  switchScenario,
  users,
} from '../session.ts';
import { openFiles } from './orders/actions.ts';
import { OrdersScreen } from './orders/orders.tsx';
import { openPalette, Palette } from './palette.tsx';
import { Button, Empty, Icon, late, Nav, Select } from './parts.tsx';
import { Tour } from './tour.tsx';

const screens: readonly {
  readonly name: string;
  readonly label: string;
  readonly Screen: (props: object) => ComponentChildren;
}[] = [
  { name: 'orders', label: 'Order', Screen: OrdersScreen },
  { name: 'charts', label: 'Charts', Screen: late(async () => (await import('./charts.tsx')).ChartsScreen) },
  { name: 'stored', label: 'Saved', Screen: late(async () => (await import('./saved-orders.tsx')).SavedOrdersScreen) },
  { name: 'users', label: 'Users', Screen: late(async () => (await import('./users/users.tsx')).UsersScreen) },
  {
    name: 'control',
    label: 'Emulator',
    Screen: late(async () => (await import('./emulator/emulator.tsx')).EmulatorScreen),
  },
  { name: 'api', label: 'API', Screen: late(async () => (await import('./explorer.tsx')).ExplorerScreen) },
];

export function App() {
  useEffect(() => void loadSession(), []);
  const found = screens.find(({ name }) => name === place.value.screen);
  useEffect(() => {
    document.title = `${found?.label ?? 'Not found'} · drydock`;
  }, [found]);
  return (
    <>
      <button type="button" class="skip" onClick={skipToMain}>
        Skip to content
      </button>
      <Header />
      <main id="main" tabIndex={-1}>
        {found ? (
          <found.Screen />
        ) : (
          <Empty title="Page not found">
            <a href={hrefOf('orders')}>Go to the Order</a>
          </Empty>
        )}
      </main>
      <DemoBar />
      <Said />
      <Tour />
      <Palette />
      <Dropping />
    </>
  );
}

/** The last message, with its button. */
function Said() {
  const { text, isError = false, action } = message.value ?? {};
  const press = (): void => {
    hideMessage();
    action?.run();
  };
  return (
    <output class="said" aria-live="polite" data-error={isError} hidden={!message.value}>
      {text}
      {action ? (
        <button type="button" class="said-action" onClick={press}>
          {action.label}
        </button>
      ) : undefined}
    </output>
  );
}

// Not a link, because screens use the part of the address after `#`.
function skipToMain(): void {
  document.getElementById('main')?.focus();
}

function Header() {
  const mac = /Mac|iP(?:hone|ad)/.test(navigator.platform);
  return (
    <header class="header">
      <a class="brand" href={hrefOf('orders')} aria-label="drydock: to the Order">
        <svg class="mark" viewBox="0 0 16 16" aria-hidden="true">
          <path d="M2 3v7a3 3 0 0 0 3 3h6a3 3 0 0 0 3-3V3M5 8h6l-1.2 2.5H6.2z" />
        </svg>
        <span>drydock</span>
      </a>
      <Nav label="Screens" pages={screens} here={place.value.screen} hrefOf={hrefOf} />
      <UserChoice />
      <button
        type="button"
        class="button plain palette-button"
        onClick={() => openPalette('commands')}
        aria-keyshortcuts="Control+K Meta+K"
      >
        <Icon name="find" />
        <span class="wide">Commands</span>
        <kbd class="wide">{mac ? '⌘K' : 'Ctrl K'}</kbd>
      </button>
    </header>
  );
}

function UserChoice() {
  if (!users.value?.length) return undefined;
  return (
    <label class="user">
      <span class="wide">Signed in as</span>
      <Select
        aria-label="Signed in as"
        value={currentUser.value?.login ?? ''}
        options={users.value.map(({ login, is_admin }) => [login, `${login}${is_admin ? ' (site admin)' : ''}`])}
        onChoose={signInAs}
      />
    </label>
  );
}

// Files dragged onto the page, on any screen.

const isOver = signal(false);

const dropListeners = { dragenter: hold, dragover: hold, dragleave: leave, drop } as const;

/** Shows what a drop does while files are dragged over the page. */
function Dropping() {
  useEffect(() => {
    const listening = new AbortController();
    for (const [name, listener] of Object.entries(dropListeners))
      addEventListener(name as keyof typeof dropListeners, listener, listening);
    return () => listening.abort();
  }, []);
  if (!isOver.value) return undefined;
  return (
    <div class="dropping" role="status">
      <p>Drop to add charts, apply values, or open an Order or bundle</p>
    </div>
  );
}

// Otherwise the browser would open the file instead of the page.
function hold(event: DragEvent): void {
  if (!holdsFiles(event)) return;
  event.preventDefault();
  isOver.value = true;
}

function leave(event: DragEvent): void {
  // It also fires between elements of the page.
  if (event.relatedTarget === null) isOver.value = false;
}

function drop(event: DragEvent): void {
  isOver.value = false;
  if (!holdsFiles(event) || !event.dataTransfer) return;
  event.preventDefault();
  void droppedFiles(event.dataTransfer).then(openFiles).catch(showError);
}

function holdsFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes('Files') ?? false;
}

// The demo bar below every screen: world, clock, scenario, faults and reset.

// Other clients change the state too.
const pollMs = 5000;

function DemoBar() {
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) loadStatus().catch(() => undefined);
    }, pollMs);
    return () => clearInterval(timer);
  }, []);
  const { value } = status;
  return (
    <section class="demo-bar" aria-label="Emulator">
      {value ? (
        <>
          <a class="demo-item wide" href={hrefOf('control', ['worlds'])}>
            World <b>{world || 'default'}</b>
          </a>
          <ClockChoice {...value} />
          <ScenarioChoice {...value} />
          <FaultCount {...value} />
        </>
      ) : undefined}
      <span class="spring" />
      <Button icon="undo" label="Reset data" kind="quiet" onPress={resetData}>
        <span class="wide">Reset data</span>
      </Button>
    </section>
  );
}

function ClockChoice({ clock: { now, frozen } }: Status) {
  const choose = async (choice: string): Promise<void> => {
    const step = clockSteps.find(({ label }) => label === choice);
    if (step) await advanceClock(step);
    else if (choice === 'freeze') await freezeClock(!frozen);
  };
  return (
    <label class="demo-item">
      <Icon name="clock" />
      <time dateTime={now} title={now}>
        {timeFormat.format(new Date(now))}
      </time>
      {frozen ? <span class="tag risk">frozen</span> : undefined}
      <Select
        aria-label="Clock"
        value=""
        options={[
          ['', 'Clock'],
          ['freeze', frozen ? 'Run' : 'Freeze'],
          ...clockSteps.map(({ label }) => [label, `Advance by ${label}`] as const),
        ]}
        onChoose={(choice) => void choose(choice).catch(showError)}
      />
    </label>
  );
}

const timeFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

function ScenarioChoice({ scenarios, activeScenarios }: Status) {
  const [active = '', ...others] = activeScenarios;
  return (
    <label class="demo-item">
      <span class="wide">Scenario</span>
      <Select
        aria-label="Scenario"
        data-active={active !== ''}
        value={active}
        options={[['', 'None'], ...scenarios]}
        onChoose={(name) => void switchScenario(name).catch(showError)}
      />
      {others.length > 0 ? <span class="tag risk">+{others.length}</span> : undefined}
    </label>
  );
}

function FaultCount({ faults }: Status) {
  const href = hrefOf('control', ['faults']);
  return faults === 0 ? (
    <a class="demo-item wide" href={href}>
      No faults
    </a>
  ) : (
    <span class="demo-item">
      <a href={href}>
        <span class="tag risk">{counted(faults, 'fault')}</span>
      </a>
      <Button kind="quiet" onPress={clearFaults}>
        Clear
      </Button>
    </span>
  );
}
