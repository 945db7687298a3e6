// Addresses of the console, the part of a URL after `#`, and navigation.

import { type ReadonlySignal, signal } from '@preact/signals';

/** A place in the console: `#/charts/web?version=1.4.2` is the screen `charts`, about `web`. */
export interface ConsoleLocation {
  readonly screen: string;
  readonly about: readonly string[];
  readonly query: URLSearchParams;
}

/** Parses the part of an address after `#`. */
export function readPlace(hash: string): ConsoleLocation {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?');
  const [screen = '', ...about] = path.split('/').map(decodeWord);
  return { screen: screen === '' ? 'orders' : screen, about, query: new URLSearchParams(query) };
}

// An incomplete escape was typed by a user.
function decodeWord(word: string): string {
  try {
    return decodeURIComponent(word);
  } catch {
    return word;
  }
}

export function hrefOf(
  screen: string,
  about: readonly string[] = [],
  query: Readonly<Record<string, string>> = {},
): string {
  const search = new URLSearchParams(query).toString();
  return `#/${[screen, ...about].map(encodeURIComponent).join('/')}${search === '' ? '' : `?${search}`}`;
}

const here = signal(readPlace(location.hash));
addEventListener('hashchange', () => {
  here.value = readPlace(location.hash);
});

export const place: ReadonlySignal<ConsoleLocation> = here;

/** Replaces the current place without a history entry. */
export function replacePlace(href: string): void {
  if (href === location.hash) return;
  history.replaceState(history.state, '', href);
  here.value = readPlace(href);
}

export function goTo(href: string): void {
  location.hash = href;
}
