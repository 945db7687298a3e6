// The edited Order: its text, kept over reloads, and its rendering, which does not block typing.

import { batch, computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { ApiFailure, type DraftIssue, type Refusal, request, world } from '../api.ts';
import { keepItem, storedItem } from '../storage.ts';
import { commentOut, emptyOrder, type OrderView, readOrderView } from './document.ts';
import { compareManifests, type ManifestChanges, type OutlinedObject, outlineManifest } from './manifest.ts';

const orderKey: unique symbol = Symbol.for('drydock.console.order') as never;

/** Why a package does not render, and its index in the Order. */
interface PackageFailure {
  readonly index: number;
  readonly refusal: Refusal;
}

export interface Preview {
  readonly kubeVersion: string;
  readonly packages: readonly {
    readonly path: string;
    readonly chart: string;
    readonly version: string;
    readonly release: string;
    readonly namespace: string;
    readonly objects: number;
  }[];
  readonly manifest: string;
  readonly notes: string;
  readonly warnings: readonly DraftIssue[];
  /** The rendered text: the Order without failed packages. */
  readonly order: string;
  /** The index in the Order of each rendered package. */
  readonly indexes: readonly number[];
  readonly failures: readonly PackageFailure[];
  readonly took: number;
}

// A page can provide its initial Order: pages of one host are then stored separately.
const given = (globalThis as { readonly [orderKey]?: string })[orderKey];
const key = `drydock.order${world === '' ? '' : `@${world}`}${given === undefined ? '' : ` ${location.pathname}`}`;

export const orderDraft: Signal<string> = signal(storedItem(key) ?? given ?? emptyOrder);

/** The parsed Order, as far as possible. */
export const orderView: ReadonlySignal<OrderView> = computed(() => readOrderView(orderDraft.value));

export const chosen: Signal<number> = signal(0);

export const preview: Signal<Preview | undefined> = signal(undefined);

/** Why the current text does not render; undefined if it does, or is not rendered yet. */
export const draftFailure: Signal<Refusal | undefined> = signal(undefined);

/** The checks of the last rendered text. */
export const checks: Signal<readonly DraftIssue[] | undefined> = signal(undefined);

export const isRendering: Signal<boolean> = signal(false);

export const outline: ReadonlySignal<readonly OutlinedObject[]> = computed(() =>
  outlineManifest(preview.value?.manifest ?? ''),
);

// The objects when the Order was opened or saved; undefined before the first one.
const baseline: Signal<readonly OutlinedObject[] | undefined> = signal(undefined);

/** Uses the current manifest as the baseline of changes. */
export function markUnchanged(): void {
  baseline.value = preview.peek() && outline.peek();
}

const noChanges: ManifestChanges = { added: new Set(), changed: new Map(), removed: [] };

/** What changed in the manifest since the Order was opened or saved. */
export const manifestChanges: ReadonlySignal<ManifestChanges> = computed(() => {
  const before = baseline.value;
  return before === undefined || preview.value === undefined ? noChanges : compareManifests(before, outline.value);
});

/** A line of the Order to scroll to; each request is a new object. */
export const wantedLine: Signal<{ readonly line: number } | undefined> = signal(undefined);

const helmKey = 'drydock.helm';

/** The Helm version to render for; empty for the server's default. */
export const helm: Signal<string> = signal(storedItem(helmKey) ?? '');

/** Renders for a Helm version from now on. */
export function showHelm(version: string): void {
  helm.value = version;
  keepItem(helmKey, version);
}

/** Returns the URL of a draft query, for the selected Helm version. */
export function previewPath(path = '', query: Readonly<Record<string, string>> = {}): string {
  const search = new URLSearchParams({ ...(helm.peek() !== '' && { helm: helm.peek() }), ...query }).toString();
  return `__drydock/preview${path}${search === '' ? '' : `?${search}`}`;
}

const again = signal(0);

/** Renders again, because something other than the text has changed. */
export function renderAgain(): void {
  again.value++;
}

export const orderHistory: History = createHistory(orderDraft);

/** Changes the Order. `label` describes the edit, after "Undo: ". */
export const changeOrder = (text: string, label: string): void => orderHistory.change(text, label);

export const typeOrder = (text: string, label: string): void => orderHistory.change(text, label, true);

const savedKey = `${key} saved`;

/** The text of the Order when it was saved or opened, or undefined. */
export const savedOrder: Signal<string | undefined> = signal(storedItem(savedKey) ?? undefined);

effect(() => keepItem(savedKey, savedOrder.value));

/** Opens another Order instead of this one, which can be undone. */
export function openOrder(text: string, label: string): void {
  changeOrder(text, label);
  // The rendering of the previous Order must not be shown as this one's.
  preview.value = undefined;
  checks.value = undefined;
  baseline.value = undefined;
  chosen.value = 0;
}

const pause = 120;
const checkPause = 300;
let timer: ReturnType<typeof setTimeout> | undefined;
let stop = new AbortController();
// A rendering that takes longer is aborted for newer edits: an endless chart must not block the next one.
const patience = 1000;

// Edits that are not stored yet: leaving or reloading the page during the pause must not lose them.
let unkept: string | undefined;

function keep(): void {
  if (unkept === undefined) return;
  keepItem(key, unkept === given ? undefined : unkept);
  unkept = undefined;
}

addEventListener('pagehide', keep);

// Another page with the same Order has stored a change, which is taken over so that the next edit here does not revert it. Undo restores
// the previous text. If this page has pending edits, those win and the other page takes them over.
addEventListener('storage', ({ key: changed, newValue }) => {
  // The initial Order of the page is not stored.
  const text = newValue ?? given;
  if (changed !== key || text === undefined || unkept !== undefined) return;
  changeOrder(text, 'change in another tab');
  // It is stored already: storing it again, later, would revert the next change of the other page.
  unkept = undefined;
});

// What is to be rendered: a new object after each change.
const wanted = computed(() => ({ text: orderDraft.value, helm: helm.value, round: again.value }));

// One rendering at a time: during fast typing, intermediate texts are skipped, but the last one is always rendered.
effect(() => {
  unkept = wanted.value.text;
  clearTimeout(timer);
  timer = setTimeout(() => {
    keep();
    void renderNow();
  }, pause);
});

async function renderNow(): Promise<void> {
  if (isRendering.value) {
    const { signal: given } = stop;
    setTimeout(() => given === stop.signal && stop.abort(), patience);
    return;
  }
  isRendering.value = true;
  try {
    let rendered: { readonly text: string } | undefined;
    while (rendered !== wanted.value) {
      const next = wanted.value;
      if (await renderText(next.text)) rendered = next;
    }
  } finally {
    isRendering.value = false;
  }
  clearTimeout(checkTimer);
  checkTimer = setTimeout(checkNow, checkPause);
}

// Returns whether it finished, with or without an error.
async function renderText(order: string): Promise<boolean> {
  if (orderView.value.packages.length === 0 && orderView.value.fault === undefined) {
    batch(() => {
      preview.value = undefined;
      baseline.value = undefined;
      draftFailure.value = undefined;
      checks.value = undefined;
    });
    return true;
  }
  stop = new AbortController();
  const { signal: given } = stop;
  try {
    const rendered = await renderPackages(order, given);
    batch(() => {
      preview.value = rendered;
      baseline.value ??= outline.value;
      draftFailure.value = undefined;
    });
  } catch (error) {
    if (given.aborted) return false;
    draftFailure.value = refusalOf(error);
  }
  return true;
}

// The last good rendering stays while typing. Without one, failed packages are left out. Rejects with the first error if nothing renders.
async function renderPackages(order: string, signal: AbortSignal): Promise<Preview> {
  const started = performance.now();
  const known = preview.peek();
  const isPartial = known === undefined || known.failures.length > 0;
  const failures: PackageFailure[] = [];
  let indexes = orderView.peek().packages.map((_, index) => index);
  let first: unknown;
  for (let text = order; ; ) {
    try {
      const answer = await request<Omit<Preview, 'order' | 'took' | 'indexes' | 'failures'>>('POST', previewPath(), {
        body: { order: text },
        signal,
      });
      return { ...answer, order: text, indexes, failures, took: performance.now() - started };
    } catch (error) {
      first ??= error;
      const refusal = refusalOf(error);
      const failed = failedPackage(refusal);
      const left = isPartial && failed !== undefined && indexes.length > 1 ? commentOut(text, failed) : undefined;
      if (signal.aborted || left === undefined || failed === undefined) throw first;
      failures.push({ index: indexes[failed] ?? failed, refusal });
      indexes = indexes.filter((_, at) => at !== failed);
      text = left;
    }
  }
}

function refusalOf(error: unknown): Refusal {
  return error instanceof ApiFailure ? error.refusal : { message: String(error) };
}

// Index in the sent text.
function failedPackage({ issues = [] }: Refusal): number | undefined {
  const index = /^spec\.(?:packages|items)\[(\d+)\]/.exec(issues[0]?.path ?? '')?.[1];
  return index === undefined ? undefined : Number(index);
}

let checkTimer: ReturnType<typeof setTimeout> | undefined;

async function checkNow(): Promise<void> {
  const rendered = preview.value;
  if (rendered === undefined || draftFailure.value !== undefined || isRendering.value) return;
  const body = { order: rendered.order };
  // The rendering itself reports errors.
  const found = await request<readonly DraftIssue[]>('POST', previewPath('/checks'), { body }).catch(() => undefined);
  if (found && rendered === preview.value) checks.value = found;
}

/** Problems of the current text with a line, for the editor. */
export const marks: ReadonlySignal<readonly DraftIssue[]> = computed(() => {
  const failed = preview.value?.failures.flatMap(({ refusal }) => refusal.issues ?? []) ?? [];
  const broken = draftFailure.value;
  const own = broken?.issues ?? [...failed, ...(checks.value ?? preview.value?.warnings ?? [])];
  // A syntax error has its place in the refusal.
  const isSyntax =
    broken?.line !== undefined && broken.template === 'order.yaml' && own.every(({ path }) => path === '');
  return isSyntax ? [{ ...broken, path: '', severity: 'error' }] : own.map(placedInOrder);
});

function placedInOrder(issue: DraftIssue): DraftIssue {
  const { line, column, place } = issue;
  if (line !== undefined || place?.file !== 'order.yaml' || place.line === undefined) return issue;
  return { ...issue, line: place.line, column: column ?? place.column ?? 1 };
}

/** An edit: a label to follow "Undo: ", the text before it (undo) or after it (redo), and its time in milliseconds since 1970. */
interface Edit {
  readonly label: string;
  readonly text: string;
  readonly time: number;
}

/** The history of a text, for all edits of lists, forms and text. */
export interface History {
  /** The label of the next undo, such as `add web`; undefined if there is none. */
  readonly undoLabel: ReadonlySignal<string | undefined>;
  readonly redoLabel: ReadonlySignal<string | undefined>;
  /** Changes the text. Typing that continues within a second is one edit. */
  change(text: string, label: string, isTyping?: boolean): void;
  /** Reverts the last edit and returns its label; undefined if there is none. */
  undo(): string | undefined;
  redo(): string | undefined;
}

const longest = 100;
const typingPause = 1000;

/** Creates a history for a text. `now` returns the time in milliseconds since 1970. */
export function createHistory(text: Signal<string>, now: () => number = Date.now): History {
  const past = signal<readonly Edit[]>([]);
  const future = signal<readonly Edit[]>([]);
  // The edit that typing continues; undo or another edit closes it.
  let typing: string | undefined;
  const step = (from: Signal<readonly Edit[]>, to: Signal<readonly Edit[]>): string | undefined => {
    const edit = from.peek().at(-1);
    if (!edit) return undefined;
    from.value = from.peek().slice(0, -1);
    to.value = [...to.peek(), { ...edit, text: text.peek() }];
    typing = undefined;
    text.value = edit.text;
    return edit.label;
  };
  return {
    undoLabel: computed(() => past.value.at(-1)?.label),
    redoLabel: computed(() => future.value.at(-1)?.label),
    change: (changed, label, isTyping = false) => {
      if (changed === text.peek()) return;
      const last = past.peek().at(-1);
      const time = now();
      if (isTyping && last && typing === label && time - last.time < typingPause)
        past.value = [...past.peek().slice(0, -1), { ...last, time }];
      else past.value = [...past.peek(), { label, text: text.peek(), time }].slice(-longest);
      typing = isTyping ? label : undefined;
      future.value = [];
      text.value = changed;
    },
    undo: () => step(past, future),
    redo: () => step(future, past),
  };
}
