// Orders rendered in threads of Node, with a limit on their memory.

import type { Registry } from '../../render/index.ts';
import { startThread } from '../../render/workers/start.node.ts';
import { createLazyEngine } from './lazy-engine.ts';
import type { OrderLimits } from './limits.ts';
import { type PoolRenderer, renderInPools } from './pools.ts';
import { createUploadedCharts } from './uploaded-charts.ts';

/** Describes how orders are rendered in threads. */
export interface RenderThreadOptions {
  /** Folders of charts, as `directoryRegistry` takes them; the threads read them by themselves. */
  readonly folders?: readonly string[] | undefined;
  /** Further charts; they are found in this thread, and each is handed over once. */
  readonly registry?: Registry | undefined;
  /** What a rendering may take: see `OrderLimits`. */
  readonly limits?: Partial<OrderLimits> | undefined;
}

/**
 * Returns a renderer for `createEmulator` whose work is done in threads of its own, so that no order keeps other requests
 * waiting; what takes more than its limits is stopped with LIMIT_REACHED. `stop` ends the threads.
 *
 * @example
 * const { render, stop } = renderInThreads({ folders: ['./charts'], limits: { milliseconds: 5000 } });
 * const emulator = createEmulator({ renderer: render });
 */
export function renderInThreads({ folders, registry, limits }: RenderThreadOptions = {}): PoolRenderer {
  const uploads = createUploadedCharts();
  const source = new URL('./render-thread.node.ts', import.meta.url);
  return renderInPools({
    start: (memory) => startThread({ source, name: 'render-thread', memory }),
    folders,
    registry,
    limits,
    uploads,
    fallback: createLazyEngine({ registry, uploads }),
  });
}
