// Threads that render, in Node: `worker_threads` with a limit on their memory.

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Registry } from '../../render/index.ts';
import { type Lanes, openLanes, type RenderThread, type ThreadEnd } from './lanes.ts';
import { createLazyEngine } from './lazy-engine.ts';
import type { OrderLimits } from './limits.ts';
import { createUploadedCharts } from './uploaded-charts.ts';

/** Describes how orders are rendered in threads. */
export interface ThreadOptions {
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
export function renderInThreads({ folders, registry, limits }: ThreadOptions = {}): Lanes {
  const shelf = createUploadedCharts();
  return openLanes({
    start: startThread,
    folders,
    registry,
    limits,
    shelf,
    fallback: createLazyEngine({ registry, shelf }),
  });
}

// It does not keep the process alive by itself.
function startThread(memory: number): RenderThread {
  const file = threadFile();
  const limits = { resourceLimits: { maxOldGenerationSizeMb: memory } };
  const worker = file.pathname.endsWith('.ts')
    ? new Worker(bundling(file), { ...limits, eval: true })
    : new Worker(file, limits);
  worker.unref();
  const ended = new Promise<ThreadEnd>((resolve) => {
    worker.on('error', (error: NodeJS.ErrnoException) => {
      resolve(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? { why: 'memory' } : { why: 'failure', error });
    });
    worker.on('exit', () => resolve({ why: 'failure', error: new Error('the thread that renders has ended') }));
  });
  return {
    ended,
    post: (message) => worker.postMessage(message, [message.port as never]),
    stop: () => void worker.terminate(),
  };
}

// Where the sources run, a thread bundles them: Node 20 hands TypeScript to no worker, and to load them one by one takes six times as long.
function bundling(file: URL): string {
  const options = {
    entryPoints: [fileURLToPath(file)],
    define: { 'import.meta.url': JSON.stringify(file.href) },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    write: false,
    logLevel: 'error',
  };
  return `const load = require('node:module').createRequire(${JSON.stringify(file.href)});
const { outputFiles } = load('esbuild').buildSync(${JSON.stringify(options)});
new Function('require', outputFiles[0].text)(load);`;
}

// Beside this file in the sources; in the package beside the entry points, whose parts may lie in a folder below.
function threadFile(): URL {
  const places = ['./render-thread.node.ts', './render-thread.js', '../render-thread.js'];
  const files = places.map((place) => new URL(place, import.meta.url));
  return files.find((file) => existsSync(file)) ?? files[1]!;
}
