// The door `drydock/emulator/browser`: the emulator inside a page, its requests caught by msw's service worker.

import { type SetupWorker, setupWorker } from 'msw/browser';
import { createEmulator, type Emulator, type EmulatorOptions } from './emulator.ts';
import { mswHandlers } from './msw.ts';

/** Says where the worker's script is and which requests it answers. */
export interface WorkerOptions extends EmulatorOptions {
  /** The address of msw's worker script, copied next to the page. Default `/mockServiceWorker.js`. */
  readonly workerUrl?: string;
  /** The address that the page calls, without `/api/v1`. Default: any. */
  readonly baseUrl?: string;
  /** Says nothing on the console. Default true. */
  readonly quiet?: boolean;
}

/** Is an emulator at work in a page. */
export interface PageEmulator {
  readonly emulator: Emulator;
  readonly worker: SetupWorker;
  /** Stops answering; the page talks to the network again. */
  stop(): void;
}

/** Starts the emulator in a page and answers from then on. Requests to other addresses go to the network. */
export async function startWorker(options: WorkerOptions = {}): Promise<PageEmulator> {
  const { workerUrl = '/mockServiceWorker.js', baseUrl, quiet = true, ...rest } = options;
  // A page has the origins of others only if it is told so; its own is always let in.
  const emulator = createEmulator({ ...rest, origins: rest.origins ?? ['*'] });
  const worker = setupWorker(...mswHandlers(emulator, baseUrl === undefined ? {} : { baseUrl }));
  await worker.start({ serviceWorker: { url: workerUrl }, onUnhandledRequest: 'bypass', quiet });
  return { emulator, worker, stop: () => worker.stop() };
}
