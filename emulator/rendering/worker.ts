// The worker's side: runs jobs in sequence, and requests the charts of the other thread. It imports nothing dynamically, because bundlers
// such as Vite create a classic worker from one file.

import type { Failure } from '../../render/core/failure.ts';
import { packFailure, unpackFailure } from '../../render/core/failure.ts';
import { isBytes } from '../../render/go/realm.ts';
import { type Chart, type ChartRef, chainRegistries, type Registry, type SchemaSource } from '../../render/index.ts';
import type { WorkerMessage } from '../../render/workers/pool.ts';
import type { ListedChart } from './catalog.ts';
import { createEngine } from './engine.ts';
import type { Renderer, RenderTask, UploadedChart } from './renderer.ts';

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
  const received = new Map<number, Chart>();
  let renderer: Promise<Renderer> | undefined;
  // A rendering requests one chart at a time, so the next message is the response.
  let onAnswer = (_: Exclude<ToWorker, { type: 'job' }>): void => {};
  const chartOf = ({ id, chart }: SentChart): Chart => {
    if (chart !== undefined) received.set(id, chart);
    return received.get(id)!;
  };
  const find = (request: ChartRef): Promise<Chart> =>
    new Promise((resolve, reject) => {
      onAnswer = (answer) => {
        if (answer.type === 'found') resolve(chartOf(answer.chart));
        else reject(unpackFailure(answer.failure));
      };
      port.post({ type: 'find', request });
    });
  const open = async ({ folders, hasRegistry, outputBytes }: JobMessage): Promise<Renderer> => {
    const own = folders.length === 0 ? undefined : await openFolders(folders);
    const registries = [...(own ? [own.registry] : []), ...(hasRegistry ? [{ resolve: find }] : [])];
    return createEngine({
      registry: registries.length === 0 ? undefined : chainRegistries(registries),
      schemas: own?.schemas,
      list: own?.list,
      onChart: (chart) => port.post({ type: 'progress', chart }),
      outputBytes,
    });
  };
  const run = async (message: JobMessage): Promise<void> => {
    try {
      // The options of an emulator do not change: those of the first job are used for all.
      renderer ??= open(message);
      const uploads = message.uploads.map(({ chart, ...more }) => ({ chart: chartOf(chart), ...more }));
      const render = await renderer;
      port.post({ type: 'started' });
      const answer = await render({ ...message.task, uploads });
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

/** A chart on its way to a worker: complete the first time, then only its number. */
export interface SentChart {
  readonly id: number;
  readonly chart?: Chart;
}

export interface JobMessage<C = SentChart> {
  readonly task: RenderTask;
  readonly uploads: readonly UploadedChart<C>[];
  readonly outputBytes: number;
  /** Folders of charts that the worker reads itself. */
  readonly folders: readonly string[];
  /** Whether the other thread has its own registry. */
  readonly hasRegistry: boolean;
}

/** A worker's message about its job, in addition to those of its pool. */
export type FromWorker =
  /** It has started with this chart. */
  | { readonly type: 'progress'; readonly chart: string }
  /** Requests a chart of the registry. */
  | { readonly type: 'find'; readonly request: ChartRef };

/** A message to a worker: a job, or the response to its request. */
export type ToWorker<C = SentChart> =
  | { readonly type: 'job'; readonly job: JobMessage<C> }
  | { readonly type: 'found'; readonly chart: C }
  | { readonly type: 'failed'; readonly failure: Failure };
