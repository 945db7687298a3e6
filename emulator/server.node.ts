// The door `drydock/emulator/node`: the emulator on a port, by node:http alone. It keeps the body of a GET.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { createEmulator, type Emulator, type EmulatorOptions } from './emulator.ts';
import { readStream, tooLarge } from './http/input.ts';
import { commonHeaders, type Incoming, jsonType, type Outgoing } from './http/message.ts';
import { isAllowedHost } from './http/security.ts';
import { maskSecrets } from './world/log.ts';

/** Says where the server listens. */
export interface ServerOptions {
  /** 0 takes any free port. Default 0. */
  readonly port?: number;
  /** Default 127.0.0.1: this machine only. */
  readonly host?: string;
  /** Host names, beside this machine's own, under which requests are let in; `*` is all. */
  readonly allowedHosts?: readonly string[];
  /** Hears of every answer: a line for people, without secrets, and whether the call may have changed anything. */
  readonly onAnswer?: (line: string, writes: boolean) => void;
}

/** Is an emulator that listens. */
export interface EmulatorServer {
  readonly emulator: Emulator;
  /** Such as `http://127.0.0.1:4000`. */
  readonly url: string;
  readonly port: number;
  /** Stops listening and closes every connection. */
  close(): Promise<void>;
}

/** Starts an emulator, made from options or given, on a port. Rejects when the port is taken. */
export async function startServer(
  emulator: Emulator | EmulatorOptions = {},
  { port = 0, host = '127.0.0.1', allowedHosts = [], onAnswer }: ServerOptions = {},
): Promise<EmulatorServer> {
  const service = 'fetch' in emulator ? emulator : createEmulator(emulator);
  const hosts = isEverywhere(host) ? allowedHosts : [...allowedHosts, host.includes(':') ? `[${host}]` : host];
  const server = createServer({ keepAliveTimeout: 5000 }, (request, response) => {
    void serve(service, hosts, request, response).then((status) =>
      onAnswer?.(lineOf(request, status), isWrite(request)),
    );
  });
  // A broken request of a client is its own affair.
  server.on(
    'clientError',
    (_error, socket) => void socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n'),
  );
  await listen(server, port, host);
  const address = server.address() as AddressInfo;
  const name = isEverywhere(host) ? '127.0.0.1' : host;
  return {
    emulator: service,
    url: `http://${name.includes(':') ? `[${name}]` : name}:${address.port}`,
    port: address.port,
    close: () => close(server),
  };
}

/** Tells whether an address means every network of the machine. */
export function isEverywhere(host: string): boolean {
  return host === '0.0.0.0' || host === '::' || host === '';
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

// Gives the status, 0 for a connection that a fault dropped.
async function serve(
  emulator: Emulator,
  hosts: readonly string[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<number> {
  const known = isAllowedHost(request.headers.host, hosts);
  const outgoing = known ? await emulator.answer(toIncoming(request)) : foreignHost(request);
  send(outgoing, request, response);
  return outgoing.drop ? 0 : outgoing.status;
}

function lineOf(request: IncomingMessage, status: number): string {
  return `${request.method} ${maskSecrets(request.url ?? '')} ${status || 'dropped'}`;
}

function isWrite({ method }: IncomingMessage): boolean {
  return method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS';
}

// A page of a foreign site can point its own name at this machine; such requests carry that name.
function foreignHost(request: IncomingMessage): Outgoing {
  const message = `The host ${JSON.stringify(request.headers.host ?? '')} is not served here: allow it with --allow-host.`;
  return {
    status: 403,
    headers: { ...commonHeaders, 'Content-Type': jsonType },
    body: `${JSON.stringify({ message })}\n`,
  };
}

function toIncoming(request: IncomingMessage): Incoming {
  return {
    method: request.method ?? 'GET',
    origin: `http://${request.headers.host}`,
    target: targetOf(request.url ?? '/'),
    header: (name) => {
      const value = request.headers[name];
      return Array.isArray(value) ? value.join(', ') : value;
    },
    body: (limit) => {
      if (Number(request.headers['content-length'] ?? 0) > limit) return Promise.reject(tooLarge(limit));
      return readStream(request, limit);
    },
  };
}

// Proxies send the whole address.
function targetOf(url: string): string {
  return url.startsWith('/') ? url : url.replace(/^[a-z]+:\/\/[^/]*/i, '') || '/';
}

function send(outgoing: Outgoing, request: IncomingMessage, response: ServerResponse): void {
  if (outgoing.drop) {
    (request.socket as Socket).destroy();
    return;
  }
  const bytes = Buffer.from(outgoing.body);
  const bodiless = outgoing.status === 204 || outgoing.status === 304;
  response.writeHead(outgoing.status, {
    ...(outgoing.headers as Record<string, string | string[]>),
    ...(!bodiless && { 'Content-Length': bytes.length }),
  });
  response.end(request.method === 'HEAD' || bodiless ? undefined : bytes);
}
