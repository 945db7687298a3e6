// The worker's side: runs jobs in sequence, and requests missing charts. It imports nothing dynamically, because bundlers such as Vite
// create a classic worker from one file.

import charts from '../../fixtures/sample-charts.json' with { type: 'json' };
import type { Failure } from '../../render/core/failure.ts';
import { packFailure, unpackFailure } from '../../render/core/failure.ts';
import { isBytes } from '../../render/go/realm.ts';
import type { Chart, ChartRef, Registry, SchemaSource } from '../../render/index.ts';
import * as engine from '../../render/index.ts';
import type { WorkerMessage } from '../../render/workers/pool.ts';
import type { ListedChart } from './catalog.ts';
import { createEngine } from './engine.ts';
import type { Renderer, RenderJob, UploadedChart } from './renderer.ts';
import { unpackFiles } from './unpack.ts';

/** Folders of charts: where Orders find them, and their list. */
export interface ChartFolders {
  readonly registry: Registry;
  /** The schemas pinned in the lock files of the folders. */
  readonly schemas: SchemaSource;
  readonly list: () => Promise<readonly ListedChart[]>;
}

/** Returns the charts of folders; undefined for none. */
export type OpenFolders = (folders: readonly string[]) => Promise<ChartFolders | undefined>;

/** The connection of a worker to its pool. */
export interface WorkerPort {
  post(message: FromWorker | WorkerMessage, transfer?: Transferable[]): void;
  listen(listener: (message: ToWorker) => void): void;
}

/** Runs the jobs from a port in sequence. Pages have no folders. */
export function serveJobs(port: WorkerPort, openFolders: OpenFolders = async () => undefined): void {
  const known = new Map<number, Chart>();
  let uploads: readonly UploadedChart[] = [];
  let renderer: Promise<Renderer> | undefined;
  // A rendering requests one chart at a time, so the next message is the response.
  let onAnswer = (_: ToWorker): void => {};
  const ask = (question: FromWorker): Promise<ToWorker> =>
    new Promise((resolve) => {
      onAnswer = resolve;
      port.post(question);
    });
  const chartOf = async (id: number): Promise<Chart> => {
    const chart = known.get(id);
    if (chart !== undefined) return chart;
    const sent = await ask({ type: 'send', id });
    if (sent.type !== 'chart') throw new Error(`chart ${id} was found and not sent`);
    known.set(id, sent.chart);
    return sent.chart;
  };
  const find = async (request: ChartRef): Promise<Chart> => {
    const found = await ask({ type: 'find', request });
    if (found.type === 'found') return chartOf(found.id);
    throw found.type === 'failed' ? unpackFailure(found.failure) : new Error('the registry did not respond');
  };
  const open = async ({ folders, hasRegistry, outputBytes }: JobMessage): Promise<Renderer> => {
    const own = folders.length === 0 ? undefined : await openFolders(folders);
    const registries = [...(own ? [own.registry] : []), ...(hasRegistry ? [{ resolve: find }] : [])];
    return createEngine({
      registry: registries.length === 0 ? undefined : engine.chainRegistries(registries),
      schemas: own?.schemas,
      list: own?.list,
      uploads: () => uploads,
      onChart: (chart) => port.post({ type: 'progress', chart }),
      outputBytes,
      load: async () => ({ engine, charts, unpack: unpackFiles }),
    });
  };
  const run = async (message: JobMessage): Promise<void> => {
    try {
      // The options of an emulator do not change: those of the first job are used for all.
      renderer ??= open(message);
      const render = await renderer;
      const charts: UploadedChart[] = [];
      for (const { id, ...more } of message.uploads) charts.push({ chart: await chartOf(id), ...more });
      uploads = charts;
      port.post({ type: 'started' });
      const answer = await render(message.job);
      port.post({ type: 'done', answer }, isBytes(answer) ? [answer.buffer as ArrayBuffer] : []);
    } catch (error) {
      port.post({ type: 'failed', failure: packFailure(error) });
    }
  };
  port.listen((message) => {
    if (message.type === 'job') void run(message.job);
    else onAnswer(message);
  });
}

/** A job for a worker. */
export interface JobMessage {
  readonly job: RenderJob;
  /** Maximum size of an answer, in bytes. */
  readonly outputBytes: number;
  /** Folders of charts that the worker reads itself. */
  readonly folders: readonly string[];
  /** Whether the other thread has its own registry. */
  readonly hasRegistry: boolean;
  /** The ids of uploaded charts. */
  readonly uploads: readonly (Omit<UploadedChart, 'chart'> & { readonly id: number })[];
}

/** A worker's message about its job, in addition to those of its pool. */
export type FromWorker =
  /** It has started with this chart. */
  | { readonly type: 'progress'; readonly chart: string }
  /** Requests the id of a chart in the registry. */
  | { readonly type: 'find'; readonly request: ChartRef }
  /** Requests a chart that it does not have. */
  | { readonly type: 'send'; readonly id: number };

/** A message to a worker: a job, or the response to its request. */
export type ToWorker =
  | { readonly type: 'job'; readonly job: JobMessage }
  | { readonly type: 'found'; readonly id: number }
  | { readonly type: 'chart'; readonly chart: Chart }
  | { readonly type: 'failed'; readonly failure: Failure };
