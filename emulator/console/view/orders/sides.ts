// Which parts of the Order's screen are open.

import { type Signal, signal } from '@preact/signals';
import { wantedLine } from '../../order/draft.ts';

/** What is being written: the values of one package as a form or as text, its patch, or the text of all. */
export const writing: Signal<'form' | 'values' | 'patch' | 'order'> = signal('form');

/** The side that a narrow screen shows. */
export const side: Signal<'write' | 'preview'> = signal('write');

/** The field that somebody wants to see, as the way to its value; each wish is a new list. */
export const wantedField: Signal<readonly string[] | undefined> = signal(undefined);

/** Shows a line of the Order's text, from 1; without one the text as it is. */
export function showOrderLine(line?: number): void {
  writing.value = 'order';
  side.value = 'write';
  if (line !== undefined) wantedLine.value = { line };
}

/** Shows the field of a value of the chosen package. */
export function showField(path: readonly string[]): void {
  writing.value = 'form';
  side.value = 'write';
  wantedField.value = path;
}
