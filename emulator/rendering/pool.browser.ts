// Renders Orders in workers of a page; their memory is limited only by the page's.

import type { Registry } from '../../render/index.ts';
import type { PoolWorker, WorkerEnd } from '../../render/workers/pool.ts';
import type { OrderLimits } from './limits.ts';
import { type PoolRenderer, renderInPool } from './pool.ts';

/** Options for rendering in a page. */
export interface RenderWorkerOptions {
  /** Charts of the page, before the bundled ones; each is sent to the workers once. */
  readonly registry?: Registry | undefined;
  /** Limits of a rendering: see `OrderLimits`. */
  readonly limits?: Partial<OrderLimits> | undefined;
}

/**
 * Returns a renderer that uses workers, so that the page stays responsive; without workers it renders in the page itself. `create` creates
 * a worker.
 */
export function renderInWorkers(create: () => Worker, { registry, limits }: RenderWorkerOptions = {}): PoolRenderer {
  return renderInPool({ start: () => startWorker(create), registry, limits });
}

// It ends with `absent` if a bundler or a policy omits it.
function startWorker(create: () => Worker): PoolWorker {
  let worker: Worker | undefined;
  const ended = new Promise<WorkerEnd>((resolve) => {
    try {
      worker = create();
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
    listen: (listener) => {
      if (worker) worker.onmessage = ({ data }) => listener(data);
    },
    post: (message) => worker?.postMessage(message),
    stop: () => worker?.terminate(),
  };
}
