// Navigation: the current place, and links to others.

import { type ReadonlySignal, signal } from '@preact/signals';
import { type ConsoleLocation, readPlace } from './address.ts';

const here = signal(readPlace(location.hash));
addEventListener('hashchange', () => {
  here.value = readPlace(location.hash);
});

/** The present place. */
export const place: ReadonlySignal<ConsoleLocation> = here;

/** Replaces the current place without a history entry. */
export function replacePlace(href: string): void {
  if (href === location.hash) return;
  history.replaceState(history.state, '', href);
  here.value = readPlace(href);
}

/** Goes to a place. */
export function goTo(href: string): void {
  location.hash = href;
}
