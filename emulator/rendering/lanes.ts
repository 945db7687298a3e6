// Jobs for threads, in two lanes as at a till: what takes long, or looks as if it would, never stands before what is quick.

import { RenderError } from '../../render/core/errors.ts';
import type { Chart, Registry } from '../../render/index.ts';
import { type OrderLimits, readLimits } from './limits.ts';
import { type FromThread, type JobMessage, packFailure, type ToThread, unpackFailure } from './messages.ts';
import { type RenderAnswers, type Renderer, RenderersBusy, type RenderJob } from './renderer.ts';
import { createUploadedCharts, keepShelf, type UploadedCharts } from './uploaded-charts.ts';

/** A thread that renders, of this platform. */
export interface RenderThread {
  post(message: JobMessage): void;
  /** Resolves when the thread ends by itself, with the reason. */
  readonly ended: Promise<ThreadEnd>;
  stop(): void;
}

/** Why a thread ended: it needed too much memory, could not be started at all, or failed. */
export interface ThreadEnd {
  readonly why: 'memory' | 'absent' | 'failure';
  /** What a thread that failed says. */
  readonly error?: unknown;
}

/** Describes how threads render. */
export interface LaneOptions {
  /** Starts a thread that may use so much memory, in MiB. */
  readonly start: (memory: number) => RenderThread;
  /** Folders of charts, which the threads read by themselves. */
  readonly folders?: readonly string[] | undefined;
  /** Further charts, found in this thread. */
  readonly registry?: Registry | undefined;
  /** Takes what is handed over. Default: one of its own. */
  readonly shelf?: UploadedCharts | undefined;
  readonly limits?: Partial<OrderLimits> | undefined;
  /** Renders here where threads cannot be had. */
  readonly fallback: Renderer;
}

type OpenOptions = LaneOptions & { readonly shelf: UploadedCharts };

/** Threads that render, and the way to end them. */
export interface Lanes {
  readonly render: Renderer;
  stop(): void;
}

/** How long the quick lane waits for a job before the slow lane takes it from the start, in milliseconds; the less, the more wait. */
const quickMilliseconds = 1500;
const hurriedMilliseconds = 400;
/** A job of more than this goes to the slow lane at once: in bytes, or in characters of stored text. */
const quickSize = 256 * 1024;
/** What may wait for a lane: jobs, and bytes of theirs. Beyond it the oldest go. */
const mostWaiting = 200;
const mostWaitingSize = 128 * 1024 * 1024;
/** How long a thread is kept without a job, in milliseconds. */
const idleMilliseconds = 60_000;

/** Returns lanes of one thread each; threads start with their first job. */
export function openLanes({ shelf = createUploadedCharts(), ...given }: LaneOptions): Lanes {
  const options = { ...given, shelf };
  const limits = readLimits(options.limits);
  const charts = new ChartNumbers();
  const quick = new Lane(options, charts, limits);
  const slow = new Lane(options, charts, limits);
  const render = async (job: RenderJob): Promise<unknown> => {
    // What is traced takes long, and is kept by the thread for the next question: beside renderings it would be begun twice.
    if (job.task !== 'preview-line' && sizeOf(job) <= quickSize) {
      const answer = await quick.run(job, (waiting) => Math.min(patience(waiting), limits.milliseconds));
      if (!(answer instanceof OutOfTime) || limits.milliseconds <= quickMilliseconds) return answer;
    }
    return slow.run(job, () => limits.milliseconds);
  };
  const renderer: Renderer = async (job) => {
    const answer = await render(job);
    if (answer instanceof OutOfTime) throw tooLong(limits.milliseconds, { job, chart: answer.chart });
    return answer as RenderAnswers[(typeof job)['task']];
  };
  keepShelf(renderer, shelf);
  return {
    render: renderer,
    stop: () => {
      quick.close();
      slow.close();
    },
  };
}

// Many hostile jobs at once must not keep a good one waiting for the sum of their times.
function patience(waiting: number): number {
  return Math.max(quickMilliseconds / (1 + waiting), hurriedMilliseconds);
}

/** The end of a job that was given up, and the chart that it was busy with. */
class OutOfTime {
  readonly chart: string | undefined;

  constructor(chart: string | undefined) {
    this.chart = chart;
  }
}

/** What was stopped, and where. */
interface Stopped {
  readonly job: RenderJob;
  readonly chart: string | undefined;
}

