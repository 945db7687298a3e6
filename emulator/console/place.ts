// Where the page is, and how to go elsewhere.

import { type ReadonlySignal, signal } from '@preact/signals';
import { type ConsoleLocation, readPlace } from './address.ts';

const here = signal(readPlace(location.hash));
addEventListener('hashchange', () => {
  here.value = readPlace(location.hash);
});

/** The present place. */
export const place: ReadonlySignal<ConsoleLocation> = here;

/** Replaces the present place, which adds no step to the history of the browser. */
export function replacePlace(href: string): void {
  if (href === location.hash) return;
  history.replaceState(history.state, '', href);
  here.value = readPlace(href);
}

/** Goes to a place. */
export function goTo(href: string): void {
  location.hash = href;
}
