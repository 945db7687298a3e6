// Renders Orders in a pool of two workers: a job that exceeds its limits is stopped with its worker, and delays others only while both
// workers are busy.

import { RenderError } from '../../render/core/errors.ts';
import { packFailure, unpackFailure } from '../../render/core/failure.ts';
import type { Chart, ChartRef, Registry } from '../../render/index.ts';
import { PoolError, type PoolWorker, WorkerPool } from '../../render/workers/pool.ts';
import { createLazyEngine } from './lazy-engine.ts';
import { type OrderLimits, readLimits } from './limits.ts';
import { type RenderAnswers, type Renderer, RenderersBusy, type RenderJob } from './renderer.ts';
import type { FromWorker, JobMessage, SentChart, ToWorker } from './worker.ts';

export interface PoolRendererOptions {
  /** Starts a worker with a memory limit, in MiB. */
  readonly start: (memory: number) => PoolWorker;
  /** Folders of charts, which the workers read themselves. */
  readonly folders?: readonly string[] | undefined;
  /** Further charts, found in this thread; each is sent to a worker once. */
  readonly registry?: Registry | undefined;
  readonly limits?: Partial<OrderLimits> | undefined;
}

export interface PoolRenderer {
  readonly render: Renderer;
  stop(): void;
}

const poolOptions = {
  size: 2,
  maxWaiting: { jobs: 200, bytes: 128 * 1024 * 1024 },
  // Newest first: many hostile Orders do not delay a later good one.
  newestFirstAbove: 3,
  idleMilliseconds: 60_000,
};

/** Renders in workers, or in this thread where there are none; a job that exceeds its limits fails with `LIMIT_REACHED`. */
export function renderInPool({ start, folders = [], registry, ...options }: PoolRendererOptions): PoolRenderer {
  const limits = readLimits(options.limits);
  const { outputBytes, milliseconds } = limits;
  const pool = new WorkerPool({ ...poolOptions, start: () => sendingCharts(start(limits.memory)) });
  const renderHere = createLazyEngine({ registry });
  const render = async (job: RenderJob): Promise<unknown> => {
    let chart: string | undefined;
    const { uploads = [], ...task } = job;
    const message: JobMessage<Chart> = { task, uploads, outputBytes, folders, hasRegistry: registry !== undefined };
    const onMessage = (received: unknown, reply: (message: ToWorker<Chart>) => void): void => {
      const incoming = received as FromWorker;
      if (incoming.type === 'progress') chart = incoming.chart;
      else void find(registry!, incoming.request).then(reply);
    };
    try {
      return await pool.run({ message, bytes: sizeOf(job), milliseconds, onMessage });
    } catch (error) {
      if (!(error instanceof PoolError)) throw error;
      if (error.reason === 'absent') return renderHere(job);
      throw errorOf(error, { job, chart, limits });
    }
  };
  return {
    render: async (job) => (await render(job)) as RenderAnswers[(typeof job)['task']],
    stop: () => pool.close(),
  };
}

// A registry that reads folders returns a new chart each time, so both sides forget the oldest: its number is used again.
const mostSent = 256;

/** Returns a worker that receives each chart in full only once, and later its number. */
function sendingCharts(worker: PoolWorker): PoolWorker {
  const sent = new Map<Chart, number>();
  const send = (chart: Chart): SentChart => {
    const known = sent.get(chart);
    if (known !== undefined) return { id: known };
    const [oldest] = sent.size < mostSent ? [] : sent;
    if (oldest) sent.delete(oldest[0]);
    const id = oldest?.[1] ?? sent.size;
    sent.set(chart, id);
    return { id, chart };
  };
  const packed = (message: ToWorker<Chart>): ToWorker => {
    if (message.type === 'failed') return message;
    if (message.type === 'found') return { type: 'found', chart: send(message.chart) };
    const uploads = message.job.uploads.map(({ chart, ...more }) => ({ chart: send(chart), ...more }));
    return { type: 'job', job: { ...message.job, uploads } };
  };
  return { ...worker, post: (message) => worker.post(packed(message as ToWorker<Chart>)) };
}

async function find(registry: Registry, request: ChartRef): Promise<ToWorker<Chart>> {
  try {
    return { type: 'found', chart: await registry.resolve(request) };
  } catch (error) {
    return { type: 'failed', failure: packFailure(error) };
  }
}

function sizeOf(job: RenderJob): number {
  if ('body' in job) return job.body.length;
  if ('draft' in job) return job.draft.length;
  return 'order' in job ? job.order.length : 0;
}

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