function tooLong(milliseconds: number, stopped: Stopped): RenderError {
  return stoppedBy(
    stopped,
    `took longer than ${milliseconds} ms`,
    'Look for a template or a value that makes it endless',
  );
}

// Whoever hands over an archive that unfolds without end had nothing rendered.
function stoppedBy({ job, chart }: Stopped, what: string, mend: string): RenderError {
  if (job.task === 'unpack') {
    return new RenderError('LIMIT_REACHED', `unpacking ${what} and was stopped`, {
      mend: 'Hand over one chart at a time; what is no chart unfolds to more than charts have.',
    });
  }
  const told = job.task === 'charts' || job.task === 'chart' ? 'reading the charts' : 'the rendering';
  const error = new RenderError('LIMIT_REACHED', `${told} ${what} and was stopped`, {
    mend: `${mend}, or raise the limit.`,
  });
  return chart === undefined ? error : Object.assign(error, { chart });
}

function tooMany(): RenderersBusy {
  return new RenderersBusy('Too many Orders wait to be checked or rendered: try again in a moment.');
}

function stoppedWithAll(): RenderError {
  return new RenderError('LIMIT_REACHED', 'the rendering was stopped, as all are: its emulator ends', {
    mend: 'Ask an emulator that runs.',
  });
}

function tooMuchMemory(memory: number, stopped: Stopped): RenderError {
  const mend = 'Look for a template or a value that grows without end';
  return stoppedBy(stopped, `needed more than ${memory} MiB of memory`, mend);
}

function sizeOf(job: RenderJob): number {
  if ('body' in job) return job.body.length;
  if ('draft' in job) return job.draft.length;
  return 'order' in job ? job.order.length : 0;
}

/** Charts of this thread by numbers, under which threads know them once they were sent. */
class ChartNumbers {
  readonly #numbers = new WeakMap<Chart, number>();
  #last = 0;

  of(chart: Chart): number {
    const known = this.#numbers.get(chart);
    if (known !== undefined) return known;
    this.#last++;
    this.#numbers.set(chart, this.#last);
    return this.#last;
  }
}

/** A job that waits for its lane. */
interface Waiting {
  readonly job: RenderJob;
  readonly millisecondsOf: (waiting: number) => number;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (failure: unknown) => void;
}

/** With more jobs than this waiting, the newest comes first: who has just come is still there to take the answer. */
const longQueue = 3;

/** One thread, and the jobs that wait for it. */
class Lane {
  readonly #options: OpenOptions;
  readonly #charts: ChartNumbers;
  readonly #limits: OrderLimits;
  readonly #queue: Waiting[] = [];
  /** Of all jobs that wait. */
  #size = 0;
  #thread: RenderThread | undefined;
  /** Stands ready from the first time on that a thread had to be stopped: starting one takes longer than most jobs. */
  #spare: RenderThread | undefined;
  #isBusy = false;
  #isClosed = false;
  #idle: ReturnType<typeof setTimeout> | undefined;

  constructor(options: OpenOptions, charts: ChartNumbers, limits: OrderLimits) {
    this.#options = options;
    this.#charts = charts;
    this.#limits = limits;
  }

