// The entry point `drydock/emulator/browser`: the emulator inside a page, with requests intercepted by msw's service worker.

import { type SetupWorker, setupWorker } from 'msw/browser';
import type { Route } from './app/route.ts';
import { checkArguments, workerOptionsArgument } from './core/arguments.ts';
import { EmulatorError } from './core/errors.ts';
import { createEmulator, type Emulator, type EmulatorOptions } from './emulator.ts';
import { mswHandlers } from './msw.ts';
import { shareState } from './persistence/tabs.browser.ts';
import { renderInWorkers } from './rendering/pool.browser.ts';

/** The worker's script, and the requests to answer. */
export interface WorkerOptions extends EmulatorOptions {
  /** The URL of msw's worker script, copied next to the page (`drydock init public/`). Default `/mockServiceWorker.js`. */
  readonly workerUrl?: string;
  /** The base URL of the page's requests, without `/api/v1`. Default: any origin, for the routes of the API and the sign-in only. */
  readonly baseUrl?: string;
  /** Keeps the state over reloads, in IndexedDB, and shares it between tabs. Default true. */
  readonly keep?: boolean;
  /** Whether nothing is logged to the console. Default true. */
  readonly quiet?: boolean;
}

/** A running emulator in a page. */
export interface PageEmulator {
  readonly emulator: Emulator;
  readonly worker: SetupWorker;
  /** Stops answering after every caller that started it has stopped it; requests then go to the network again. */
  stop(): void;
}

interface Service {
  readonly emulator: Emulator;
  readonly options: string | undefined;
  readonly routes: readonly Route[];
  readonly handlers: ReturnType<typeof mswHandlers>;
  readonly shared: Promise<void>;
  starts: number;
}

/** Shared by all copies of this module in a page: the worker, and its emulator. */
interface Station {
  readonly worker: SetupWorker;
  service: Service | undefined;
  workerUrl: string;
  up: Promise<unknown> | undefined;
}

// In the form that bundlers recognize, and in this file, because the script is beside the entry point in dist/.
const createWorker = (): Worker => new Worker(new URL('./render-worker.js', import.meta.url), { type: 'module' });

/**
 * Starts the emulator in a page. Requests to other addresses go to the network. Started again with the same options, as by React's
 * StrictMode and hot updates, it is the same emulator; other options replace it. Rejects with an `EmulatorError` (ARGUMENT_INVALID,
 * SETTING_INVALID) for invalid options, and with msw's error if its script is missing.
 */
export async function startWorker(options: WorkerOptions = {}): Promise<PageEmulator> {
  checkArguments('startWorker', ['options', options, workerOptionsArgument]);
  const { workerUrl = '/mockServiceWorker.js', quiet = true } = options;
  const station = openStation(workerUrl);
  const service = openService(station, options);
  service.starts++;
  // The page's own handlers, set with `worker.use`, are added after them.
  if (service.starts === 1) station.worker.resetHandlers(...service.handlers);
  let stopped = false;
  const stop = (): void => {
    if (stopped) return;
    stopped = true;
    leave(station, service);
  };
  try {
    await service.shared;
    const serviceWorker = { url: station.workerUrl };
    station.up ??= station.worker.start({ serviceWorker, onUnhandledRequest: 'bypass', quiet });
    await station.up;
  } catch (failure) {
    station.up = undefined;
    stop();
    throw failure;
  }
  return { emulator: service.emulator, worker: station.worker, stop };
}

const stationKey = Symbol.for('drydock.page');

function openStation(workerUrl: string): Station {
  const page = globalThis as { [stationKey]?: Station };
  page[stationKey] ??= { worker: setupWorker(), service: undefined, workerUrl, up: undefined };
  const station = page[stationKey];
  if (station.workerUrl !== workerUrl && station.up) {
    const message = `the page has a worker from ${station.workerUrl} already, and can have one only`;
    throw new EmulatorError('SETTING_INVALID', [{ path: 'workerUrl', message }]);
  }
  station.workerUrl = workerUrl;
  return station;
}

function openService(station: Station, options: WorkerOptions): Service {
  const { workerUrl: _url, quiet: _quiet, baseUrl, keep = true, ...rest } = options;
  const text = textOf([keep, baseUrl, rest]);
  const known = station.service;
  if (text !== undefined && known?.options === text && hasRoutes(known, rest.routes)) return known;
  // Other origins must be allowed explicitly; the page's own is always allowed.
  const origins = rest.origins ?? ['*'];
  const renderer = rest.renderer ?? renderInWorkers(createWorker, rest).render;
  const emulator = createEmulator({ ...rest, renderer, origins });
  const handlers = mswHandlers(emulator, baseUrl === undefined ? {} : { baseUrl });
  const shared = keep ? shareState(emulator, baseUrl ?? '') : Promise.resolve();
  station.service = { emulator, options: text, routes: rest.routes ?? [], handlers, shared, starts: 0 };
  return station.service;
}

// Handlers cannot be compared by content: a hot update creates new ones.
function hasRoutes({ routes }: Service, wanted: readonly Route[] = []): boolean {
  return routes.length === wanted.length && routes.every((route, at) => route === wanted[at]);
}

// Options that cannot be serialized make another emulator each time; they are validated when it is created.
function textOf(options: unknown): string | undefined {
  try {
    return JSON.stringify(options);
  } catch {
    return undefined;
  }
}

// Callers that started an emulator that was replaced do not stop the new one.
function leave(station: Station, service: Service): void {
  service.starts--;
  if (service.starts > 0 || service !== station.service || !station.up) return;
  station.up = undefined;
  station.worker.resetHandlers();
  station.worker.stop();
}
