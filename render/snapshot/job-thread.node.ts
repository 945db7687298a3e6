// The program of a thread: processes inputs in sequence.

import { parentPort, workerData } from 'node:worker_threads';
import { RenderCache } from './cache.node.ts';
import { noCoverage } from './coverage.node.ts';
import type { InputJob } from './input.node.ts';
import { answerJob, type ThreadData } from './pool.node.ts';

const { settings, comparison, cwd, env, cache, base } = workerData as ThreadData;
const run = {
  settings,
  comparison,
  io: { cwd, env, stdin: async () => '', stderr: () => {} },
  coverage: noCoverage,
  cache: cache && { ...cache, store: new RenderCache(cache.folder) },
  base,
};

parentPort?.on('message', async ({ job }: { readonly job: InputJob }) => {
  parentPort?.postMessage({ type: 'done', answer: await answerJob(job, run) });
});
