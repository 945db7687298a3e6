// The state of the Order screen: editor, preview and selected package, which are part of its address.

import { batch, effect, type Signal, signal } from '@preact/signals';
import { chosen, wantedLine } from '../../order/draft.ts';
import type { Decider } from '../../order/why.ts';
import { hrefOf, place, replacePlace } from '../../place.ts';

export const editorTabs = ['form', 'values', 'patch', 'order'] as const;
export const previewTabs = [
  'manifest',
  'resources',
  'images',
  'computed',
  'scripts',
  'notes',
  'checks',
  'compare',
] as const;

export const editorTab: Signal<(typeof editorTabs)[number]> = signal('form');
export const previewTab: Signal<(typeof previewTabs)[number]> = signal('manifest');

// The address determines the selection, and a selection changes the address.
effect(() => {
  const { screen, query } = place.value;
  if (screen !== 'orders') return;
  const [editor, tab, index] = ['editor', 'tab', 'package'].map((name) => query.get(name));
  batch(() => {
    editorTab.value = editorTabs.find((one) => one === editor) ?? editorTab.peek();
    previewTab.value = previewTabs.find((one) => one === tab) ?? previewTab.peek();
    if (index && /^[1-9]\d{0,3}$/.test(index)) chosen.value = Number(index) - 1;
  });
});

effect(() => {
  const [editor, tab, index] = [editorTab.value, previewTab.value, chosen.value];
  const { screen, query } = place.value;
  // An Order in a link is opened first.
  if (screen !== 'orders' || query.has('order')) return;
  const wanted = {
    ...(editor !== 'form' && { editor }),
    ...(tab !== 'manifest' && { tab }),
    ...(index > 0 && { package: String(index + 1) }),
  };
  if (Object.keys(wanted).length > 0 || query.size > 0) replacePlace(hrefOf('orders', [], wanted));
});

export const narrowSide: Signal<'write' | 'preview'> = signal('write');

/** The field to show, as a value path; each request is a new list. */
export const wantedField: Signal<readonly string[] | undefined> = signal(undefined);

/** Shows a line of the Order's text, from 1; without one just the text. */
export function showOrderLine(line?: number): void {
  editorTab.value = 'order';
  narrowSide.value = 'write';
  if (line !== undefined) wantedLine.value = { line };
}

/** Shows the field of a value of a package (index from 0). */
export function showField(index: number, path: readonly string[]): void {
  chosen.value = index;
  editorTab.value = 'form';
  narrowSide.value = 'write';
  wantedField.value = path;
}

/** Shows where the value that decides a line is edited. */
export function showDecider({ index, steps, member }: Decider): void {
  chosen.value = index;
  narrowSide.value = 'write';
  if (steps) showField(index, steps);
  // The fields of the package are shown with the next frame.
  else requestAnimationFrame(() => document.getElementById(`package-${member}`)?.focus());
}
