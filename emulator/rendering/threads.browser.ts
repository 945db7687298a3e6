// Orders rendered in workers of a page, which has no limit on their memory but its own.

import type { Registry } from '../../render/index.ts';
import { createLazyEngine } from './lazy-engine.ts';
import type { OrderLimits } from './limits.ts';
import { type PoolRenderer, renderInPools } from './pools.ts';
import { startWorker } from './start-worker.browser.ts';
import { createUploadedCharts } from './uploaded-charts.ts';

/** Describes how a page renders orders. */
export interface RenderWorkerOptions {
  /** Charts of the page, before those that ship with drydock; each is handed to the workers once. */
  readonly registry?: Registry | undefined;
  /** What a rendering may take: see `OrderLimits`. */
  readonly limits?: Partial<OrderLimits> | undefined;
}

/** Returns a renderer whose work is done in workers, so that the page stays responsive; in the page itself where there are none. */
export function renderInWorkers({ registry, limits }: RenderWorkerOptions = {}): PoolRenderer {
  const uploads = createUploadedCharts();
  return renderInPools({
    // Written so that bundlers see it.
    start: () => startWorker(() => new Worker(new URL('./render-worker.js', import.meta.url), { type: 'module' })),
    registry,
    limits,
    uploads,
    fallback: createLazyEngine({ registry, uploads }),
  });
}
