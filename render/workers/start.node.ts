// Starts the workers of a pool as Node threads.

import { existsSync } from 'node:fs';
import module, { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { PoolWorker, WorkerEnd } from './pool.ts';

/** The program of a thread, and its data. */
export interface ThreadOptions {
  /** The TypeScript file in the sources. */
  readonly source: URL;
  /** The name of its bundle in the package, beside the entry points. */
  readonly name: string;
  readonly data?: unknown;
  /** Memory limit in MiB. Default: Node's. */
  readonly memory?: number | undefined;
}

/** Starts a thread. It keeps the process alive while it has a job. */
export function startThread({ source, name, data, memory }: ThreadOptions): PoolWorker {
  const limits = memory === undefined ? {} : { resourceLimits: { maxOldGenerationSizeMb: memory } };
  const options = { workerData: data, ...codeCache(), ...limits };
  const worker = existsSync(source)
    ? new Worker(loading(source), { ...options, eval: true })
    : new Worker(bundleOf(name), options);
  worker.unref();
  const ended = new Promise<WorkerEnd>((resolve) => {
    worker.on('error', (error: NodeJS.ErrnoException) => {
      resolve(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? { why: 'memory' } : { why: 'failure', error });
    });
    worker.on('exit', () => resolve({ why: 'failure', error: new Error('the thread has ended') }));
  });
  let onMessage = (_: unknown): void => {};
  worker.on('message', (message: { readonly type: string }) => {
    if (message.type === 'done' || message.type === 'failed') worker.unref();
    onMessage(message);
  });
  return {
    ended,
    listen: (listener) => {
      onMessage = listener;
    },
    post: (message) => {
      worker.ref();
      worker.postMessage(message);
    },
    stop: () => void worker.terminate(),
  };
}

/** Node 22.8 and newer. */
interface ModuleWithCache {
  readonly getCompileCacheDir?: () => string | undefined;
}

/** Returns the environment of a thread that caches compiled code where the process does. It would not do so by itself. */
function codeCache(): { readonly env?: NodeJS.ProcessEnv } {
  const folder = (module as ModuleWithCache).getCompileCacheDir?.();
  return folder === undefined ? {} : { env: { ...process.env, NODE_COMPILE_CACHE: dirname(folder) } };
}

// Node 20 cannot run TypeScript in threads.
function loading(source: URL): string {
  const tsx = pathToFileURL(createRequire(source).resolve('tsx/package.json'));
  const api = new URL('./dist/esm/api/index.mjs', tsx);
  return `import('${api}').then(({ register }) => (register(), import('${source}')))`;
}

// Shared chunks of the package are in a folder below the entry points.
function bundleOf(name: string): URL {
  const [beside, above] = [new URL(`./${name}.js`, import.meta.url), new URL(`../${name}.js`, import.meta.url)];
  return existsSync(beside) ? beside : above;
}
