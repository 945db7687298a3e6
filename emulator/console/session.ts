// State shared by all screens: the emulator, the current user, the available charts, the last message; and the actions of the demo bar.

import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { ApiFailure, errorMessage, request } from './api.ts';
import { keepItem, storedItem } from './storage.ts';

/** An available chart; `fault` says why one cannot be read. */
export interface AvailableChart {
  readonly name: string;
  readonly version: string;
  readonly appVersion?: string;
  readonly description?: string;
  readonly type?: string;
  readonly deprecated?: boolean;
  readonly hasSchema?: boolean;
  readonly kubeVersion?: string;
  readonly keywords?: readonly string[];
  /** Its own icon as a `data:` URL. */
  readonly icon?: string;
  readonly sourceRef: Readonly<Record<string, string>>;
  /** Whether it was dropped onto the page. */
  readonly dropped?: boolean;
  readonly fault?: string;
}

/** A user of the emulator that has a token. */
export interface SeededUser {
  readonly login: string;
  readonly token: string;
  readonly is_admin: boolean;
}

/** The response of `GET /__drydock/status`. */
export interface Status {
  readonly users: readonly SeededUser[];
  /** The Helm versions that it supports, and its default. */
  readonly helm: { readonly versions: readonly string[]; readonly default: string | number };
  readonly clock: { readonly now: string; readonly frozen: boolean };
  readonly scenarios: readonly string[];
  readonly activeScenarios: readonly string[];
  /** Number of active faults, including those of scenarios. */
  readonly faults: number;
}

/** The state of the emulator; undefined until it is loaded. */
export const status: Signal<Status | undefined> = signal(undefined);

export const helms: ReadonlySignal<Status['helm']> = computed(
  () => status.value?.helm ?? { versions: [], default: '' },
);

/** The users that have a token; undefined until the state is loaded. */
export const users: ReadonlySignal<readonly SeededUser[] | undefined> = computed(() => status.value?.users);

const login = signal(storedItem('drydock.user') ?? '');

/** The current user: the console calls the API with their token. */
export const currentUser: ReadonlySignal<SeededUser | undefined> = computed(
  () => users.value?.find((one) => one.login === login.value) ?? users.value?.[0],
);

export function signInAs(name: string): void {
  login.value = name;
  keepItem('drydock.user', name);
}

/** The available charts; undefined until they are loaded. */
export const charts: Signal<readonly AvailableChart[] | undefined> = signal(undefined);

/** Why the charts could not be loaded. */
export const chartsFault: Signal<string | undefined> = signal(undefined);

interface Message {
  readonly text: string;
  readonly isError: boolean;
  readonly action?: { readonly label: string; readonly run: () => void } | undefined;
}

/** The last message, until it disappears. */
export const message: Signal<Message | undefined> = signal(undefined);

let silence: ReturnType<typeof setTimeout> | undefined;

/** Shows a message for a moment; errors, and messages with a button, stay longer. */
export function showMessage(text: string, isError = false, action?: Message['action']): void {
  message.value = { text, isError, action };
  clearTimeout(silence);
  silence = setTimeout(hideMessage, isError || action ? 12_000 : 4000);
}

export function hideMessage(): void {
  message.value = undefined;
}

export function showError(failure: unknown): void {
  const hint = failure instanceof ApiFailure && failure.refusal.hint ? ` ${failure.refusal.hint}` : '';
  showMessage(`${errorMessage(failure)}${hint}`, true);
}

/** Loads the state shared by all screens. */
export async function loadSession(): Promise<void> {
  await Promise.all([loadStatus().catch(showError), loadCharts()]);
}

/** Loads the state of the emulator. Rejects with an `ApiFailure`. */
export async function loadStatus(): Promise<void> {
  status.value = await request<Status>('GET', '__drydock/status');
}

/** Returns the time of the emulator's clock in milliseconds, as of the last load. */
export function emulatorNow(): number {
  const { value } = status;
  return value ? Date.parse(value.clock.now) : Date.now();
}

let chartLoads = 0;

/** Loads the list of charts. Lists can arrive in another order than they were requested: the last requested one counts. */
export async function loadCharts(): Promise<void> {
  const load = ++chartLoads;
  try {
    const list = await request<readonly AvailableChart[]>('GET', '__drydock/charts');
    if (load !== chartLoads) return;
    charts.value = list;
    chartsFault.value = undefined;
  } catch (failure) {
    if (load === chartLoads) chartsFault.value = errorMessage(failure);
  }
}

// A reset saves the data as this snapshot, so that it can be undone.
const beforeReset = 'before-reset';

/** Resets data, clock and faults to the seed, and offers to undo that. Rejects with an `ApiFailure`. */
export async function resetData(): Promise<void> {
  // A world has a limited number of snapshots.
  const isKept = await request('POST', `__drydock/snapshots/${beforeReset}`).then(
    () => true,
    () => false,
  );
  await request('POST', '__drydock/reset');
  await loadSession();
  const undo = { label: 'Undo', run: () => void restoreSnapshot(beforeReset, 'Reset undone').catch(showError) };
  showMessage('Data reset', false, isKept ? undo : undefined);
}

/** Restores a snapshot and shows a message. Rejects with an `ApiFailure`. */
export async function restoreSnapshot(name: string, message: string): Promise<void> {
  await request('POST', `__drydock/snapshots/${encodeURIComponent(name)}/restore`);
  await loadSession();
  showMessage(message);
}

// Changes the emulator, and shows a message. Rejects with an `ApiFailure`.
async function control(message: string, method: string, path: string, body?: object): Promise<void> {
  await request(method, `__drydock/${path}`, { body });
  await loadStatus();
  showMessage(message);
}

/** Activates only this scenario; an empty name deactivates all. Rejects with an `ApiFailure`. */
export async function switchScenario(name: string): Promise<void> {
  const others = status.peek()?.activeScenarios.filter((one) => one !== name) ?? [];
  for (const other of others)
    await control(`Scenario ${other} is off`, 'DELETE', `scenarios/${encodeURIComponent(other)}`);
  if (name !== '') await control(`Scenario ${name} is active`, 'PUT', `scenarios/${encodeURIComponent(name)}`);
}

/** Freezes or resumes the clock. Rejects with an `ApiFailure`. */
export function freezeClock(frozen: boolean): Promise<void> {
  return control(frozen ? 'Clock frozen' : 'Clock running', 'PUT', 'clock', { frozen });
}

interface ClockStep {
  readonly label: string;
  readonly seconds: number;
}

/** The steps that the console offers. */
export const clockSteps: readonly ClockStep[] = [
  { label: '1 minute', seconds: 60 },
  { label: '1 hour', seconds: 3600 },
  { label: '1 day', seconds: 86_400 },
  { label: '30 days', seconds: 2_592_000 },
];

/** Advances the clock. Rejects with an `ApiFailure`. */
export function advanceClock({ label, seconds }: ClockStep): Promise<void> {
  return control(`Clock advanced by ${label}`, 'POST', 'clock/advance', { seconds });
}

/** Removes all faults and deactivates all scenarios. Rejects with an `ApiFailure`. */
export function clearFaults(): Promise<void> {
  return control('Faults cleared', 'DELETE', 'faults');
}
