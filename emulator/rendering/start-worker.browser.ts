// Starts the workers of a pool in a page.

import type { PoolWorker, WorkerEnd } from '../../render/workers/pool.ts';

/** Starts a worker. It ends with `absent` if a bundler or a policy omits it. */
export function startWorker(create: () => Worker): PoolWorker {
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
