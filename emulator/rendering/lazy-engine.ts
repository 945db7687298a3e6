// The engine of this thread, loaded with the first job: most applications never render. It is a file beside engine.ts,
// because a worker may load nothing later on.

import { createEngine, type EngineParts, type OrderEngineOptions } from './engine.ts';
import type { Renderer } from './renderer.ts';
import { createUploadedCharts, type UploadedCharts, withUploads } from './uploaded-charts.ts';

/** Describes how the engine of this thread renders. */
interface LazyOptions extends Omit<OrderEngineOptions, 'load' | 'uploads'> {
  /** Default: none are uploaded yet. */
  readonly uploads?: UploadedCharts | undefined;
}

/** Returns a renderer that works in this thread and loads the engine with its first job. */
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
