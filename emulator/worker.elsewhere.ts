// Replaces `drydock/emulator/browser` outside of pages, so that universal code can import it: it refuses to start.

import { checkArguments, workerOptionsArgument } from './core/arguments.ts';
import { EmulatorError } from './core/errors.ts';
import type { PageEmulator, WorkerOptions } from './worker.browser.ts';

export type { PageEmulator, WorkerOptions } from './worker.browser.ts';

/** Rejects with an `EmulatorError`: ARGUMENT_INVALID for invalid options, otherwise PAGE_REQUIRED, as service workers exist only in pages. */
export async function startWorker(options: WorkerOptions = {}): Promise<PageEmulator> {
  checkArguments('startWorker', ['options', options, workerOptionsArgument]);
  const hint =
    'Start it in the page alone; here use startServer of drydock/emulator/node or mswHandlers of drydock/emulator/msw.';
  const message = 'drydock/emulator/browser was started outside a page, where there is no service worker';
  throw new EmulatorError('PAGE_REQUIRED', [{ path: '', message, hint }]);
}
