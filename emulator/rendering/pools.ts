// Renders Orders in two pools of one worker each, so that slow jobs never block fast ones.

import { RenderError } from '../../render/core/errors.ts';
import { packFailure, unpackFailure } from '../../render/core/failure.ts';
import type { Chart, Registry } from '../../render/index.ts';
import { PoolError, type PoolWorker, WorkerPool } from '../../render/workers/pool.ts';
import { type OrderLimits, readLimits } from './limits.ts';
import { type RenderAnswers, type Renderer, RenderersBusy, type RenderJob } from './renderer.ts';
import type { FromWorker, JobMessage, ToWorker } from './thread.ts';
import { createUploadedCharts, type UploadedCharts, withUploads } from './uploaded-charts.ts';

/** Options for `renderInPools`. */
export interface PoolRendererOptions {
  /** Starts a worker with a memory limit, in MiB. */
  readonly start: (memory: number) => PoolWorker;
  /** Folders of charts, which the workers read themselves. */
  readonly folders?: readonly string[] | undefined;
  /** Further charts, found in this thread; each is sent to a worker once. */
  readonly registry?: Registry | undefined;
  /** Default: no uploads. */
  readonly uploads?: UploadedCharts | undefined;
  readonly limits?: Partial<OrderLimits> | undefined;
  /** Renders in this thread if there are no workers. */
  readonly fallback: Renderer;
}

/** A renderer that uses workers, and a function that stops them. */
export interface PoolRenderer {
  readonly render: Renderer;
  stop(): void;
}

/** Time limit of a fast job before it is restarted in the other pool, in milliseconds; less if more jobs are waiting. */
const quickMilliseconds = 1500;
const hurriedMilliseconds = 400;
/** Larger jobs are always slow ones: in bytes, or in characters of stored text. */
const quickSize = 256 * 1024;

/** Tasks that are always slow, or whose state is queried again. */
const slowTasks: ReadonlySet<RenderJob['task']> = new Set([
  'preview-line',
  'preview-values',
  'chart-coverage',
  'chart-schema',
]);

const poolOptions = {
  size: 1,
  maxWaiting: { jobs: 200, bytes: 128 * 1024 * 1024 },
  // Newest first: many hostile Orders do not delay a later good one.
  newestFirstAbove: 3,
  idleMilliseconds: 60_000,
};

/** Renders in workers; a job that exceeds its limits fails with `LIMIT_REACHED`. */
export function renderInPools({ uploads = createUploadedCharts(), ...options }: PoolRendererOptions): PoolRenderer {
  const limits = readLimits(options.limits);
  const start = (): PoolWorker => options.start(limits.memory);
  const [quick, slow] = [new WorkerPool({ ...poolOptions, start }), new WorkerPool({ ...poolOptions, start })];
  const ids = new ChartIds();
  const render = async (job: RenderJob): Promise<unknown> => {
    let chart: string | undefined;
    const runIn = (pool: WorkerPool, milliseconds: (waiting: number) => number): Promise<unknown> => {
      const answerQuestion = questions({ ...options, uploads, ids });
      return pool.run({
        message: jobMessage(job, { ...options, uploads, ids, limits }),
        bytes: sizeOf(job),
        milliseconds,
        onMessage: (message, reply) => {
          const incoming = message as FromWorker;
          if (incoming.type === 'progress') chart = incoming.chart;
          else void answerQuestion(incoming).then(reply);
        },
      });
    };
    const isQuick = !slowTasks.has(job.task) && sizeOf(job) <= quickSize;
    try {
      if (isQuick) {
        try {
          return await runIn(quick, (waiting) => Math.min(patience(waiting), limits.milliseconds));
        } catch (error) {
          const isStarted = error instanceof PoolError && error.reason === 'timeout';
          if (!isStarted || limits.milliseconds <= quickMilliseconds) throw error;
        }
      }
      return await runIn(slow, () => limits.milliseconds);
    } catch (error) {
      if (!(error instanceof PoolError)) throw error;
      if (error.reason === 'absent') return options.fallback(job);
      throw errorOf(error, { job, chart, limits });
    }
  };
  const stop = (): void => {
    quick.close();
    slow.close();
  };
  const renderer: Renderer = async (job) => (await render(job)) as RenderAnswers[(typeof job)['task']];
  return { render: withUploads(renderer, uploads), stop };
}

