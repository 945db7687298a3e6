// The demo: the console with the emulator in the same page. This file runs before the console's and answers its requests.

import type { Emulator } from '../emulator.ts';

let opening: Promise<Emulator> | undefined;

const base = new URL('./', document.baseURI);

// The emulator is loaded on the console's first request, so the page is shown before that.
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

// Without service workers, as on plain HTTP from another machine, the page works, but not offline.
addEventListener('load', () => {
  navigator.serviceWorker?.register(new URL('sw.js', base)).catch(() => undefined);
});
