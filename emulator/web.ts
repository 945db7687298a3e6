// The in-process adapter: converts web Requests to messages of the dispatcher, and back to Responses.

import { isBytes } from '../render/go/realm.ts';
import { readStream } from './app/input.ts';
import type { Incoming, Outgoing } from './app/message.ts';

type Answer = (incoming: Incoming) => Promise<Outgoing>;

// The origin of requests with only a path.
const localOrigin = 'http://localhost';

/** Answers arguments of `fetch`. Rejects with a `TypeError`, like `fetch`, if a fault drops the connection. */
export async function answerFetch(
  answer: Answer,
  input: Request | URL | string,
  init: RequestInit = {},
  links: LinkPrefixes = {},
): Promise<Response> {
  const incoming = isRequest(input)
    ? fromRequest(new Request(input, init), links)
    : fromParts(new URL(input, localOrigin), init, links);
  const outgoing = await answer(incoming);
  // Like an aborted fetch.
  if (outgoing.aborted) throw incoming.signal?.reason;
  return toResponse(outgoing, incoming.method);
}

/** Reports whether a value is a `Request` of any realm. */
export function isRequest(input: Request | URL | string): input is Request {
  return typeof input === 'object' && 'headers' in input;
}

/** The part of a URL that does not belong to the emulator. */
export interface LinkPrefixes {
  /** The prefix of the path. */
  readonly prefix?: string;
  /** The prefix of links outside the API. Default: `prefix`. */
  readonly sitePrefix?: string;
}

/** What an adapter knows in addition to a web request. */
export interface RequestDetails extends LinkPrefixes {
  /** Reads a body that the platform hides, as for a GET. */
  readonly body?: () => Promise<Uint8Array | undefined>;
  /** The cookies of the request, if the header lacks them: a page hides it, and msw provides its own. */
  readonly cookie?: string;
}

/** Converts a web request to a message. */
export function fromRequest(
  request: Request,
  { body, cookie, prefix = '', sitePrefix = prefix }: RequestDetails = {},
): Incoming {
  const url = new URL(request.url);
  return {
    method: request.method,
    origin: url.origin,
    prefix,
    sitePrefix,
    target: (url.pathname + url.search).slice(prefix.length),
    header: (name) => (name === 'cookie' ? cookie : undefined) ?? request.headers.get(name) ?? undefined,
    headers: () => [...request.headers].flat(),
    signal: request.signal,
    gone: () => request.signal.aborted,
    body: once(async (limit) => {
      const hidden = request.body ? undefined : await body?.();
      return readBytes(hidden ?? request.body, limit);
    }),
  };
}

// Not through a Request, which refuses a GET with a body.
function fromParts(url: URL, init: RequestInit, { prefix = '', sitePrefix = prefix }: LinkPrefixes): Incoming {
  const headers = new Headers(init.headers);
  const carrier = init.body === undefined || init.body === null ? undefined : new Response(init.body);
  const type = carrier?.headers.get('content-type');
  const signal = init.signal ?? undefined;
  if (type && !headers.has('content-type')) headers.set('content-type', type);
  return {
    method: (init.method ?? 'GET').toUpperCase(),
    origin: url.origin,
    prefix,
    sitePrefix,
    target: (url.pathname + url.search).slice(prefix.length),
    header: (name) => headers.get(name) ?? undefined,
    headers: () => [...headers].flat(),
    signal,
    gone: () => signal?.aborted ?? false,
    body: once((limit) => readBytes(carrier?.body, limit)),
  };
}

// A stream can be read once; a second reader gets the result of the first.
function once(read: Incoming['body']): Incoming['body'] {
  let reading: ReturnType<Incoming['body']> | undefined;
  return (limit) => {
    reading ??= read(limit);
    return reading;
  };
}

async function readBytes(
  body: ReadableStream<Uint8Array> | Uint8Array | null | undefined,
  limit: number,
): Promise<Uint8Array> {
  if (!body) return new Uint8Array();
  return readStream(isBytes(body) ? single(body) : chunks(body), limit);
}

async function* single(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

// Not every browser can iterate over a stream with `for await`.
async function* chunks(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
}

/** Converts a reply to a web response. Throws a `TypeError` for a dropped connection. */
export function toResponse(outgoing: Outgoing, method: string, Kind: typeof Response = Response): Response {
  if (outgoing.drop) throw new TypeError('fetch failed: the connection was dropped by a fault');
  const headers = new Headers();
  for (const [name, value] of Object.entries(outgoing.headers)) {
    if (typeof value === 'string') headers.set(name, value);
    else for (const one of value) headers.append(name, one);
  }
  const { body: sent } = outgoing;
  const length = typeof sent === 'string' ? new TextEncoder().encode(sent).length : sent.length;
  if (method === 'HEAD') headers.set('Content-Length', String(length));
  const body = length === 0 || method === 'HEAD' ? null : (sent as BodyInit);
  return new Kind(body, { status: outgoing.status, headers });
}
