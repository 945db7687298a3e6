// The request log of a world: recent requests and responses without their secrets, counts, near misses, and waiting for a request.

import { didYouMean } from '../../render/core/suggest.ts';
import { EmulatorError, type Issue } from '../core/errors.ts';
import type { RouteReference } from '../core/names.ts';
import { formatTime, later } from './clock.ts';
import type { Fault } from './faults.ts';
import { maskBody, maskHeader, maskSecrets } from './secrets.ts';

/** One side of a call: headers by lower-case name, and the body as text; undefined if it was empty or not read. */
export interface LoggedMessage {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** Whether the body was longer than the log keeps. */
  readonly cut: boolean;
}

/** One call. `path` includes the query, with tokens masked; `time` is the time of the world, `durationMs` is real. */
export interface LogEntry {
  readonly id: number;
  readonly time: string;
  readonly method: string;
  readonly path: string;
  /** The route's name; undefined if no route matched. */
  readonly route: string | undefined;
  /** The caller's login; undefined if the caller is anonymous. */
  readonly user: string | undefined;
  /** 0 if the connection was dropped by a fault or closed by the caller. */
  readonly status: number;
  readonly durationMs: number;
  /** Whether the caller disconnected before the response. */
  readonly aborted: boolean;
  /** Violations of the route's schemas by the request or the response. */
  readonly violations: readonly string[];
  /** The faults that affected the call. */
  readonly faults: readonly Fault[];
  /** For an unknown path, the most similar known one. */
  readonly meant: string | undefined;
  readonly request: LoggedMessage;
  readonly response: LoggedMessage;
}

/** One side of a call as stored: headers, as an object or as a list of names and values in turn, and the body cut to the limit. */
interface KeptMessage {
  readonly headers: readonly string[] | Readonly<Record<string, string | readonly string[]>>;
  readonly body: Uint8Array | string | undefined;
  readonly cut: boolean;
}

/** A call as stored: the time in milliseconds, the path as sent. `nested` is as in `maskBody`. */
type Entry = Omit<LogEntry, 'time' | 'request' | 'response'> & {
  readonly time: number;
  readonly request: KeptMessage;
  readonly response: KeptMessage;
  readonly nested: boolean;
};

/** Selects calls: every member that is set must be equal; `after` is the number of an earlier call. */
export interface LogFilter<Own extends string = string> {
  readonly method?: string;
  /** The path without its query; `*` matches any text. */
  readonly path?: string;
  /** The route, by name or by method and path. Unknown routes are an error. */
  readonly route?: RouteReference<Own>;
  readonly user?: string;
  readonly status?: number;
  readonly after?: number;
}

/** A call that a filter does not match, with the conditions that it does not meet. */
export interface NearMiss {
  readonly request: LogEntry;
  readonly misses: readonly { readonly field: string; readonly wanted: string; readonly was: string }[];
}

export class RequestLog {
  readonly #limit: number;
  #entries: Entry[] = [];
  #last = 0;
  readonly #waiting = new Set<(entry: Entry) => void>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(call: Omit<Entry, 'id'>): void {
    const entry = { id: ++this.#last, ...call };
    if (this.#entries.push(entry) > this.#limit) this.#entries.shift();
    for (const listener of this.#waiting) listener(entry);
  }

  /** Lists the calls that match a filter, oldest first. */
  list(filter: LogFilter = {}): readonly LogEntry[] {
    return this.#kept(filter).map(readable);
  }

  count(filter: LogFilter = {}): number {
    return this.#kept(filter).length;
  }

  /** Lists up to three calls that almost match a filter, nearest first, then latest first. */
  nearMisses(filter: LogFilter): readonly NearMiss[] {
    return this.#entries
      .map((entry) => ({ entry, misses: missesOf(filter, entry) }))
      .filter(({ misses }) => misses.length > 0)
      .sort((a, b) => a.misses.length - b.misses.length || b.entry.id - a.entry.id)
      .slice(0, 3)
      .map(({ entry, misses }) => ({ request: readable(entry), misses }));
  }

  clear(): void {
    this.#entries = [];
  }

  /** Returns the first call that matches a filter, as soon as there is one; undefined on timeout. */
  wait(filter: LogFilter, timeoutMs: number, signal?: AbortSignal): Promise<LogEntry | undefined> {
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
    return this.#entries.filter((entry) => picks(filter, entry));
  }
}

// Few entries are ever read, so their texts are made on demand.
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

function pairsOf(headers: KeptMessage['headers']): readonly (readonly [string, string])[] {
  if (!Array.isArray(headers)) {
    return Object.entries(headers).flatMap(([name, value]) => [value].flat().map((one) => [name, one] as const));
  }
  const names = headers.filter((_, at) => at % 2 === 0);
  return names.map((name, at) => [name, headers[at * 2 + 1] ?? ''] as const);
}

/** Returns a message to store: a long body is cut and copied, so that the entry does not retain the whole. */
export function keptMessage(headers: KeptMessage['headers'], body: KeptMessage['body'], limit: number): KeptMessage {
  const cut = body !== undefined && body.length > limit;
  if (limit === 0 || !cut) return { headers, body: limit === 0 ? undefined : body, cut };
  const short = typeof body === 'string' ? new TextEncoder().encode(body.slice(0, limit)) : body.slice(0, limit);
  return { headers, body: short, cut };
}

const filterFields = ['method', 'path', 'route', 'user', 'status', 'after'] as const;

/** Validates a filter. Throws an `EmulatorError` (FILTER_INVALID) for unknown fields and wrong types. */
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
