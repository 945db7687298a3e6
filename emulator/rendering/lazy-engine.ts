// Loads the engine in this thread with the first job, because most applications never render. Separate from engine.ts, because a worker
// cannot load modules later.

import { createEngine, type EngineParts, type OrderEngineOptions } from './engine.ts';
import type { Renderer } from './renderer.ts';
import { createUploadedCharts, type UploadedCharts, withUploads } from './uploaded-charts.ts';

/** Options of the engine in this thread. */
interface LazyOptions extends Omit<OrderEngineOptions, 'load' | 'uploads'> {
  /** Default: no uploads. */
  readonly uploads?: UploadedCharts | undefined;
}

/** Returns a renderer in this thread that loads the engine with its first job. */
export function createLazyEngine({ uploads = createUploadedCharts(), ...options }: LazyOptions): Renderer {
  const renderer = createEngine({ ...options, uploads: () => uploads.charts, load: loadParts });
  return withUploads(renderer, uploads);
}

async function loadParts(): Promise<EngineParts> {
  const engine = await import('../../render/index.ts');
  const { default: charts } = await import('../../fixtures/sample-charts.json', { with: { type: 'json' } });
  const { unpackFiles: unpack } = await import('./unpack.ts');
  return { engine, charts, unpack };
}
