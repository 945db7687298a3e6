// The emulator of the demo, which renders in workers.

import { createEmulator, type Emulator, internalsOf } from '../emulator.ts';
import { openDatabase, settled } from '../persistence/tabs.browser.ts';
import { renderInWorkers } from '../rendering/pool.browser.ts';
import type { UploadedChart } from '../rendering/renderer.ts';
import type { UploadedCharts } from '../rendering/uploaded-charts.ts';
import type { DemoInput } from './given.ts';

// Visitors of a demo wait less patiently than a test.
const limits = { milliseconds: 5000 };

/** Creates the emulator of a page whose files lie at a URL. */
export async function openInPage(base: URL): Promise<Emulator> {
  const { default: given } = (await import(new URL('given.js', base).href)) as { readonly default: DemoInput };
  const { render } = renderInWorkers(workersIn(base), { limits });
  const emulator = createEmulator({ ...given.options, renderer: render, origins: ['*'] });
  const { uploads } = internalsOf(emulator);
  uploads.provide(await unpackGiven(given, base));
  await keepCharts(uploads, `drydock demo ${base.pathname}`);
  await storeOrders(emulator, given);
  return emulator;
}

// In a worker that ends afterwards: a demo's own archives are not hostile, but may be large.
async function unpackGiven({ files = [] }: DemoInput, base: URL): Promise<readonly UploadedChart[]> {
  if (files.length === 0) return [];
  const { render, stop } = renderInWorkers(workersIn(base));
  const unpacked: UploadedChart[] = [];
  for (const { path, data, sourceRef } of files) {
    const body = new TextEncoder().encode(JSON.stringify({ files: [{ path, data }] }));
    const { charts } = await render({ task: 'unpack', body });
    unpacked.push(...(sourceRef === undefined ? charts : charts.map(({ chart }) => ({ chart, sourceRef }))));
  }
  stop();
  return unpacked;
}

async function storeOrders(emulator: Emulator, { orders = [] }: DemoInput): Promise<void> {
  const [first] = emulator.users();
  for (const { value } of first ? orders : []) {
    await emulator.fetch('/api/v1/user/deploy/orders', {
      method: 'POST',
      headers: { Authorization: `token ${first?.token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(value),
    });
  }
}

function workersIn(base: URL): () => Worker {
  return () => new Worker(new URL('render-worker.js', base), { type: 'module' });
}

// Charts dropped onto the demo, stored in IndexedDB so that they survive a reload.

const store = 'charts';
const key = 'dropped';
// Every browser allows at least this much; beyond it the oldest charts are not kept.
const most = 20;

/** Loads the stored charts into the uploads and stores each later one. Does nothing without IndexedDB. */
async function keepCharts(uploads: UploadedCharts, name: string): Promise<void> {
  const database = await openDatabase(name, store).catch(() => undefined);
  if (!database) return;
  const charts = (mode: IDBTransactionMode) => database.transaction(store, mode).objectStore(store);
  const kept = (await settled(charts('readonly').get(key)).catch(() => undefined)) as
    | readonly UploadedChart[]
    | undefined;
  for (const chart of kept ?? []) uploads.add(chart);
  // A chart that cannot be stored is still available until the page is closed.
  const save = async (): Promise<void> => {
    const dropped = uploads.list().filter(({ isDropped }) => isDropped);
    await settled(charts('readwrite').put(dropped.slice(-most), key));
  };
  uploads.onChange(() => void save().catch(() => undefined));
}
