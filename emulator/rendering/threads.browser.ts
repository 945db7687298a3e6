// Threads that render, in a page: workers. A page has no limit on their memory but its own.

import type { Registry } from '../../render/index.ts';
import { type Lanes, openLanes, type RenderThread, type ThreadEnd } from './lanes.ts';
import { createLazyEngine } from './lazy-engine.ts';
import type { OrderLimits } from './limits.ts';
import { createUploadedCharts } from './uploaded-charts.ts';

/** Describes how a page renders orders. */
export interface WorkerOptions {
  /** Charts of the page, before those that ship with drydock; each is handed to the workers once. */
  readonly registry?: Registry | undefined;
  /** What a rendering may take: see `OrderLimits`. */
  readonly limits?: Partial<OrderLimits> | undefined;
}

/** Returns a renderer whose work is done in workers, so that the page stays quick; in the page itself where there are none. */
export function renderInWorkers({ registry, limits }: WorkerOptions = {}): Lanes {
  const shelf = createUploadedCharts();
  return openLanes({ start: startThread, registry, limits, shelf, fallback: createLazyEngine({ registry, shelf }) });
}

// Where a bundler or a policy leaves the worker out, `ended` says `absent`.
function startThread(): RenderThread {
  let worker: Worker | undefined;
  const ended = new Promise<ThreadEnd>((resolve) => {
    try {
      // Written so that bundlers see it.
      worker = new Worker(new URL('./render-worker.js', import.meta.url), { type: 'module' });
      worker.onerror = (event) => {
        event.preventDefault?.();
        resolve({ why: 'absent' });
      };
    } catch {
      resolve({ why: 'absent' });
    }
  });
  return {
    ended,
    post: (message) => worker?.postMessage(message, [message.port]),
    stop: () => worker?.terminate(),
  };
}
