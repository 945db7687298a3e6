// The demo: the console with the emulator in its own page. This file runs before the console's and answers what it asks.

import type { Emulator } from '../emulator.ts';

let opening: Promise<Emulator> | undefined;

const base = new URL('./', document.baseURI);

// The emulator comes when the console first asks for something: the page is shown before that.
async function answer(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  opening ??= import('./in-page.browser.ts').then(({ openInPage }) => openInPage(base));
  const url = new URL(input instanceof Request ? input.url : input, base);
  const emulator = await opening;
  return emulator.fetch(new URL(url.href.slice(base.href.length - 1), base.origin), init);
}

const order = document.querySelector<HTMLMetaElement>('meta[name=drydock-order]')?.content;
const shared = globalThis as { [key: symbol]: unknown };
shared[Symbol.for('drydock.console.fetch')] = answer;
if (order !== undefined) shared[Symbol.for('drydock.console.order')] = order;

// Where there are no service workers, as on plain HTTP from another machine, the page works all the same, but not offline.
addEventListener('load', () => {
  navigator.serviceWorker?.register(new URL('sw.js', base)).catch(() => undefined);
});
