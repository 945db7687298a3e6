// Servers on loopback for channels.ts: an npm registry with one package, and the part of GitHub's API that the action calls.

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { listen } from '../../../support/loopback.ts';

/** A test server. */
export interface TestServer {
  readonly url: string;
  close(): Promise<void>;
}

async function serve(handler: RequestListener): Promise<TestServer> {
  const { host, stop } = await listen(createServer(handler));
  return { url: `http://${host}`, close: stop };
}

/** Starts a registry that serves a packed package as its only version. */
export async function startRegistry(
  archive: string,
  manifest: { readonly name: string; readonly version: string; readonly bin: unknown },
): Promise<TestServer> {
  const bytes = await readFile(archive);
  const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
  const registry = await serve((request, response) => {
    if (request.url?.endsWith('.tgz')) {
      response.end(bytes);
      return;
    }
    if (request.url !== `/${manifest.name}`) {
      response.writeHead(404).end('{}');
      return;
    }
    const dist = { tarball: `${registry.url}/${manifest.name}-${manifest.version}.tgz`, integrity };
    const versions = { [manifest.version]: { ...manifest, dist } };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ name: manifest.name, 'dist-tags': { latest: manifest.version }, versions }));
  });
  return registry;
}

/** A request that the fake GitHub received. */
export interface GitHubCall {
  readonly line: string;
  readonly body: Readonly<Record<string, string>>;
}

/** The fake GitHub: its requests and comments. */
export interface GitHub extends TestServer {
  readonly calls: GitHubCall[];
  readonly comments: { id: number; body: string }[];
  /** Whether the token is read-only, as for a fork. */
  isReadOnly: boolean;
}

/** Starts a fake of GitHub's API: comments of one pull request, in pages, and uploads to code scanning. */
export async function startGitHub(): Promise<GitHub> {
  const github = { calls: [] as GitHubCall[], comments: [] as { id: number; body: string }[], isReadOnly: false };
  const server = await serve(async (request, response) => {
    const body = await readJson(request);
    const { method = '', url = '' } = request;
    github.calls.push({ line: `${method} ${url}`, body });
    const reply = (status: number, value: unknown): void => void response.writeHead(status).end(JSON.stringify(value));
    if (request.headers.authorization !== 'Bearer job-token') reply(401, { message: 'Bad credentials' });
    else if (method === 'GET') {
      const { searchParams } = new URL(url, server.url);
      const [page, size] = ['page', 'per_page'].map((name) => Number(searchParams.get(name)));
      reply(200, github.comments.slice(((page ?? 1) - 1) * (size ?? 0), (page ?? 1) * (size ?? 0)));
    } else if (github.isReadOnly) reply(403, { message: 'Resource not accessible by integration' });
    else if (url.endsWith('/code-scanning/sarifs')) reply(202, { id: '1' });
    else if (method === 'POST') {
      github.comments.push({ id: 1000 + github.comments.length, body: body.body ?? '' });
      reply(201, github.comments.at(-1));
    } else {
      const own = github.comments.find(({ id }) => url.endsWith(`/${id}`));
      if (own !== undefined) own.body = body.body ?? '';
      reply(own === undefined ? 404 : 200, own ?? {});
    }
  });
  return Object.assign(github, server);
}

async function readJson(request: IncomingMessage): Promise<Readonly<Record<string, string>>> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text === '' ? {} : JSON.parse(text);
}
