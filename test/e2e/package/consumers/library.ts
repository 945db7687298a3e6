// Uses the installed package from TypeScript: calls of each entry point with their types. The pages have more, checked by
// `npm run docs -- blocks`.

import {
  type Chart,
  chainRegistries,
  inspectOrder,
  loadChart,
  memoryRegistry,
  PackageError,
  type Registry,
  RenderError,
  type RenderErrorCode,
  type RenderedOrder,
  type RenderOrderOptions,
  readOrder,
  renderOrder,
  seededHost,
  type TemplateOptions,
  template,
  validateOrder,
} from 'drydock';
import { createEmulator, type Emulator, type EmulatorOptions } from 'drydock/emulator';
import { type PageEmulator, startWorker } from 'drydock/emulator/browser';
import { mswHandlers } from 'drydock/emulator/msw';
import { type EmulatorServer, startServer } from 'drydock/emulator/node';
import { openWorld, type TestWorld } from 'drydock/emulator/testing';
import { directoryRegistry } from 'drydock/node';
import { compareSnapshots, type Outcome } from 'drydock/snapshot';

/** Renders a chart and an Order. */
export async function renderAll(files: ReadonlyMap<string, Uint8Array>, text: string): Promise<readonly string[]> {
  const chart: Chart = loadChart(files);
  const settings: TemplateOptions = { valuesFiles: ['a: 1\n', { name: 'b.yaml', text: 'b: 2\n' }], set: ['a=1'] };
  const registry: Registry = chainRegistries([memoryRegistry([chart]), directoryRegistry(['./charts'])]);
  const options: RenderOrderOptions = { registry, host: seededHost({ seed: 'a', now: 0 }), kubeVersion: '1.31' };
  const { value, placeOf } = readOrder(text, 'order.yaml');
  const issues = await inspectOrder(value, options);
  try {
    const rendered: RenderedOrder = await renderOrder(validateOrder(value).order, options);
    const { outcomes } = await compareSnapshots(['orders/*.yaml'], { settings: { outputs: ['manifest'] } });
    const recorded = outcomes.map(({ snapshot }: Outcome) => snapshot);
    return [template(chart, settings), rendered.manifest(), rendered.helmScript('windows'), ...recorded];
  } catch (error) {
    if (error instanceof PackageError) return [error.release, `${placeOf(error.path).line}`];
    if (!(error instanceof RenderError)) throw error;
    const code: RenderErrorCode = error.code;
    return [code, error.place?.file ?? '', error.hint ?? '', ...issues.map(({ path }) => path)];
  }
}

/** Starts an emulator with each of its entry points. */
export async function emulate(options: EmulatorOptions): Promise<void> {
  const emulator: Emulator = createEmulator(options);
  const answer: Response = await emulator.fetch('/api/v1/user');
  console.log(answer.status, mswHandlers(emulator).length);
  const server: EmulatorServer = await startServer(emulator, { port: 0 });
  await server.close();
  const page: PageEmulator = await startWorker({ ...options, workerUrl: '/mockServiceWorker.js' });
  page.stop();
  const world: TestWorld = await openWorld(options);
  const removeFault: () => void = world.fault({ route: 'listEmails', status: 503, times: 1 });
  removeFault();
  await world.close();
}
