// The entry point `drydock/emulator/node`: the emulator on a port, using only node:http. It supports GET with a body.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { isPlain, kind } from '../render/core/arguments.ts';
import { lazy } from '../render/core/lazy.ts';
import type { Outgoing } from './app/message.ts';
import { type HostRules, isAllowedHost, isEverywhere, isLoopback } from './app/security.ts';
import { checkArguments, emulatorArgument } from './core/arguments.ts';
import type { Emulator, EmulatorOptions } from './emulator.ts';
import { NodeHttpAdapter, refusalMessage, stoppingAnswer } from './node/connection.node.ts';
import { type ConsoleAnswer, openConsole } from './node/console.node.ts';
import {
  type Closer,
  certificateOf,
  checkServerOptions,
  consolePath,
  isEmulator,
  openEmulator,
  type ServerOptions,
} from './node/open.node.ts';
import { maskSecrets } from './world/secrets.ts';

/** Both sides of an HTTP exchange that is passed elsewhere, and a copy of it. */
export type { Incoming, Reply } from './app/message.ts';
export type { Recording } from './app/recordings.ts';
export { type DemoChart, type DemoOptions, type WrittenDemo, writeDemo } from './demo/folder.node.ts';
export { fixtureFileSchemas, readEmulatorOptions, readFixtures } from './fixture-folder.node.ts';
export { type CertificateFiles, certificateIn } from './node/certificate.node.ts';
export type { ServerOptions } from './node/open.node.ts';
export { type ProxyOptions, proxyTo } from './node/proxy.node.ts';
export { PersistError } from './persistence/log-file.node.ts';
export { type RenderThreadOptions as ThreadOptions, renderInThreads } from './rendering/pool.node.ts';

/** A listening emulator. */
export interface EmulatorServer {
  readonly emulator: Emulator;
  /** For example `http://127.0.0.1:4000`; ends with the base path of the emulator. */
  readonly url: string;
  readonly port: number;
  /** URL of the console; undefined if it is not served. */
  readonly consoleUrl: string | undefined;
  /**
   * Stops listening, answers pending requests with 503 and closes all connections, within half a second; then writes pending changes and
   * recordings. Rejects with a `PersistError` or the system's error if they cannot be written.
   */
  close(): Promise<void>;
}

/**
 * Starts an emulator on a port. If it is created from options, orders are rendered in threads; an existing emulator keeps its renderer
 * (`renderInThreads`). Rejects with an `EmulatorError` (SETTING_INVALID and those of `createEmulator`) for invalid options, with a
 * `FixtureError` for `fixturesFolder`, with a `PersistError` for `persist`, and with the system's error if the port is in use.
 *
 * @example
 * const server = await startServer({ pageSize: 10 }, { port: 4010, fixturesFolder: 'fixtures', watch: true, persist: 'state.json' });
 * console.log(server.url);
 * await server.close();
 */
export async function startServer(
  emulator: Emulator | EmulatorOptions = {},
  options: ServerOptions = {},
): Promise<EmulatorServer> {
  const isOpen = isEmulator(emulator);
  const wanted = isOpen ? emulatorArgument : plainOptions;
  checkArguments('startServer', ['emulator', emulator, wanted], ['options', options, plainOptions]);
  checkServerOptions(options, isOpen);
  const closers: Closer[] = [];
  try {
    return await open(await openEmulator(emulator, options, closers), options, closers);
  } catch (failure) {
    await closeAll(closers).catch(() => {});
    throw failure;
  }
}

