// The emulator of the demo, whose renderings run in workers.

import { createEmulator, type Emulator } from '../emulator.ts';
import { openLanes, type RenderThread, type ThreadEnd } from '../rendering/lanes.ts';
import { createLazyEngine } from '../rendering/lazy-engine.ts';
import { createShelf } from '../rendering/shelf.ts';
import { keepCharts } from './kept-charts.browser.ts';

// Who looks at a demo waits for nothing as long as a test does.
const limits = { milliseconds: 5000 };

/** Makes the emulator of a page whose files lie at an address. */
export async function openInPage(base: URL): Promise<Emulator> {
  const shelf = await keepCharts(createShelf(), `drydock demo ${base.pathname}`);
  const { render } = openLanes({
    start: () => startThread(base),
    shelf,
    limits,
    fallback: createLazyEngine({ shelf }),
  });
  return createEmulator({ renderer: render, origins: ['*'] });
}

function startThread(base: URL): RenderThread {
  const worker = new Worker(new URL('render-worker.js', base), { type: 'module' });
  const ended = new Promise<ThreadEnd>((resolve) => {
    worker.onerror = (event) => {
      event.preventDefault();
      resolve({ why: 'absent' });
    };
  });
  return {
    ended,
    post: (message) => worker.postMessage(message, [message.port]),
    stop: () => worker.terminate(),
  };
}
