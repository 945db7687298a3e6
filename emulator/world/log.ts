// The request log of a world: the last calls with what was sent and answered, without their secrets; counts, near misses, and a
// way to wait for one.

import { didYouMean } from '../../render/core/did-you-mean.ts';
import { EmulatorError, type Issue } from '../core/errors.ts';
import type { RouteReference } from '../core/names.ts';
import { formatTime, later } from './clock.ts';
import type { Fault } from './faults.ts';
import { maskBody, maskHeader, maskSecrets } from './secrets.ts';

/** What one side sent: headers by lower-case name, and the body as text; undefined when it had none or none was read. */
export interface LoggedMessage {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** Whether the body was longer than the log keeps. */
  readonly cut: boolean;
}

/** One call as the log keeps it. `path` has its query, with tokens masked; `time` is the world's, `durationMs` real. */
export interface LogEntry {
  readonly id: number;
  readonly time: string;
  readonly method: string;
  readonly path: string;
  /** The route's name; undefined when no route matched. */
  readonly route: string | undefined;
  /** The caller's login; undefined when nobody was known. */
  readonly user: string | undefined;
  /** 0 for a connection that was dropped on purpose, or that the caller gave up. */
  readonly status: number;
  readonly durationMs: number;
  /** Whether the caller was gone before the answer. */
  readonly aborted: boolean;
  /** How request or answer broke the routes' schemas. */
  readonly violations: readonly string[];
  /** The faults that struck it, as they were set; empty for an answer that nothing spoiled. */
  readonly faults: readonly Fault[];
  /** For an address that no route has: one that was perhaps meant. */
  readonly meant: string | undefined;
  readonly request: LoggedMessage;
  readonly response: LoggedMessage;
}

/** Maps names of headers to values, or lists names and values in turn. */
type KeptHeaders = readonly string[] | Readonly<Record<string, string | readonly string[]>>;

/** What one side sent, as it is kept: headers, and the body cut to the limit. */
class KeptMessage {
  readonly headers: KeptHeaders;
  readonly body: Uint8Array | string | undefined;
  readonly cut: boolean;

  constructor(headers: KeptHeaders, body: Uint8Array | string | undefined, cut: boolean) {
    this.headers = headers;
    this.body = body;
    this.cut = cut;
  }
}

/** A call to be kept: the time in milliseconds, the path as sent. `nested` as `maskBody` reads it. */
type Call = Omit<LogEntry, 'id' | 'time' | 'request' | 'response'> & {
  readonly time: number;
  readonly request: KeptMessage;
  readonly response: KeptMessage;
  readonly nested: boolean;
};

/**
 * A call as it is kept. A class, as what lives a while must be here: engines learn where literals are made that live long, and make
 * the next ones among the old things at once, where they cost more than all else in a call.
 */
class Entry {
  readonly id: number;
  readonly time: number;
  readonly method: string;
  readonly path: string;
  readonly route: string | undefined;
  readonly user: string | undefined;
  readonly status: number;
  readonly durationMs: number;
  readonly aborted: boolean;
  readonly violations: readonly string[];
  readonly faults: readonly Fault[];
  readonly meant: string | undefined;
  readonly nested: boolean;
  readonly request: KeptMessage;
  readonly response: KeptMessage;

  constructor(id: number, call: Call) {
    this.id = id;
    this.time = call.time;
    this.method = call.method;
    this.path = call.path;
    this.route = call.route;
    this.user = call.user;
    this.status = call.status;
    this.durationMs = call.durationMs;
    this.aborted = call.aborted;
    this.violations = call.violations;
    this.faults = call.faults;
    this.meant = call.meant;
    this.nested = call.nested;
    this.request = call.request;
    this.response = call.response;
  }
}

/** Picks calls: everything that is set must be equal; `after` is the number of a call that came before. */
export interface LogFilter<Own extends string = string> {
  readonly method?: string;
  /** The path without its query; `*` stands for any text. */
  readonly path?: string;
  /** The route, as its name or as method and path. One that there is not is refused. */
  readonly route?: RouteReference<Own>;
  readonly user?: string;
  readonly status?: number;
  readonly after?: number;
}

/** A call that a filter does not pick, and why: each condition that it does not meet. */
export interface NearMiss {
  readonly request: LogEntry;
  readonly misses: readonly { readonly field: string; readonly wanted: string; readonly was: string }[];
}

