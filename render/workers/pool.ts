// A pool of workers, for Node and pages: each runs one job at a time, others wait in a bounded queue, and a job that takes too long is
// stopped with its worker.

/** A worker of this platform. */
export interface PoolWorker {
  post(message: unknown): void;
  /** Sets the callback for messages of the worker. */
  listen(listener: (message: unknown) => void): void;
  /** Resolves with the reason when the worker ends by itself. */
  readonly ended: Promise<WorkerEnd>;
  stop(): void;
}

/** Why a worker ended: out of memory, failed to start, or an error. */
export interface WorkerEnd {
  readonly why: 'memory' | 'absent' | 'failure';
  /** The error of a worker that failed. */
  readonly error?: unknown;
}

/** A worker's message about its job. Messages of other types are passed to the job's `onMessage`. */
export type WorkerMessage =
  /** The time limit starts now: loading the program is not part of the job. */
  | { readonly type: 'started' }
  | { readonly type: 'done'; readonly answer: unknown }
  | { readonly type: 'failed'; readonly failure: unknown };

export interface PoolOptions {
  readonly start: () => PoolWorker;
  readonly size: number;
  /** Maximum number of waiting jobs, and of their bytes; beyond it the oldest are rejected. Default: no limit. */
  readonly maxWaiting?: { readonly jobs: number; readonly bytes: number } | undefined;
  /** With more waiting jobs, the newest goes first: its caller is most likely still waiting. Default: first in, first out. */
  readonly newestFirstAbove?: number | undefined;
  /** How long workers are kept without a job, in milliseconds. Default: until the pool is closed. */
  readonly idleMilliseconds?: number | undefined;
}

export interface PoolJob {
  /** The message for the worker, as `{ type: 'job', job: message }`. */
  readonly message: unknown;
  /** Its size, for the limit of the queue. Default 0. */
  readonly bytes?: number | undefined;
  /** Time limit in milliseconds. Default: no limit. */
  readonly milliseconds?: number | undefined;
  /** Called with further messages of the worker. */
  readonly onMessage?: ((message: unknown, reply: (message: unknown) => void) => void) | undefined;
}

/** Why a job has no answer: its worker ended, it took too long, the queue was full, the pool was closed, or it failed (`cause`). */
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

  /** Runs a job and returns the worker's answer. Rejects with a `PoolError`. */
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

  /** Stops all workers; running and waiting jobs are rejected. */
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
        if (job.milliseconds !== undefined) timer = startTimer(job.milliseconds, () => fail('timeout'));
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

// A timer does not keep a Node process alive.
function startTimer(milliseconds: number, run: () => void): Timer {
  const timer = setTimeout(run, milliseconds);
  if (typeof timer === 'object') timer.unref();
  return timer;
}
