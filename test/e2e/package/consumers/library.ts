// Uses the installed package from TypeScript: the documented calls with the documented types.

import {
  type Chart,
  chainRegistries,
  type Host,
  type Issue,
  inspectOrder,
  loadArchive,
  loadChart,
  memoryRegistry,
  PackageError,
  type Registry,
  RenderError,
  type RenderErrorCode,
  type RenderedOrder,
  type RenderOrderOptions,
  type ResourceList,
  readOrder,
  realHost,
  renderOrder,
  seededHost,
  type TemplateOptions,
  template,
  validateOrder,
} from 'drydock';
import { createEmulator, type Emulator, type EmulatorOptions, FixtureError } from 'drydock/emulator';
import { type PageEmulator, startWorker } from 'drydock/emulator/browser';
import { mswHandlers, mswRouteHandlers } from 'drydock/emulator/msw';
import { type EmulatorServer, startServer } from 'drydock/emulator/node';
import { openWorld, type TestWorld, vitestFixtures, type WorldFixtures } from 'drydock/emulator/testing';
import { directoryRegistry, loadChartPath } from 'drydock/node';
import { compareSnapshots, type Outcome } from 'drydock/snapshot';

/** Renders a chart from files with every option. */
export function renderChart(files: ReadonlyMap<string, Uint8Array>, archive: Uint8Array): string {
  const chart: Chart = files.size > 0 ? loadChart(files) : loadArchive(archive);
  const host: Host = seededHost({ seed: 'a', now: Date.UTC(2025, 0, 1) });
  const options: TemplateOptions = {
    releaseName: 'demo',
    namespace: 'shop',
    valuesFiles: ['a: 1\n', { name: 'b.yaml', text: 'b: 2\n' }],
    set: ['a=1'],
    setString: ['b=2'],
    setJson: ['c={}'],
    kubeVersion: '1.31',
    apiVersions: ['x/v1'],
    includeCrds: true,
    skipTests: true,
    noHooks: true,
    isUpgrade: true,
    host,
    onWarning: (line: string) => console.warn(line),
  };
  return template(chart, options);
}

/** Renders an Order to each of its forms. */
export async function renderAll(text: string): Promise<readonly string[]> {
  const chart: Chart = await loadChartPath('./charts/web', { onWarning: console.warn });
  const registry: Registry = chainRegistries([memoryRegistry([chart]), directoryRegistry(['./charts'])]);
  const options: RenderOrderOptions = { registry, host: realHost(), kubeVersion: '1.31' };
  const { value, placeOf } = readOrder(text, 'order.yaml');
  const issues: readonly Issue[] = await inspectOrder(value, options);
  const { order } = validateOrder(value);
  try {
    const rendered: RenderedOrder = await renderOrder(order, options);
    const lists: readonly ResourceList[] = rendered.resources({ skipCRDs: true, format: 'json' });
    const { outcomes } = await compareSnapshots(['orders/*.yaml'], {
      settings: { outputs: ['manifest'] },
    });
    return [
      rendered.manifest(),
      rendered.helmScript('windows'),
      rendered.yamlScript(),
      ...lists.map(({ name }) => name),
      ...outcomes.map(({ snapshot }: Outcome) => snapshot),
    ];
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
  console.log(answer.status, mswHandlers(emulator).length, Object.keys(mswRouteHandlers(emulator)), FixtureError.name);
  const server: EmulatorServer = await startServer(emulator, { port: 0 });
  await server.close();
  const page: PageEmulator = await startWorker({ ...options, workerUrl: '/mockServiceWorker.js' });
  page.stop();
}

/** Opens a world for a test. */
export async function testInWorld(options: EmulatorOptions): Promise<readonly string[]> {
  const world: TestWorld = await openWorld(options);
  const removeFault: () => void = world.fault({ route: 'listEmails', status: 503, times: 1 });
  world.clock.freeze('2025-05-02T09:00:00Z');
  const answer: Response = await world.fetch('/api/v1/user/emails', { as: 'ada' });
  removeFault();
  await world.close();
  const { drydock }: { drydock: unknown } = vitestFixtures(options);
  const fixtures: (keyof WorldFixtures)[] = ['drydock'];
  return [`${answer.status}`, typeof drydock, ...fixtures];
}
