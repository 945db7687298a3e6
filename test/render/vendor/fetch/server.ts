// A classic repository and a registry on the loopback, with configurable failures.

import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { after } from 'node:test';
import { packChart } from '../../../../render/vendor/lock/bundle.ts';
import { VendorError, type VendorOptions, vendorOrders } from '../../../../render/vendor.node.ts';
import { listen } from '../../../support/loopback.ts';
import { chartYaml, createProject, type Files, type Project } from '../../../support/project.ts';

/** A received request. */
export interface Seen {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly range: string | undefined;
}

/** A test server. */
export interface TestServer {
  readonly url: string;
  readonly host: string;
  readonly seen: Seen[];
  close(): Promise<void>;
}

/** A project with the options of `vendorOrders`. */
export type VendorProject = Project & { readonly options: VendorOptions };

/** Creates a project for downloads. */
export function createVendorProject(files: Files = {}): VendorProject {
  const project = createProject(files);
  const env = { HOME: project.folder };
  return { ...project, options: { cwd: project.folder, env, retries: 0, timeout: 5000 } };
}

/** Returns an Order of one chart. */
export function orderOf(name: string, version: string, sourceRef: Readonly<Record<string, string>>): unknown {
  return { spec: { packages: [{ chart: { name, version, sourceRef, releaseName: 'r', namespace: 'n' } }] } };
}

/** Downloads the charts of Orders, and returns the error: undefined if there is none, and one sentence otherwise. */
export async function failureOf(order: unknown, options: VendorOptions): Promise<VendorError | undefined> {
  try {
    await vendorOrders([order], options);
    return undefined;
  } catch (error) {
    if (!(error instanceof VendorError)) throw error;
    const { message, hint = '' } = error;
    if (message.includes('\n') || message.length >= 1000 || hint.length >= 1000) throw new Error(`long: ${message}`);
    return error;
  }
}

/** Starts a server on a free port of the loopback. It is closed after the tests. */
export async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<TestServer> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    const { authorization, range } = request.headers;
    seen.push({ path: request.url ?? '', authorization, range });
    answer(request, response);
  });
  const { host, stop } = await listen(server);
  after(stop);
  return { url: `http://${host}`, host, seen, close: stop };
}

/** Returns the archive of a small chart. */
export function archiveOf(name: string, version: string, more = ''): Buffer {
  const map =
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "{{ .Release.Name }}"}\ndata: {v: "{{ .Chart.Version }}"}\n';
  const files = { 'Chart.yaml': chartYaml(name, more, version), 'templates/map.yaml': map };
  return Buffer.from(packChart(name, new Map(Object.entries(files).map(([path, text]) => [path, Buffer.from(text)]))));
}

/** Returns the digest of bytes with the prefix `sha256:`. */
export function digestOf(data: Uint8Array | string): string {
  return `sha256:${createHash('sha256').update(data).digest('hex')}`;
}

/** Returns an index.yaml for archives in `charts/`. */
export function indexOf(
  charts: readonly { readonly name: string; readonly version: string; readonly data: Uint8Array }[],
): string {
  const lines = ['apiVersion: v1', 'entries:'];
  for (const name of new Set(charts.map((chart) => chart.name))) {
    lines.push(`  ${name}:`);
    for (const { version, data } of charts.filter((chart) => chart.name === name)) {
      lines.push(`  - name: ${name}`, `    version: "${version}"`, `    digest: ${digestOf(data).slice(7)}`);
      lines.push('    urls:', `    - charts/${name}-${version}.tgz`);
    }
  }
  return `${lines.join('\n')}\n`;
}

/** The archives of the chart `web`, by version. */
export const webArchives: ReadonlyMap<string, Buffer> = new Map(
  ['1.0.0', '1.2.0', '2.0.0', '3.0.0-rc.1'].map((version) => [version, archiveOf('web', version)]),
);

export const webIndex = indexOf([...webArchives].map(([version, data]) => ({ name: 'web', version, data })));

/** Starts a repository with the chart `web`; `change` returns the content for a path, or the status of a failure. */
export function serveWeb(
  change: (path: string, data: Buffer) => Buffer | number = (_, data) => data,
): Promise<TestServer> {
  return serve(({ url = '' }, response) => {
    const found =
      url === '/index.yaml' ? Buffer.from(webIndex) : webArchives.get(/web-(.*)\.tgz$/.exec(url)?.[1] ?? '');
    const answer = found === undefined ? 404 : change(url, found);
    if (typeof answer === 'number') response.writeHead(answer).end();
    else response.writeHead(200, { 'content-length': answer.length }).end(answer);
  });
}

const chartLayer = 'application/vnd.cncf.helm.chart.content.v1.tar+gzip';

/** Returns the responses of a registry without passwords for one chart. */
export function registryOf(
  path: string,
  versions: ReadonlyMap<string, Uint8Array>,
): (url: string) => Uint8Array | undefined {
  const manifests = new Map<string, Buffer>();
  for (const [version, data] of versions) {
    const layers = [{ mediaType: chartLayer, digest: digestOf(data), size: data.length }];
    const config = { mediaType: 'application/vnd.cncf.helm.config.v1+json', digest: digestOf('{}'), size: 2 };
    manifests.set(version.replaceAll('+', '_'), Buffer.from(JSON.stringify({ schemaVersion: 2, config, layers })));
  }
  return (url) => {
    const [, rest = ''] = url.split(`/v2/${path}/`);
    if (rest.startsWith('tags/list'))
      return Buffer.from(JSON.stringify({ name: path, tags: [...manifests.keys(), 'latest'] }));
    if (rest.startsWith('manifests/')) return manifests.get(rest.slice('manifests/'.length));
    return [...versions.values()].find((data) => rest === `blobs/${digestOf(data)}`);
  };
}