async function open(emulator: Emulator, options: ServerOptions, closers: Closer[]): Promise<EmulatorServer> {
  const { port = 0, host = '127.0.0.1', allowedHosts = [], onAnswer } = options;
  const tls = await certificateOf(options);
  const scheme = tls ? 'https' : 'http';
  const everywhere = !isLoopback(host);
  const hosts = { names: everywhere ? allowedHosts : [...allowedHosts, host], everywhere };
  const { basePath } = emulator.settings;
  const path = consolePath(options, emulator);
  const showConsole = path === undefined ? undefined : openConsole(basePath, path === '/');
  const exchanges = new Set<NodeHttpAdapter>();
  const state: ServerState = { emulator, hosts, scheme, onAnswer, showConsole, exchanges, stopping: false };
  const listener = (request: IncomingMessage, response: ServerResponse): void => void serve(state, request, response);
  // Longer than proxies keep an idle connection (Vite's, nginx': 60 s), so that the sending side closes first.
  const settings = { keepAliveTimeout: 65_000 };
  // TLS takes a tenth of the start time to load, and few servers use it.
  const server = tls
    ? (await import('node:https')).createServer({ ...settings, ...tls }, listener)
    : createServer(settings, listener);
  server.on('checkContinue', listener);
  server.on('clientError', refuse);
  await listen(server, port, host);
  closers.push(() => close(server, state));
  const address = server.address() as AddressInfo;
  const name = isEverywhere(host) ? '127.0.0.1' : host;
  const url = `${scheme}://${name.includes(':') ? `[${name}]` : name}:${address.port}${basePath}`;
  return {
    emulator,
    url,
    consoleUrl: path && url + path,
    port: address.port,
    close: lazy(() => closeAll(closers)),
  };
}

// Takes every step, the last one opened first. Rejects with the first failure.
async function closeAll(closers: readonly Closer[]): Promise<void> {
  const failures: unknown[] = [];
  for (const closer of closers.toReversed()) {
    try {
      await closer();
    } catch (failure) {
      failures.push(failure);
    }
  }
  if (failures.length > 0) throw failures[0];
}

const plainOptions = kind('an object', isPlain);

interface ServerState {
  readonly emulator: Emulator;
  readonly hosts: HostRules;
  readonly scheme: 'http' | 'https';
  readonly onAnswer: ServerOptions['onAnswer'];
  readonly showConsole: ConsoleAnswer | undefined;
  readonly exchanges: Set<NodeHttpAdapter>;
  stopping: boolean;
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

// The last responses need a moment; connections that are open after that are closed.
function close(server: Server, state: ServerState): Promise<void> {
  state.stopping = true;
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), 250);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
    for (const exchange of state.exchanges) exchange.stop();
    server.closeIdleConnections();
  });
}

async function serve(state: ServerState, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const exchange = new NodeHttpAdapter(request, response, state.scheme);
  state.exchanges.add(exchange);
  let outcome = 'failed';
  try {
    const shown = refusalOf(state, request) ?? state.showConsole?.(exchange);
    const outgoing = (shown && (await shown)) ?? (await state.emulator.answer(exchange));
    await exchange.send(outgoing);
    outcome = outgoing.aborted ? 'aborted' : outgoing.drop ? 'dropped' : String(outgoing.status);
  } catch {
    // No request may end the process, not even by an error in this file.
    response.destroy();
  } finally {
    state.exchanges.delete(exchange);
  }
  state.onAnswer?.(`${request.method} ${maskSecrets(request.url ?? '')} ${outcome}`);
}

function refusalOf({ hosts, stopping }: ServerState, request: IncomingMessage): Outgoing | undefined {
  if (stopping) return stoppingAnswer;
  if (countHosts(request.rawHeaders) > 1) return refusalMessage(400, 'The request has more than one Host header.');
  const { host } = request.headers;
  if (isAllowedHost(host, hosts)) return undefined;
  return refusalMessage(403, `The host ${JSON.stringify(host ?? '')} is not served here: allow it with --allow-host.`);
}

function countHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (name.length === 4 && name.toLowerCase() === 'host') count++;
  }
  return count;
}

const clientErrors: Readonly<Record<string, readonly [number, string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'Payload Too Large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout'],
};

// A broken request affects only its client. The rest of it is read for a moment, so that the client receives the response.
function refuse(error: NodeJS.ErrnoException & { readonly rawPacket?: Buffer }, socket: Socket): void {
  // Further errors on a connection that is being closed.
  if (socket.writableEnded) return;
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, reason] = clientErrors[error.code ?? ''] ?? [400, 'Bad Request'];
  const body = `${JSON.stringify({ message: `${reason}: ${error.message}` })}\n`;
  const head = `HTTP/1.1 ${status} ${reason}\r\nContent-Type: application/json\r\nConnection: close\r\n`;
  const isHead = error.rawPacket?.subarray(0, 5).toString('latin1') === 'HEAD ';
  socket.end(`${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${isHead ? '' : body}`);
  socket.on('error', () => socket.destroy());
  setTimeout(() => socket.destroy(), 500).unref();
}