/** How long to wait: so many real milliseconds, or until the signal. */
export interface Patience {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** Keeps the last calls of a world. */
export class RequestLog {
  readonly #limit: number;
  // A ring once it is full: an entry lives no longer than it must, or it would be moved to the old things first.
  #entries: Entry[] = [];
  #oldest = 0;
  #last = 0;
  readonly #waiting = new Set<(entry: Entry) => void>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Writes a call down; `time` in milliseconds since 1970. */
  add(call: Call): void {
    const entry = new Entry(++this.#last, call);
    if (this.#entries.length < this.#limit) {
      this.#entries.push(entry);
    } else {
      this.#entries[this.#oldest] = entry;
      this.#oldest = (this.#oldest + 1) % this.#limit;
    }
    for (const listener of this.#waiting) listener(entry);
  }

  /** Lists the calls that a filter picks, oldest first. */
  list(filter: LogFilter = {}): readonly LogEntry[] {
    return this.#kept(filter).map(readable);
  }

  /** Counts the calls that a filter picks. */
  count(filter: LogFilter = {}): number {
    return this.#kept(filter).length;
  }

  /** Lists up to three calls that a filter all but picks, nearest first, the latest of equals first. */
  nearMisses(filter: LogFilter): readonly NearMiss[] {
    return this.#inOrder()
      .map((entry) => ({ entry, misses: missesOf(filter, entry) }))
      .filter(({ misses }) => misses.length > 0)
      .sort((a, b) => a.misses.length - b.misses.length || b.entry.id - a.entry.id)
      .slice(0, 3)
      .map(({ entry, misses }) => ({ request: readable(entry), misses }));
  }

  /** Forgets all calls; numbers go on. */
  clear(): void {
    this.#entries = [];
    this.#oldest = 0;
  }

  /** Returns the first call that a filter picks, as soon as there is one; undefined without one in time. */
  wait(filter: LogFilter, { timeoutMs, signal }: Patience): Promise<LogEntry | undefined> {
    const [known] = this.#kept(filter);
    if (known) return Promise.resolve(readable(known));
    return new Promise((resolve) => {
      const end = (entry?: Entry): void => {
        this.#waiting.delete(listener);
        callOff();
        signal?.removeEventListener('abort', giveUp);
        resolve(entry && readable(entry));
      };
      const listener = (entry: Entry): void => {
        if (picks(filter, entry)) end(entry);
      };
      const giveUp = (): void => end();
      const callOff = later(timeoutMs, giveUp);
      this.#waiting.add(listener);
      signal?.addEventListener('abort', giveUp);
    });
  }

  #kept(filter: LogFilter): readonly Entry[] {
    return this.#inOrder().filter((entry) => picks(filter, entry));
  }

  #inOrder(): readonly Entry[] {
    return [...this.#entries.slice(this.#oldest), ...this.#entries.slice(0, this.#oldest)];
  }
}

// Few entries are ever read: their texts are made then.
function readable({ nested, ...entry }: Entry): LogEntry {
  return {
    ...entry,
    time: formatTime(entry.time),
    path: maskSecrets(entry.path),
    request: readableMessage(entry.request, nested),
    response: readableMessage(entry.response, nested),
  };
}

function readableMessage({ headers, body, cut }: KeptMessage, nested: boolean): LoggedMessage {
  const named: Record<string, string> = {};
  for (const [key, sent] of pairsOf(headers)) {
    const name = key.toLowerCase();
    const value = maskHeader(name, sent);
    named[name] = named[name] === undefined ? value : `${named[name]}, ${value}`;
  }
  const text = typeof body === 'object' ? new TextDecoder().decode(body) : body;
  return { headers: named, body: text === undefined || text === '' ? undefined : maskBody(text, nested), cut };
}

function* pairsOf(headers: KeptHeaders): Generator<readonly [string, string]> {
  if (isList(headers)) {
    for (let at = 0; at < headers.length; at += 2) yield [headers[at] ?? '', headers[at + 1] ?? ''];
  } else {
    for (const [name, value] of Object.entries(headers)) {
      for (const one of typeof value === 'string' ? [value] : value) yield [name, one];
    }
  }
}

function isList(headers: KeptHeaders): headers is readonly string[] {
  return Array.isArray(headers);
}

/** Returns a message to keep: a body beyond the limit is cut, and what is kept holds on to no more than itself. */
export function keptMessage(headers: KeptHeaders, body: Uint8Array | string | undefined, limit: number): KeptMessage {
  if (body === undefined || body.length <= limit)
    return new KeptMessage(headers, limit === 0 ? undefined : body, false);
  const short = typeof body === 'string' ? new TextEncoder().encode(body.slice(0, limit)) : body.slice(0, limit);
  return new KeptMessage(headers, limit === 0 ? undefined : short, true);
}

const filterFields = ['method', 'path', 'route', 'user', 'status', 'after'] as const;

/** Returns a filter of the library's caller. Throws an `EmulatorError` (FILTER_INVALID) for unknown fields and wrong types. */
export function readFilter(filter: LogFilter): LogFilter {
  const issues = Object.entries(filter).flatMap(([name, value]): Issue[] => {
    if (!(filterFields as readonly string[]).includes(name)) {
      return [{ path: '', message: `there is no field ${JSON.stringify(name)}${didYouMean(name, filterFields)}` }];
    }
    const type = name === 'status' || name === 'after' ? 'number' : 'string';
    return value === undefined || typeof value === type ? [] : [{ path: name, message: `must be a ${type}` }];
  });
  if (issues.length > 0) throw new EmulatorError('FILTER_INVALID', issues);
  return filter.method === undefined ? filter : { ...filter, method: filter.method.toUpperCase() };
}

function picks(filter: LogFilter, entry: Entry): boolean {
  return missesOf(filter, entry).length === 0;
}

function missesOf(filter: LogFilter, entry: Entry): NearMiss['misses'] {
  const misses: NearMiss['misses'][number][] = [];
  const miss = (field: string, wanted: unknown, was: unknown): void => {
    misses.push({ field, wanted: String(wanted), was: was === undefined ? 'none' : String(was) });
  };
  for (const field of ['method', 'route', 'user', 'status'] as const) {
    const wanted = filter[field];
    if (wanted !== undefined && wanted !== entry[field]) miss(field, wanted, entry[field]);
  }
  const path = entry.path.replace(/\?.*/s, '');
  if (filter.path !== undefined && !isLike(path, filter.path)) miss('path', filter.path, path);
  if (entry.id <= (filter.after ?? 0)) miss('after', filter.after, entry.id);
  return misses;
}

function isLike(path: string, pattern: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return path === pattern;
  if (!path.startsWith(first) || !path.endsWith(last)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = path.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at + last.length <= path.length;
}
