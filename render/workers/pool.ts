// A pool of workers, for Node and pages: each does one job at a time, others wait in a bounded queue, and a job that takes too long is
// stopped with its worker.

/** A worker of this platform. */
export interface PoolWorker {
  post(message: unknown): void;
  /** Sets the function that is called with each message of the worker. */
  listen(listener: (message: unknown) => void): void;
  /** Resolves when the worker ends by itself, with the reason. */
  readonly ended: Promise<WorkerEnd>;
  stop(): void;
}

/** Why a worker ended: it needed too much memory, could not be started at all, or failed. */
export interface WorkerEnd {
  readonly why: 'memory' | 'absent' | 'failure';
  /** The error of a worker that failed. */
  readonly error?: unknown;
}

/** What a worker says about its job. Messages of other types are passed on to the job's `onMessage`. */
export type WorkerMessage =
  /** Its time limit runs from here: loading the program is not part of the job. */
  | { readonly type: 'started' }
  | { readonly type: 'done'; readonly answer: unknown }
  | { readonly type: 'failed'; readonly failure: unknown };

/** Options for `WorkerPool`. */
export interface PoolOptions {
  readonly start: () => PoolWorker;
  /** The number of workers. */
  readonly size: number;
  /** How many jobs, and bytes of jobs, may wait; beyond it the oldest are rejected. Default: any number. */
  readonly maxWaiting?: { readonly jobs: number; readonly bytes: number } | undefined;
  /** With more jobs waiting, the newest goes first: its caller is most likely still there. Default: jobs run in their order. */
  readonly newestFirstAbove?: number | undefined;
  /** How long workers are kept without a job, in milliseconds. Default: until the pool is closed. */
  readonly idleMilliseconds?: number | undefined;
}

/** A job of a pool. */
export interface PoolJob {
  /** What the worker gets, as `{ type: 'job', job: message }`. */
  readonly message: unknown;
  /** Its size, for the limit of the queue. Default 0. */
  readonly bytes?: number | undefined;
  /** Returns how long it may take in milliseconds, with so many other jobs waiting. Default: any time. */
  readonly milliseconds?: ((waiting: number) => number) | undefined;
  /** Called with further messages of the worker. */
  readonly onMessage?: ((message: unknown, reply: (message: unknown) => void) => void) | undefined;
}

/** Why a job has no answer: its worker ended, it took too long, too many were waiting, the pool was closed, or it failed (`cause`). */
export class PoolError extends Error {
  override readonly name = 'PoolError';
  readonly reason: WorkerEnd['why'] | 'timeout' | 'busy' | 'closed' | 'failed';

  constructor(reason: PoolError['reason'], cause?: unknown) {
    super(`the job was not done: ${reason}`, { cause });
    this.reason = reason;
  }
}

interface Waiting {
  readonly job: PoolJob;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: PoolError) => void;
}

/** A pool of workers, which start with the first jobs. */
export class WorkerPool {
  readonly #options: PoolOptions;
  readonly #waiting: Waiting[] = [];
  #waitingBytes = 0;
  readonly #idle: PoolWorker[] = [];
  /** Busy workers, each with the function that ends its job. */
  readonly #busy = new Map<PoolWorker, (reason: PoolError['reason'], cause?: unknown) => void>();
  #isClosed = false;
  #idleTimer: Timer | undefined;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** Does a job and returns the worker's answer. Rejects with a `PoolError`. */
  run(job: PoolJob): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) {
        reject(new PoolError('closed'));
        return;
      }
      this.#waiting.push({ job, resolve, reject });
      this.#waitingBytes += job.bytes ?? 0;
      this.#assign();
      const { jobs = Number.POSITIVE_INFINITY, bytes = Number.POSITIVE_INFINITY } = this.#options.maxWaiting ?? {};
      while (this.#waiting.length > jobs || this.#waitingBytes > bytes) {
        this.#take('oldest')?.reject(new PoolError('busy'));
      }
    });
  }

  /** Stops all workers; jobs that run or wait are rejected. */
  close(): void {
    this.#isClosed = true;
    for (const { reject } of this.#waiting.splice(0)) reject(new PoolError('closed'));
    for (const end of [...this.#busy.values()]) end('closed');
    this.#stopIdle();
  }

  #take(which: 'oldest' | 'newest'): Waiting | undefined {
    const taken = which === 'newest' ? this.#waiting.pop() : this.#waiting.shift();
    this.#waitingBytes -= taken?.job.bytes ?? 0;
    return taken;
  }

  #assign(): void {
    const { size, newestFirstAbove = Number.POSITIVE_INFINITY } = this.#options;
    while (this.#busy.size < size) {
      const next = this.#take(this.#waiting.length > newestFirstAbove ? 'newest' : 'oldest');
      if (next === undefined) return;
      this.#work(this.#idle.pop() ?? this.#start(), next);
    }
  }

  #work(worker: PoolWorker, { job, resolve, reject }: Waiting): void {
    clearTimeout(this.#idleTimer);
    let timer: Timer | undefined;
    const end = (isReusable: boolean, settle: () => void): void => {
      if (!this.#busy.delete(worker)) return;
      clearTimeout(timer);
      if (isReusable) this.#idle.push(worker);
      else worker.stop();
      settle();
      this.#assign();
      this.#rest();
    };
    const fail = (reason: PoolError['reason'], cause?: unknown): void =>
      end(reason === 'failed', () => reject(new PoolError(reason, cause)));
    this.#busy.set(worker, fail);
    worker.listen((message) => {
      const incoming = message as WorkerMessage;
      if (incoming.type === 'done') end(true, () => resolve(incoming.answer));
      else if (incoming.type === 'failed') fail('failed', incoming.failure);
      else if (incoming.type === 'started') {
        const limit = job.milliseconds?.(this.#waiting.length);
        if (limit !== undefined) timer = startTimer(limit, () => fail('timeout'));
      } else job.onMessage?.(message, (reply) => worker.post(reply));
    });
    worker.post({ type: 'job', job: job.message });
  }

  #start(): PoolWorker {
    const worker = this.#options.start();
    void worker.ended.then(({ why, error }) => {
      this.#busy.get(worker)?.(why, error);
      const at = this.#idle.indexOf(worker);
      if (at >= 0) this.#idle.splice(at, 1);
    });
    return worker;
  }

  #rest(): void {
    const { idleMilliseconds } = this.#options;
    if (this.#isClosed) this.#stopIdle();
    else if (this.#busy.size === 0 && idleMilliseconds !== undefined) {
      this.#idleTimer = startTimer(idleMilliseconds, () => this.#stopIdle());
    }
  }

  #stopIdle(): void {
    clearTimeout(this.#idleTimer);
    for (const worker of this.#idle.splice(0)) worker.stop();
  }
}

type Timer = ReturnType<typeof setTimeout>;

// A timer does not keep a process of Node alive.
function startTimer(milliseconds: number, run: () => void): Timer {
  const timer = setTimeout(run, milliseconds);
  if (typeof timer === 'object') timer.unref();
  return timer;
}
