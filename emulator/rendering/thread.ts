// The side of a thread that renders: takes jobs one after the other, and asks for the charts it lacks. It imports nothing
// later on: a bundler such as Vite makes one classic file of a worker.

import charts from '../../fixtures/sample-charts.json' with { type: 'json' };
import type { Chart, ChartRef, Registry, SchemaSource } from '../../render/index.ts';
import * as engine from '../../render/index.ts';
import type { ListedChart } from './catalogue.ts';
import { createEngine } from './engine.ts';
import { type FromThread, type JobMessage, packFailure, type ToThread, unpackFailure } from './messages.ts';
import type { Renderer, ShelvedChart } from './renderer.ts';
import { unpackFiles } from './unpack.ts';

/** Folders of charts: where an Order finds them, and the list of them. */
export interface ChartFolders {
  readonly registry: Registry;
  /** The schemas that the locks of the folders pin. */
  readonly schemas: SchemaSource;
  readonly list: () => Promise<readonly ListedChart[]>;
}

/** Returns the charts of folders; undefined for none. */
export type OpenFolders = (folders: readonly string[]) => Promise<ChartFolders | undefined>;

/** Returns the function that does a job and tells of it over the job's port. Pages have no folders. */
export function createJobRunner(
  openFolders: OpenFolders = async () => undefined,
): (message: JobMessage) => Promise<void> {
  const known = new Map<number, Chart>();
  let asker: ((request: ChartRef) => Promise<Chart>) | undefined;
  let renderer: Promise<Renderer> | undefined;
  let shelved: readonly ShelvedChart[] = [];
  let tellChart = (_: string): void => {};
  return async ({ job, outputBytes, folders, hasRegistry, shelf, port }) => {
    const tell = (message: FromThread, given: Transferable[] = []): void => port.postMessage(message, given);
    tellChart = (chart) => tell({ say: 'at', chart });
    asker = (request) => findChart(port, request, known);
    // The options of an emulator do not change: what the first job says holds for all.
    renderer ??= open(
      {
        folders,
        outputBytes,
        asked: hasRegistry ? (request) => asker?.(request) : undefined,
        shelved: () => shelved,
        onChart: (chart) => tellChart(chart),
      },
      openFolders,
    );
    try {
      const render = await renderer;
      const charts: ShelvedChart[] = [];
      for (const { id, ...more } of shelf) charts.push({ chart: await chartOf(port, id, known), ...more });
      shelved = charts;
      // The time of a job does not hold the loading of the engine.
      tell({ say: 'started' });
      const answer = await render(job);
      tell({ say: 'done', answer }, answer instanceof Uint8Array ? [answer.buffer as ArrayBuffer] : []);
    } catch (error) {
      tell({ say: 'failed', failure: packFailure(error) });
    }
    port.close();
  };
}

interface Sources {
  readonly folders: readonly string[];
  readonly outputBytes: number;
  readonly asked: ((request: ChartRef) => Promise<Chart> | undefined) | undefined;
  readonly shelved: () => readonly ShelvedChart[];
  readonly onChart: (chart: string) => void;
}

async function open(
  { folders, outputBytes, asked, shelved, onChart }: Sources,
  openFolders: OpenFolders,
): Promise<Renderer> {
  const registries: Registry[] = [];
  const own = folders.length === 0 ? undefined : await openFolders(folders);
  if (own !== undefined) registries.push(own.registry);
  if (asked !== undefined) registries.push({ resolve: async (request) => (await asked(request))! });
  const registry = registries.length === 0 ? undefined : engine.chainRegistries(registries);
  const load = async () => ({ engine, charts, unpack: unpackFiles });
  return createEngine({ registry, schemas: own?.schemas, list: own?.list, shelved, onChart, outputBytes, load });
}

async function findChart(port: MessagePort, request: ChartRef, known: Map<number, Chart>): Promise<Chart> {
  const found = await ask(port, { say: 'find', request });
  if (found.say === 'failed') throw unpackFailure(found.failure);
  if (found.say === 'chart') return found.chart;
  return chartOf(port, found.id, known);
}

async function chartOf(port: MessagePort, id: number, known: Map<number, Chart>): Promise<Chart> {
  const chart = known.get(id);
  if (chart !== undefined) return chart;
  const sent = await ask(port, { say: 'send', id });
  if (sent.say !== 'chart') throw new Error(`chart ${id} was found and not sent`);
  known.set(id, sent.chart);
  return sent.chart;
}

// A rendering asks for one chart after the other, so the next message is the answer.
function ask(port: MessagePort, question: FromThread): Promise<ToThread> {
  return new Promise((resolve) => {
    port.onmessage = ({ data }: MessageEvent<ToThread>) => resolve(data);
    port.postMessage(question);
  });
}