function patience(waiting: number): number {
  return Math.max(quickMilliseconds / (1 + waiting), hurriedMilliseconds);
}

function sizeOf(job: RenderJob): number {
  if ('body' in job) return job.body.length;
  if ('draft' in job) return job.draft.length;
  return 'order' in job ? job.order.length : 0;
}

/** Ids of charts: a worker that has received a chart knows it by its id. */
class ChartIds {
  readonly #ids = new WeakMap<Chart, number>();
  #last = 0;

  of(chart: Chart): number {
    const id = this.#ids.get(chart) ?? ++this.#last;
    this.#ids.set(chart, id);
    return id;
  }
}

interface Charts extends Pick<PoolRendererOptions, 'folders' | 'registry'> {
  readonly uploads: UploadedCharts;
  readonly ids: ChartIds;
}

function jobMessage(
  job: RenderJob,
  { folders = [], registry, uploads, ids, limits }: Charts & { readonly limits: OrderLimits },
): JobMessage {
  return {
    job,
    outputBytes: limits.outputBytes,
    folders,
    hasRegistry: registry !== undefined,
    uploads: uploads.charts.map(({ chart, ...more }) => ({ id: ids.of(chart), ...more })),
  };
}

/** Returns the function that responds to a worker's requests for charts. */
function questions({
  registry,
  uploads,
  ids,
}: Charts): (question: Exclude<FromWorker, { type: 'progress' }>) => Promise<ToWorker> {
  const known = new Map(uploads.charts.map(({ chart }) => [ids.of(chart), chart]));
  return async (question) => {
    if (question.type === 'send') return { type: 'chart', chart: known.get(question.id)! };
    try {
      const chart = await registry!.resolve(question.request);
      known.set(ids.of(chart), chart);
      return { type: 'found', id: ids.of(chart) };
    } catch (error) {
      return { type: 'failed', failure: packFailure(error) };
    }
  };
}

/** A stopped job, and the chart that it was rendering. */
interface Stopped {
  readonly job: RenderJob;
  readonly chart: string | undefined;
  readonly limits: OrderLimits;
}

function errorOf({ reason, cause }: PoolError, stopped: Stopped): unknown {
  const { milliseconds, memory } = stopped.limits;
  if (reason === 'failed') return unpackFailure(cause as Parameters<typeof unpackFailure>[0]);
  if (reason === 'busy')
    return new RenderersBusy('Too many Orders wait to be checked or rendered: try again in a moment.');
  if (reason === 'closed') {
    return new RenderError('LIMIT_REACHED', 'the rendering was stopped: the emulator is shutting down', {
      hint: 'Start the emulator again.',
    });
  }
  if (reason === 'timeout') {
    const hint = 'Look for a template or a value that makes it endless';
    return limitReached(stopped, `took longer than ${milliseconds} ms`, hint);
  }
  if (reason === 'memory') {
    const hint = 'Look for a template or a value that grows without end';
    return limitReached(stopped, `needed more than ${memory} MiB of memory`, hint);
  }
  return cause;
}

// An archive that was being unpacked was not rendered.
function limitReached({ job, chart }: Stopped, what: string, hint: string): RenderError {
  if (job.task === 'unpack') {
    return new RenderError('LIMIT_REACHED', `unpacking ${what} and was stopped`, {
      hint: 'Upload one chart at a time; the archive is larger than a chart can be.',
    });
  }
  const subject = job.task === 'charts' || job.task === 'chart' ? 'reading the charts' : 'the rendering';
  const error = new RenderError('LIMIT_REACHED', `${subject} ${what} and was stopped`, {
    hint: `${hint}, or raise the limit.`,
  });
  return chart === undefined ? error : Object.assign(error, { chart });
}
