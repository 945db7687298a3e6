// The in-process adapter: converts web Requests to messages of the dispatcher, and back to Responses.

import { isBytes } from '../render/go/realm.ts';
import { readStream } from './app/input.ts';
import { forbidsBody, type Incoming, type Outgoing } from './app/message.ts';

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
  // Like an aborted fetch, or one whose body failed.
  if (outgoing.aborted)
    throw incoming.signal?.reason ?? new TypeError('fetch failed: the body was not sent to its end');
  return toResponse(outgoing, incoming.method);
}

/** Reports whether a value is a `Request` of any realm. */
export function isRequest(input: Request | URL | string): input is Request {
  return typeof input === 'object' && 'headers' in input;
}

/** The part of a URL that does not belong to the emulator. */
export interface LinkPrefixes {
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
export function fromRequest(request: Request, { body, cookie, ...links }: RequestDetails = {}): Incoming {
  const { method, headers, signal } = request;
  const open = async () => (request.body ? request.body : await body?.()) ?? null;
  return incomingOf(new URL(request.url), { method, headers, signal, cookie, open, ...links });
}

// Not through a Request, which refuses a GET with a body.
function fromParts(url: URL, init: RequestInit, links: LinkPrefixes): Incoming {
  const headers = new Headers(init.headers);
  const carrier = init.body === undefined || init.body === null ? undefined : new Response(init.body);
  const type = carrier?.headers.get('content-type');
  if (type && !headers.has('content-type')) headers.set('content-type', type);
  const method = (init.method ?? 'GET').toUpperCase();
  return incomingOf(url, {
    method,
    headers,
    signal: init.signal ?? undefined,
    open: async () => carrier?.body ?? null,
    ...links,
  });
}

type Body = ReadableStream<Uint8Array> | Uint8Array | null;

interface Parts extends LinkPrefixes {
  readonly method: string;
  readonly headers: Headers;
  readonly signal: AbortSignal | undefined;
  readonly cookie?: string | undefined;
  readonly open: () => Promise<Body>;
}

function incomingOf(
  url: URL,
  { method, headers, signal, cookie, open, prefix = '', sitePrefix = prefix }: Parts,
): Incoming {
  // A stream can be read once; a second reader gets the result of the first.
  let reading: Promise<Uint8Array> | undefined;
  return {
    method,
    origin: url.origin,
    prefix,
    sitePrefix,
    target: (url.pathname + url.search).slice(prefix.length),
    header: (name) => (name === 'cookie' ? cookie : undefined) ?? headers.get(name) ?? undefined,
    headers: () => [...headers].flat(),
    signal,
    gone: () => signal?.aborted ?? false,
    body: (limit) => {
      reading ??= open().then((body) => readBytes(body, limit));
      return reading;
    },
  };
}

async function readBytes(body: Body, limit: number): Promise<Uint8Array> {
  return body ? readStream(chunks(body), limit) : new Uint8Array();
}

// Not every browser can iterate over a stream with `for await`.
async function* chunks(body: NonNullable<Body>): AsyncGenerator<Uint8Array> {
  if (isBytes(body)) {
    yield body;
    return;
  }
  const reader = body.getReader();
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
  const isEmpty = length === 0 || method === 'HEAD' || forbidsBody(outgoing.status);
  const body = isEmpty ? null : (sent as BodyInit);
  return new Kind(body, { status: outgoing.status, headers });
}
