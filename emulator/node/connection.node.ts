// One request on a connection of node:http, as the dispatcher sees it, and its answer on the way back. A body is read to its end before
// the answer, as far as that is sensible: a connection that closes over unread bytes is reset, and the answer lost (RFC 9112, 9.6).

import type { IncomingMessage, ServerResponse } from 'node:http';
import { tooLarge } from '../app/input.ts';
import { commonHeaders, type Incoming, jsonType, type Outgoing } from '../app/message.ts';

// What is read of a body that nobody wants, before and after the answer.
const drainBytes = 256 * 1024 * 1024;
const drainMs = 10_000;
const lingerMs = 2000;

/** One request on its way, from its first line to the end of its answer. */
export class NodeHttpAdapter implements Incoming {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #scheme: 'http' | 'https';
  #controller: AbortController | undefined;
  #stopped = false;
  /** Body, once it is read. */
  #body: Promise<Uint8Array> | undefined;
  /** Whether the caller waits for `100 Continue` before it sends the body. */
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
    // Proxies send the whole address.
    return url.startsWith('/') ? url : url.replace(/^[a-z]+:\/\/[^/]*/i, '') || '/';
  }

  header(name: string): string | undefined {
    const value = this.#request.headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  }

  headers(): readonly string[] {
    return this.#request.rawHeaders;
  }

  /** Made when first needed: few calls are ever called off. */
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

  /** Reads the body. Throws a 413 `Problem` when it is longer than `limit`, and a plain error when it stops coming. */
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
    return collect(this.#request, announced > limit ? 0 : limit, limit);
  }

  /** Sends the answer; does nothing when the caller has gone or has an answer already. */
  async send(outgoing: Outgoing): Promise<void> {
    if (this.#isAnswered()) return;
    if (outgoing.drop) {
      this.#request.socket.destroy();
      return;
    }
    const isWhole = this.#request.complete || (!this.#waits && (await drain(this.#request, drainMs)));
    if (this.#isAnswered()) return;
    if (isWhole) this.#end(outgoing);
    else await this.#sendOver(outgoing);
  }

  /** Answers that the server is shutting down. */
  stop(): void {
    this.#stopped = true;
    this.#controller?.abort();
    if (this.#isAnswered()) return;
    this.#end(stoppingAnswer, { Connection: 'close' });
  }

  #isAnswered(): boolean {
    return this.#response.destroyed || this.#response.headersSent;
  }

  // The caller goes on sending what nobody wants: it has the whole answer, and some time to read it.
  async #sendOver(outgoing: Outgoing): Promise<void> {
    const response = this.#writeHead(outgoing, { Connection: 'close' });
    if (this.#hasBody(outgoing)) response.write(outgoing.body);
    if (!this.#waits) await drain(this.#request, lingerMs);
    response.end();
  }

  // Head and body in one: they leave together.
  #end(outgoing: Outgoing, more?: Readonly<Record<string, string>>): void {
    const response = this.#writeHead(outgoing, more);
    if (this.#hasBody(outgoing)) response.end(outgoing.body);
    else response.end();
  }

  #hasBody({ status }: Outgoing): boolean {
    return !isBodiless(status) && this.method !== 'HEAD';
  }

  #writeHead({ status, headers, body }: Outgoing, more?: Readonly<Record<string, string>>): ServerResponse {
    // Names and values in turn: node walks them as they are, where an object would be copied first.
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

/** The answer of a server that stops. */
export const stoppingAnswer: Outgoing = refusalMessage(503, 'The emulator stops.');

/** Creates an answer of the server itself. */
export function refusalMessage(status: number, message: string): Outgoing {
  return {
    status,
    headers: { ...commonHeaders, 'Content-Type': jsonType },
    body: `${JSON.stringify({ message })}\n`,
  };
}

// `for await` would close the connection when it is left early.
function collect(request: IncomingMessage, keep: number, limit: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let length = 0;
    const take = (chunk: Buffer): void => {
      length += chunk.length;
      if (length <= keep) chunks.push(chunk);
      else chunks = [];
      if (length > drainBytes) give(tooLarge(limit));
    };
    const give = (failure?: Error): void => {
      request.off('data', take);
      clearTimeout(timer);
      if (failure) reject(failure);
      else if (length > keep) reject(tooLarge(limit));
      else resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks));
    };
    // A body that is too long and does not end either.
    const timer = setTimeout(() => length > keep && give(tooLarge(limit)), drainMs);
    request.on('data', take);
    request.once('end', () => give());
    request.once('error', give);
    request.once('close', () => give(new Error('the connection was closed')));
    if (request.destroyed && !request.complete) give(new Error('the connection was closed'));
  });
}

// Reads the rest of a body. Resolves to true if all of it arrived, within the limits of size and time.
function drain(request: IncomingMessage, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    let left = drainBytes;
    const count = (chunk: Buffer): void => {
      left -= chunk.length;
      if (left < 0) give();
    };
    const give = (): void => {
      request.off('data', count);
      clearTimeout(timer);
      resolve(request.complete);
    };
    const timer = setTimeout(give, timeoutMs);
    request.on('data', count);
    request.once('end', give);
    request.once('error', give);
    request.once('close', give);
    request.resume();
  });
}
