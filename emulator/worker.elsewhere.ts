// What takes the place of `drydock/emulator/browser` outside a page, so that code for both can import it: it refuses to start.

import type { PageEmulator, WorkerOptions } from './worker.browser.ts';

export type { PageEmulator, WorkerOptions } from './worker.browser.ts';

/** Rejects: only a page has service workers. */
export function startWorker(_options: WorkerOptions = {}): Promise<PageEmulator> {
  const mend =
    'Start it in the page alone; here use startServer of drydock/emulator/node or mswHandlers of drydock/emulator/msw.';
  return Promise.reject(
    new Error(`drydock/emulator/browser was started outside a page, where no service worker is. ${mend}`),
  );
}
