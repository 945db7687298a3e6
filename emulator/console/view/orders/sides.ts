// Which parts of the Order's screen are open.

import { type Signal, signal } from '@preact/signals';
import { chosen, wantedLine } from '../../order/draft.ts';
import type { Decider } from '../../order/why.ts';

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

/** Shows the field of a value of a package, from 0. */
export function showField(index: number, path: readonly string[]): void {
  chosen.value = index;
  writing.value = 'form';
  side.value = 'write';
  wantedField.value = path;
}

/** The member of a package that somebody wants to see; each wish is a new object. */
export const wantedMember: Signal<{ readonly name: string } | undefined> = signal(undefined);

/** Shows where a value is written that decides a line. */
export function showDecider({ index, steps, member }: Decider): void {
  if (steps) {
    showField(index, steps);
    return;
  }
  chosen.value = index;
  side.value = 'write';
  if (member) wantedMember.value = { name: member };
}
