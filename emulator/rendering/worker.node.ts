// The program of a rendering thread in Node.

import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { serveJobs, type WorkerPort } from './worker.ts';

// Linux has thread priorities: other requests take precedence over renderings.
if (process.platform === 'linux') setPriority(4);

const port = parentPort!;
const channel = {
  post: (message: unknown, transfer: Transferable[] = []) => port.postMessage(message, transfer as never),
  listen: (listener: Parameters<WorkerPort['listen']>[0]) => void port.on('message', listener),
};
serveJobs(channel, async (folders) => {
  const { directoryRegistry } = await import('../../render/disk.node.ts');
  const { listCharts } = await import('./chart-folders.node.ts');
  const { schemasFor } = await import('../../render/vendor/lock/registry.node.ts');
  const archives: Parameters<typeof listCharts>[1] = new Map();
  return {
    registry: directoryRegistry(folders, { isFlat: true }),
    // Lock files are read again for each schema, because folders are edited while the emulator runs.
    schemas: (url) => schemasFor(folders).source(url),
    list: () => listCharts(folders, archives),
  };
});
