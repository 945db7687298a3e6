// A proxy in front of an API server that records every request and makes one of them fail.

import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, request as plainRequest, type ServerResponse } from 'node:http';
import { request as secureRequest } from 'node:https';
import { listen } from '../../support/loopback.ts';

/** A failure of one request. `refused`: the server does not receive it; `lost`: the server processes it, but its response is dropped. */
export interface Failure {
  readonly kind: 'refused' | 'lost';
  /** Reports whether this request fails. Only the first match fails. */
  readonly matches: (method: string, path: string) => boolean;
}

/** A running proxy. */
export interface Proxy {
  /** The path of a kubeconfig that uses the proxy. */
  readonly kubeconfig: string;
  /** Clears the recorded requests and sets the request to fail, if any. */
  reset(failure?: Failure): void;
  /** The paths of objects that were created, changed or deleted since the last reset, in order, each once. */
  written(): readonly string[];
  /** Whether the failure occurred. */
  hasFailed(): boolean;
  close(): Promise<void>;
}

interface Kubeconfig {
  clusters: { cluster: Record<string, unknown> & { server: string } }[];
}

/** Starts a proxy in front of the server of a kubeconfig. */
export async function startProxy(kubeconfig: string): Promise<Proxy> {
  const config = JSON.parse(await readFile(kubeconfig, 'utf8')) as Kubeconfig;
  const target = new URL(config.clusters[0]!.cluster.server);
  let failure: Failure | undefined;
  let hasFailed = false;
  let seen = new Map<string, true>();
  const server = createServer((request, response) => {
    const { method = 'GET', url = '/' } = request;
    const path = objectPath(url);
    if (method !== 'GET' && path !== '') seen.set(path, true);
    const fails = !hasFailed && failure?.matches(method, path) === true;
    if (!fails) return void forward(target, request, response);
    hasFailed = true;
    if (failure?.kind === 'lost') forward(target, request, undefined, () => response.destroy());
    else {
      const body = { kind: 'Status', apiVersion: 'v1', status: 'Failure', message: 'injected failure', code: 500 };
      response.writeHead(500, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    }
  });
  const { host, stop } = await listen(server);
  const own = `${kubeconfig}-proxy`;
  const cluster = { server: `http://${host}` };
  await writeFile(own, JSON.stringify({ ...config, clusters: [{ name: 'reference', cluster }] }));
  return {
    kubeconfig: own,
    reset: (next) => {
      failure = next;
      hasFailed = false;
      seen = new Map();
    },
    written: () => [...seen.keys()],
    hasFailed: () => hasFailed,
    close: stop,
  };
}

// Returns the path without the query; empty for access reviews and events, which are not part of an installation.
function objectPath(url: string): string {
  const path = url.split('?')[0] ?? '';
  return /^\/apis?\//.test(path) && !/(?:reviews|\/events(?:\/[^/]*)?)$/.test(path) ? path : '';
}

function forward(target: URL, request: IncomingMessage, response?: ServerResponse, done?: () => void): void {
  const send = target.protocol === 'https:' ? secureRequest : plainRequest;
  const options = {
    host: target.hostname,
    port: target.port,
    path: request.url,
    method: request.method,
    headers: { ...request.headers, host: target.host, authorization: 'Bearer reference' },
    rejectUnauthorized: false,
  };
  const sent = send(options, (answer) => {
    if (response === undefined) {
      answer.resume();
      answer.once('end', () => done?.());
      return;
    }
    response.writeHead(answer.statusCode ?? 500, answer.headers);
    answer.pipe(response);
    response.once('close', () => answer.destroy());
  });
  sent.once('error', () => response?.destroy());
  request.pipe(sent);
}
