// The engine in this thread. Separate from engine.ts, because bundlers such as Vite create a classic worker from one file, without dynamic
// imports.

import { lazy } from '../../render/core/lazy.ts';
import type { InThreadOptions } from './engine.ts';
import type { Renderer } from './renderer.ts';

/** Returns a renderer in this thread, which loads the engine with its first job, because most applications never render. */
export function createLazyEngine(options: InThreadOptions): Renderer {
  const engine = lazy(() => import('./engine.ts').then(({ createEngine }) => createEngine(options)));
  return async (job) => (await engine())(job);
}
