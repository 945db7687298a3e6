// Renders Orders in workers of a page; their memory is limited only by the page's.

import type { Registry } from '../../render/index.ts';
import { createLazyEngine } from './lazy-engine.ts';
import type { OrderLimits } from './limits.ts';
import { type PoolRenderer, renderInPools } from './pools.ts';
import { startWorker } from './start-worker.browser.ts';
import { createUploadedCharts } from './uploaded-charts.ts';

/** Options for rendering in a page. */
export interface RenderWorkerOptions {
  /** Charts of the page, before the bundled ones; each is sent to the workers once. */
  readonly registry?: Registry | undefined;
  /** Limits of a rendering: see `OrderLimits`. */
  readonly limits?: Partial<OrderLimits> | undefined;
}

/** Returns a renderer that uses workers, so that the page stays responsive; without workers it renders in the page itself. */
export function renderInWorkers({ registry, limits }: RenderWorkerOptions = {}): PoolRenderer {
  const uploads = createUploadedCharts();
  return renderInPools({
    // In the form that bundlers recognize.
    start: () => startWorker(() => new Worker(new URL('./render-worker.js', import.meta.url), { type: 'module' })),
    registry,
    limits,
    uploads,
    fallback: createLazyEngine({ registry, uploads }),
  });
}
