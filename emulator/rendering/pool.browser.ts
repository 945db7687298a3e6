// Renders Orders in workers of a page; their memory is limited only by the page's.

import type { PoolWorker, WorkerEnd } from '../../render/workers/pool.ts';
import { type PoolRenderer, type PoolRendererOptions, renderInPool } from './pool.ts';

/** Returns a renderer that uses workers made by `create`; without workers it renders in the page itself. */
export function renderInWorkers(
  create: () => Worker,
  { registry, limits }: Pick<PoolRendererOptions, 'registry' | 'limits'> = {},
): PoolRenderer {
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
