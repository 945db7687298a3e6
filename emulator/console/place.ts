// Where the page is, and how to go elsewhere.

import { type ReadonlySignal, signal } from '@preact/signals';
import { type Place, readPlace } from './address.ts';

const here = signal(readPlace(location.hash));
addEventListener('hashchange', () => {
  here.value = readPlace(location.hash);
});

/** The present place. */
export const place: ReadonlySignal<Place> = here;

/** Goes to a place. */
export function goTo(href: string): void {
  location.hash = href;
}
