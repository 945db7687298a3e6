// The request log of a world: the last calls, without their secrets, and a way to wait for one.

import { formatTime, later } from './clock.ts';

/** Is one call as the log keeps it. `path` has its query, with tokens masked; `time` is the world's, `durationMs` real. */
export interface LogEntry {
  readonly id: number;
  readonly time: string;
  readonly method: string;
  readonly path: string;
  /** The route's name; undefined when no route matched. */
  readonly route: string | undefined;
  /** The caller's login; undefined when nobody was known. */
  readonly user: string | undefined;
  /** 0 for a connection that was dropped on purpose. */
  readonly status: number;
  readonly durationMs: number;
  /** How request or answer broke the routes' schemas. */
  readonly violations: readonly string[];
}

/** Is an entry as it is kept: the time in milliseconds, the path as sent. */
type Entry = Omit<LogEntry, 'time'> & { readonly time: number };

/** Picks calls: everything that is set must be equal; `after` is the number of a call that came before. */
export interface LogFilter {
  readonly method?: string;
  readonly route?: string;
  readonly user?: string;
  readonly status?: number;
  readonly after?: number;
}

/** Keeps the last calls of a world. */
export class RequestLog {
  readonly #limit: number;
  #entries: Entry[] = [];
  #last = 0;
  readonly #waiting = new Set<(entry: Entry) => void>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Writes a call down; `time` in milliseconds since 1970. */
  add(call: Omit<Entry, 'id'>): void {
    const entry = { id: ++this.#last, ...call };
    this.#entries.push(entry);
    // Cut in large steps: dropping the first of a full list at every call would copy it every time.
    if (this.#entries.length > this.#limit * 2) this.#entries = this.#entries.slice(-this.#limit);
    for (const tell of this.#waiting) tell(entry);
  }

  /** Lists the calls that a filter picks, oldest first. */
  list(filter: LogFilter = {}): readonly LogEntry[] {
    return this.#entries
      .slice(-this.#limit)
      .filter((entry) => picks(filter, entry))
      .map(readable);
  }

  /** Forgets all calls; numbers go on. */
  clear(): void {
    this.#entries = [];
  }

  /** Gives the first call that a filter picks, as soon as there is one; undefined after `timeoutMs` without. */
  wait(filter: LogFilter, timeoutMs: number): Promise<LogEntry | undefined> {
    const [known] = this.list(filter);
    if (known) return Promise.resolve(known);
    return new Promise((resolve) => {
      const end = (entry: Entry | undefined): void => {
        this.#waiting.delete(tell);
        callOff();
        resolve(entry && readable(entry));
      };
      const tell = (entry: Entry): void => {
        if (picks(filter, entry)) end(entry);
      };
      const callOff = later(timeoutMs, () => end(undefined));
      this.#waiting.add(tell);
    });
  }
}

// Few entries are ever read: their texts are made then.
function readable(entry: Entry): LogEntry {
  return { ...entry, time: formatTime(entry.time), path: maskSecrets(entry.path) };
}

function picks(filter: LogFilter, entry: Entry): boolean {
  return (
    entry.id > (filter.after ?? 0) &&
    (filter.method === undefined || filter.method === entry.method) &&
    (filter.route === undefined || filter.route === entry.route) &&
    (filter.user === undefined || filter.user === entry.user) &&
    (filter.status === undefined || filter.status === entry.status)
  );
}

/** Gives a path and query with the values of token parameters masked. */
export function maskSecrets(target: string): string {
  return target.replace(/([?&](?:token|access_token)=)[^&#]*/gi, '$1***');
}
