// What a thread that renders runs, in Node.

import { parentPort } from 'node:worker_threads';
import type { JobMessage } from './messages.ts';
import { createJobRunner } from './thread.ts';

const run = createJobRunner(async (folders) => {
  const { directoryRegistry } = await import('../../render/disk.node.ts');
  return directoryRegistry(folders, { isFlat: true });
});
parentPort?.on('message', (message: JobMessage) => void run(message));
