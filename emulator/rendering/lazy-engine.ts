// The engine of this thread, loaded with the first job: most applications never render. It is a file beside engine.ts,
// because a worker may load nothing later on.

import { createEngine, type EngineOptions, type EngineParts } from './engine.ts';
import type { Renderer } from './renderer.ts';

/** Gives a renderer that works in this thread and loads the engine with its first job. */
export function createLazyEngine(options: Omit<EngineOptions, 'load'>): Renderer {
  return createEngine({ ...options, load: loadParts });
}

async function loadParts(): Promise<EngineParts> {
  const engine = await import('../../render/index.ts');
  const { default: charts } = await import('../../fixtures/sample-charts.json', { with: { type: 'json' } });
  return { engine, charts };
}