  /** Returns the answer to a job, or `OutOfTime`; how long it may take follows from how many wait. Rejects with its failure. */
  run(job: RenderJob, millisecondsOf: (waiting: number) => number): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ job, millisecondsOf, resolve, reject });
      this.#size += sizeOf(job);
      if (!this.#isBusy) void this.#work();
      while (this.#queue.length > mostWaiting || this.#size > mostWaitingSize) this.#take('oldest')?.reject(tooMany());
    });
  }

  // Hostile jobs that come all at once stand behind each other then, and a good one stands before them.
  async #work(): Promise<void> {
    this.#isBusy = true;
    for (let next = this.#next(); next; next = this.#next()) {
      const { job, millisecondsOf, resolve, reject } = next;
      await this.#runNow(job, millisecondsOf(this.#queue.length)).then(resolve, reject);
    }
    this.#isBusy = false;
  }

  #next(): Waiting | undefined {
    return this.#take(this.#queue.length > longQueue ? 'newest' : 'oldest');
  }

  #take(which: 'newest' | 'oldest'): Waiting | undefined {
    const taken = which === 'newest' ? this.#queue.pop() : this.#queue.shift();
    if (taken) this.#size -= sizeOf(taken.job);
    return taken;
  }

  /** Ends the thread for good, and with it what it renders. */
  close(): void {
    this.#isClosed = true;
    for (const { reject } of this.#queue.splice(0)) reject(stoppedWithAll());
    this.#stop();
  }

  #stop(): void {
    clearTimeout(this.#idle);
    this.#thread?.stop();
    this.#spare?.stop();
    this.#thread = undefined;
    this.#spare = undefined;
  }

  #exchange(): void {
    this.#thread?.stop();
    this.#thread = this.#spare ?? this.#start();
    this.#spare = this.#start();
  }

  async #runNow(job: RenderJob, milliseconds: number): Promise<unknown> {
    clearTimeout(this.#idle);
    const thread = this.#open();
    const talk = new JobTalk(this.#options, this.#charts);
    const ended = thread.ended.then((end) => this.#afterEnd(end, { job, chart: talk.chart }));
    try {
      thread.post({
        job,
        outputBytes: this.#limits.outputBytes,
        folders: this.#options.folders ?? [],
        hasRegistry: this.#options.registry !== undefined,
        shelf: this.#options.shelf.charts.map(({ chart, ...more }) => ({ id: this.#charts.of(chart), ...more })),
        port: talk.far,
      });
      const answer = await Promise.race([talk.answer, ended, talk.started.then(() => after(milliseconds))]);
      if (answer !== outOfTime) return answer;
      this.#exchange();
      return new OutOfTime(talk.chart);
    } finally {
      talk.close();
      this.#idle = setTimeout(() => this.#stop(), idleMilliseconds);
      if (typeof this.#idle === 'object') this.#idle.unref();
    }
  }

  #open(): RenderThread {
    this.#thread ??= this.#start();
    return this.#thread;
  }

  #start(): RenderThread {
    const thread = this.#options.start(this.#limits.memory);
    void thread.ended.then(() => {
      if (this.#thread === thread) this.#thread = undefined;
      if (this.#spare === thread) this.#spare = undefined;
    });
    return thread;
  }

  async #afterEnd(end: ThreadEnd, stopped: Stopped): Promise<unknown> {
    if (end.why === 'memory') throw tooMuchMemory(this.#limits.memory, stopped);
    if (this.#isClosed) throw stoppedWithAll();
    if (end.why === 'absent') return this.#options.fallback(stopped.job);
    throw end.error;
  }
}

const outOfTime = Symbol('out of time');

function after(milliseconds: number): Promise<typeof outOfTime> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(outOfTime), milliseconds);
    if (typeof timer === 'object') timer.unref();
  });
}

/** What is said about one job: questions of the thread are answered, its last word is the answer. */
class JobTalk {
  readonly far: MessagePort;
  readonly started: Promise<void>;
  readonly answer: Promise<unknown>;
  readonly #near: MessagePort;
  #chart: string | undefined;

  constructor({ registry, shelf }: OpenOptions, charts: ChartNumbers) {
    const { port1, port2 } = new MessageChannel();
    this.#near = port1;
    this.far = port2;
    let start = (): void => {};
    this.started = new Promise((resolve) => {
      start = resolve;
    });
    const shelved = new Map(shelf.charts.map(({ chart }) => [charts.of(chart), chart]));
    this.answer = new Promise((resolve, reject) => {
      let found: Chart | undefined;
      port1.onmessage = async ({ data }: MessageEvent<FromThread>) => {
        if (data.say === 'started') start();
        else if (data.say === 'at') this.#chart = data.chart;
        else if (data.say === 'done') resolve(data.answer);
        else if (data.say === 'failed') reject(unpackFailure(data.failure));
        else if (data.say === 'send') this.#tell({ say: 'chart', chart: shelved.get(data.id) ?? found! });
        else {
          try {
            found = await registry!.resolve(data.request);
            this.#tell({ say: 'found', id: charts.of(found) });
          } catch (error) {
            this.#tell({ say: 'failed', failure: packFailure(error) });
          }
        }
      };
    });
  }

  /** The chart that was begun last. */
  get chart(): string | undefined {
    return this.#chart;
  }

  close(): void {
    this.#near.close();
  }

  #tell(message: ToThread): void {
    this.#near.postMessage(message);
  }
}
