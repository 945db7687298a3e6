// Which parts of the Order's screen are open.

import { type Signal, signal } from '@preact/signals';
import { wantedLine } from '../../order/draft.ts';

/** What is being written: the values of one package, or the text of all. */
export const writing: Signal<'values' | 'order'> = signal('values');

/** The side that a narrow screen shows. */
export const side: Signal<'write' | 'preview'> = signal('write');

/** Shows a line of the Order's text, from 1; without one the text as it is. */
export function showOrderLine(line?: number): void {
  writing.value = 'order';
  side.value = 'write';
  if (line !== undefined) wantedLine.value = { line };
}
