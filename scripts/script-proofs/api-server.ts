// A small Kubernetes API server for the proofs of scripts: it stores, defaults nothing, knows kinds and namespaces, keeps
// what each field manager applied and tells conflicts, and says of every workload that it is ready. Real kubectl and Helm speak with it.

import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  builtIn,
  type Change,
  Cluster,
  eventLine,
  type Fault,
  initialNamespaces,
  isSelected,
  isWatch,
} from './api-cluster.ts';
import { defaulted } from './api-defaults.ts';
import type { JsonMap, Type } from './api-discovery.ts';
import { Meeting } from './api-meeting.ts';
import { readBody } from './protobuf.ts';

/** A running server. */
export interface ApiServer {
  readonly url: string;
  /** What it answers from. */
  readonly cluster: Cluster;
  /** Gives every object as `plural.group namespace/name`, sorted. */
  list(): string[];
  /** Gives every object, by the same names. */
  objects(): ReadonlyMap<string, JsonMap>;
  /** Counts the changes so far. */
  changes(): number;
  /** Counts the calls so far, what only reads too, but for what is watched. */
  calls(): number;
  /**
   * Fails the n-th changing request from now on with 500, of those whose `METHOD /path` fits, or the n-th of all calls; 0 for none.
   * `fault` says how else it fails.
   */
  failAt(n: number, pattern?: RegExp, of?: 'changes' | 'calls', fault?: Fault): void;
  /** Gives the `METHOD /path` of the request that was to fail, once it has; empty before. */
  hasFailed(): string;
  /** Starts a server that holds the same objects. */
  copy(): Promise<ApiServer>;
  /** Answers no changing request whose `METHOD /path` fits until so many different ones wait; gives whether they all came. */
  hold(count: number, pattern: RegExp): Promise<boolean>;
  close(): void;
}

/** Starts a server on a free port of this machine; `types` are what it knows beyond Kubernetes' own. */
export async function startApiServer(types: readonly Type[] = []): Promise<ApiServer> {
  const cluster = new Cluster(types);
  const type = builtIn.find(({ kind }) => kind === 'Namespace') as Type;
  for (const name of initialNamespaces) cluster.put({ type, namespace: '', name }, {});
  return serve(cluster, types);
}

async function serve(cluster: Cluster, types: readonly Type[]): Promise<ApiServer> {
  let meeting: Meeting | undefined;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', async () => {
      const { method = '', url: path = '/', headers } = request;
      const url = new URL(path, 'http://localhost');
      if (method !== 'GET') await meeting?.join(`${method} ${url.pathname}`);
      const body = readBody(Buffer.concat(chunks));
      const ask = {
        method,
        path,
        accept: headers.accept ?? '',
        contentType: headers['content-type'] ?? '',
        body,
      };
      const told = cluster.tell(ask);
      if (told.code === 0) return void request.socket.destroy();
      response.writeHead(told.code, { ...(told.contentType === '' ? {} : { 'content-type': told.contentType }) });
      if (!isWatch(url)) return void response.end(told.text);
      response.flushHeaders();
      response.write(told.text);
      watch(cluster, url, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cluster,
    list: () => [...cluster.store.keys()].sort(),
    objects: () => new Map([...cluster.store].map(([key, { object }]) => [key, object])),
    changes: () => cluster.changes,
    calls: () => cluster.calls,
    failAt: (left, pattern = /^/, of = 'changes', fault = { code: 500 }) => {
      cluster.failure = { left, pattern, of, fault };
      cluster.failed = '';
    },
    hasFailed: () => cluster.failed,
    copy: () => {
      const other = new Cluster(types);
      other.take(cluster);
      return serve(other, types);
    },
    hold: (count, pattern) => {
      meeting = new Meeting(count, pattern);
      return meeting.ended;
    },
    close: () => {
      meeting?.end(false);
      server.closeAllConnections();
      server.close();
    },
  };
}

// Tells what happens to the objects that are asked for from now on.
function watch(cluster: Cluster, url: URL, response: ServerResponse): void {
  const target = cluster.targetOf(url);
  if (target === undefined) return;
  const { type, namespace } = target;
  const tell = ({ event, stored }: Change): void => {
    if (isSelected(stored, type, namespace, url))
      response.write(eventLine(event, type, defaulted(type, stored.object)));
  };
  cluster.watchers.add(tell);
  response.on('close', () => cluster.watchers.delete(tell));
}
