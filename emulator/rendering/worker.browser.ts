// The program of a rendering worker in a page.

import type { ToWorker } from './worker.ts';
import { serveJobs } from './worker.ts';

serveJobs({
  post: (message, transfer = []) =>
    (postMessage as (message: unknown, transfer: Transferable[]) => void)(message, transfer),
  listen: (listener) => addEventListener('message', (event) => listener((event as MessageEvent<ToWorker>).data)),
});
