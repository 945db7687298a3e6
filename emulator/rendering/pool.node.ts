// Renders Orders in Node threads with a memory limit.

import type { Registry } from '../../render/index.ts';
import { startThread } from '../../render/workers/start.node.ts';
import type { OrderLimits } from './limits.ts';
import { type PoolRenderer, renderInPool } from './pool.ts';

/** Options for rendering in threads. */
export interface RenderThreadOptions {
  /** Folders of charts, as for `directoryRegistry`; the threads read them themselves. */
  readonly folders?: readonly string[] | undefined;
  /** Further charts; they are found in this thread, and each is sent once. */
  readonly registry?: Registry | undefined;
  /** Limits of a rendering: see `OrderLimits`. */
  readonly limits?: Partial<OrderLimits> | undefined;
}

/**
 * Returns a renderer for `createEmulator` that uses threads, so that no order blocks other requests; a rendering that exceeds its limits
 * fails with LIMIT_REACHED. `stop` ends the threads.
 *
 * @example
 * const { render, stop } = renderInThreads({ folders: ['./charts'], limits: { milliseconds: 5000 } });
 * const emulator = createEmulator({ renderer: render });
 */
export function renderInThreads(options: RenderThreadOptions = {}): PoolRenderer {
  const source = new URL('./worker.node.ts', import.meta.url);
  return renderInPool({ ...options, start: (memory) => startThread({ source, name: 'render-thread', memory }) });
}
