// A node:http request as the dispatcher sees it, and its response. The body is read to its end before the response, within limits: closing
// a connection with unread data resets it, and the response is lost (RFC 9112, 9.6).

import type { IncomingMessage, ServerResponse } from 'node:http';
import { tooLarge } from '../app/input.ts';
import { commonHeaders, type Incoming, jsonType, type Outgoing } from '../app/message.ts';

// How much of an unwanted body is read, before and after the response.
const drainBytes = 256 * 1024 * 1024;
const drainMs = 10_000;
const lingerMs = 2000;

/** One request, from its first line to the end of its response. */
export class NodeHttpAdapter implements Incoming {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #scheme: 'http' | 'https';
  #controller: AbortController | undefined;
  #stopped = false;
  #body: Promise<Uint8Array> | undefined;
  /** Whether the caller waits for `100 Continue` before sending the body. */
  #waits: boolean;

  constructor(request: IncomingMessage, response: ServerResponse, scheme: 'http' | 'https') {
    this.#request = request;
    this.#response = response;
    this.#scheme = scheme;
    this.#waits = request.headers.expect !== undefined;
  }

  get method(): string {
    return this.#request.method ?? 'GET';
  }

  /** Origin as seen by the caller, from `X-Forwarded-Host` and `X-Forwarded-Proto` if a proxy sets them. */
  get origin(): string {
    const { host, 'x-forwarded-host': forwardedHost, 'x-forwarded-proto': forwardedScheme } = this.#request.headers;
    const scheme = firstOf(forwardedScheme, /^https?$/) ?? this.#scheme;
    return `${scheme}://${firstOf(forwardedHost, /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i) ?? host}`;
  }

  get target(): string {
    const { url = '/' } = this.#request;
    // Proxies send an absolute URL.
    return url.startsWith('/') ? url : url.replace(/^[a-z]+:\/\/[^/]*/i, '') || '/';
  }

  header(name: string): string | undefined {
    const value = this.#request.headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  }

  headers(): readonly string[] {
    return this.#request.rawHeaders;
  }

  /** Created on demand: few calls are aborted. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      const controller = new AbortController();
      this.#controller = controller;
      this.#response.once('close', () => controller.abort());
      if (this.#stopped || this.gone()) controller.abort();
    }
    return this.#controller.signal;
  }

  gone(): boolean {
    return this.#response.destroyed && !this.#response.writableFinished;
  }

  /** Reads the body. Throws a 413 `Problem` if it is longer than `limit`, and a plain error if it stops early. */
  body(limit: number): Promise<Uint8Array> {
    this.#body ??= this.#readBody(limit);
    return this.#body;
  }

  async #readBody(limit: number): Promise<Uint8Array> {
    const announced = Number(this.#request.headers['content-length'] ?? 0);
    if (this.#waits && announced > limit) throw tooLarge(limit);
    if (this.#waits) {
      this.#waits = false;
      this.#response.writeContinue();
    }
    const keep = announced > limit ? 0 : limit;
    const { body, isCut } = await readRest(this.#request, { keep, timeoutMs: drainMs });
    if (isCut) throw tooLarge(limit);
    if (!this.#request.complete) throw new Error('the connection was closed');
    return body;
  }

  /** Sends the response; does nothing if the caller is gone or already has one. */
  async send(outgoing: Outgoing): Promise<void> {
    if (this.#isAnswered()) return;
    if (outgoing.drop) {
      this.#request.socket.destroy();
      return;
    }
    const isWhole = this.#request.complete || (!this.#waits && (await this.#drain(drainMs)));
    if (this.#isAnswered()) return;
    if (isWhole) this.#end(outgoing);
    else await this.#sendOver(outgoing);
  }

  stop(): void {
    this.#stopped = true;
    this.#controller?.abort();
    if (this.#isAnswered()) return;
    this.#end(stoppingAnswer, { Connection: 'close' });
  }

  #isAnswered(): boolean {
    return this.#response.destroyed || this.#response.headersSent;
  }

  // The caller has the whole response but keeps sending; it gets some time to read it.
  async #sendOver(outgoing: Outgoing): Promise<void> {
    const response = this.#writeHead(outgoing, { Connection: 'close' });
    if (this.#hasBody(outgoing)) response.write(outgoing.body);
    if (!this.#waits) await this.#drain(lingerMs);
    response.end();
  }

  // Reports whether the rest of the body has arrived in time.
  async #drain(timeoutMs: number): Promise<boolean> {
    await readRest(this.#request, { keep: -1, timeoutMs });
    return this.#request.complete;
  }

  // Head and body in one write.
  #end(outgoing: Outgoing, more?: Readonly<Record<string, string>>): void {
    const response = this.#writeHead(outgoing, more);
    if (this.#hasBody(outgoing)) response.end(outgoing.body);
    else response.end();
  }

  #hasBody({ status }: Outgoing): boolean {
    return !isBodiless(status) && this.method !== 'HEAD';
  }

  #writeHead({ status, headers, body }: Outgoing, more?: Readonly<Record<string, string>>): ServerResponse {
    // Names and values in turn: node uses the list as it is, where it would copy an object.
    const all: (string | string[] | number)[] = [];
    for (const name in headers) if (more?.[name] === undefined) all.push(name, headers[name] as string | string[]);
    for (const name in more) all.push(name, more[name]!);
    if (!isBodiless(status)) {
      all.push('Content-Length', typeof body === 'string' ? Buffer.byteLength(body) : body.length);
    }
    return this.#response.writeHead(status, all);
  }
}

// Value of the first proxy in the chain, if it is well-formed.
function firstOf(header: string | string[] | undefined, form: RegExp): string | undefined {
  if (header === undefined) return undefined;
  const [first = ''] = String(header).split(',');
  return form.test(first.trim()) ? first.trim() : undefined;
}

function isBodiless(status: number): boolean {
  return status === 204 || status === 304;
}

/** The response of a server that is shutting down. */
export const stoppingAnswer: Outgoing = refusalMessage(503, 'The emulator stops.');

export function refusalMessage(status: number, message: string): Outgoing {
  return {
    status,
    headers: { ...commonHeaders, 'Content-Type': jsonType },
    body: `${JSON.stringify({ message })}\n`,
  };
}

interface RestLimits {
  /** Maximum number of bytes to keep; a longer body is discarded. With -1, everything is, and `timeoutMs` applies to any body. */
  readonly keep: number;
  readonly timeoutMs: number;
}

// Reads the rest of a request's body; `isCut` means that it is longer than `keep`. `for await` would close the connection on early exit.
function readRest(
  request: IncomingMessage,
  { keep, timeoutMs }: RestLimits,
): Promise<{ readonly body: Buffer; readonly isCut: boolean }> {
  return new Promise((resolve) => {
    let chunks: Buffer[] = [];
    let length = 0;
    const take = (chunk: Buffer): void => {
      length += chunk.length;
      if (length <= keep) chunks.push(chunk);
      else chunks = [];
      if (length > drainBytes) give();
    };
    const give = (): void => {
      request.off('data', take);
      clearTimeout(timer);
      resolve({
        body: chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks),
        isCut: length > Math.min(keep, drainBytes),
      });
    };
    // A body within the limit may take its time.
    const timer = setTimeout(() => length > keep && give(), timeoutMs);
    request.on('data', take);
    for (const event of ['end', 'error', 'close']) request.once(event, give);
    if (request.destroyed && !request.complete) give();
    else request.resume();
  });
}
