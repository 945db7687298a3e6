// State shared by all screens: the emulator, the current user, the available charts, the last message.

import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { ApiFailure, errorMessage, request, type SeededUser } from './api.ts';

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

/** The Helm versions supported by the server, and its default. */
export interface KnownHelms {
  readonly versions: readonly string[];
  readonly default: string | number;
}

/** The clock of the emulator. */
export interface ClockStatus {
  readonly now: string;
  readonly frozen: boolean;
}

/** The response of `GET /__drydock/status`. */
export interface Status {
  readonly users: readonly SeededUser[];
  readonly helm: KnownHelms;
  readonly clock: ClockStatus;
  readonly scenarios: readonly string[];
  readonly activeScenarios: readonly string[];
  /** Number of active faults, including those of scenarios. */
  readonly faults: number;
}

/** The state of the emulator; undefined until it is loaded. */
export const status: Signal<Status | undefined> = signal(undefined);

const noHelms: KnownHelms = { versions: [], default: '' };

/** The Helm versions; empty until the state is loaded. */
export const helms: ReadonlySignal<KnownHelms> = computed(() => status.value?.helm ?? noHelms);

/** The users that have a token; undefined until the state is loaded. */
export const users: ReadonlySignal<readonly SeededUser[] | undefined> = computed(() => status.value?.users);

const login = signal(localStorage.getItem('drydock.user') ?? '');

/** The current user: the console calls the API with their token. */
export const currentUser: ReadonlySignal<SeededUser | undefined> = computed(
  () => users.value?.find((one) => one.login === login.value) ?? users.value?.[0],
);

/** Signs in as another user. */
export function signInAs(name: string): void {
  login.value = name;
  localStorage.setItem('drydock.user', name);
}

/** The available charts; undefined until they are loaded. */
export const charts: Signal<readonly AvailableChart[] | undefined> = signal(undefined);

/** Why the charts could not be loaded. */
export const chartsFault: Signal<string | undefined> = signal(undefined);

/** The last message, until it disappears. */
export const message: Signal<Message | undefined> = signal(undefined);

/** A message, with an optional button. */
export interface Message {
  readonly text: string;
  readonly isError: boolean;
  readonly action?: MessageAction | undefined;
}

/** A button in a message. */
export interface MessageAction {
  readonly label: string;
  readonly run: () => void;
}

let silence: ReturnType<typeof setTimeout> | undefined;

/** Shows a message for a moment; errors, and messages with a button, stay longer. */
export function showMessage(text: string, isError = false, action?: MessageAction): void {
  message.value = { text, isError, action };
  clearTimeout(silence);
  silence = setTimeout(
    () => {
      message.value = undefined;
    },
    isError || action ? 12_000 : 4000,
  );
}

/** Shows an error. */
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

/** Loads the list of charts. */
export async function loadCharts(): Promise<void> {
  try {
    charts.value = await request<readonly AvailableChart[]>('GET', '__drydock/charts');
    chartsFault.value = undefined;
  } catch (failure) {
    chartsFault.value = errorMessage(failure);
  }
}
