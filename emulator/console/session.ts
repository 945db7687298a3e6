// What the whole page knows: who acts, which charts are at hand, what was said last.

import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { ApiFailure, ask, type SeededUser, wordsOf } from './api.ts';

/** A chart at hand; `fault` says why one cannot be read. */
export interface ListedChart {
  readonly name: string;
  readonly version: string;
  readonly appVersion?: string;
  readonly description?: string;
  readonly type?: string;
  readonly deprecated?: boolean;
  readonly hasSchema?: boolean;
  readonly kubeVersion?: string;
  readonly keywords?: readonly string[];
  /** A picture of its own, as `data:` address. */
  readonly icon?: string;
  readonly sourceRef: Readonly<Record<string, string>>;
  readonly fault?: string;
}

/** The Helm versions that the server knows, and the one that it is set to. */
export interface KnownHelms {
  readonly versions: readonly string[];
  readonly default: string | number;
}

/** The Helm versions, none until the server told. */
export const helms: Signal<KnownHelms> = signal({ versions: [], default: '' });

/** The users that have a token; undefined until the server told. */
export const users: Signal<readonly SeededUser[] | undefined> = signal(undefined);

const login = signal(localStorage.getItem('drydock.user') ?? '');

/** The user in whose name the page calls the API. */
export const user: ReadonlySignal<SeededUser | undefined> = computed(
  () => users.value?.find((one) => one.login === login.value) ?? users.value?.[0],
);

/** Acts as another user from now on. */
export function actAs(name: string): void {
  login.value = name;
  localStorage.setItem('drydock.user', name);
}

/** The charts at hand; undefined until the server told. */
export const charts: Signal<readonly ListedChart[] | undefined> = signal(undefined);

/** Why the charts are not known. */
export const chartsFault: Signal<string | undefined> = signal(undefined);

/** What was said last, for a moment. */
export const said: Signal<Said | undefined> = signal(undefined);

/** A message, with a button beside it if there is something to do about it. */
export interface Said {
  readonly text: string;
  readonly isError: boolean;
  readonly action?: SaidAction | undefined;
}

/** A button in a message. */
export interface SaidAction {
  readonly label: string;
  readonly run: () => void;
}

let silence: ReturnType<typeof setTimeout> | undefined;

/** Shows a message for a moment; errors, and messages with a button, stay longer. */
export function say(text: string, isError = false, action?: SaidAction): void {
  said.value = { text, isError, action };
  clearTimeout(silence);
  silence = setTimeout(
    () => {
      said.value = undefined;
    },
    isError || action ? 12_000 : 4000,
  );
}

/** Returns what went wrong. */
export function sayFailure(failure: unknown): void {
  const mend = failure instanceof ApiFailure && failure.refusal.mend ? ` ${failure.refusal.mend}` : '';
  say(`${wordsOf(failure)}${mend}`, true);
}

/** Asks for what the whole page needs. */
export async function loadSession(): Promise<void> {
  await Promise.all([loadUsers(), loadCharts()]);
}

async function loadUsers(): Promise<void> {
  try {
    const status = await ask<{ users: readonly SeededUser[]; helm: KnownHelms }>('GET', '__drydock/status');
    users.value = status.users;
    helms.value = status.helm;
  } catch (failure) {
    sayFailure(failure);
  }
}

/** Asks which charts are at hand. */
export async function loadCharts(): Promise<void> {
  try {
    charts.value = await ask<readonly ListedChart[]>('GET', '__drydock/charts');
    chartsFault.value = undefined;
  } catch (failure) {
    chartsFault.value = wordsOf(failure);
  }
}
