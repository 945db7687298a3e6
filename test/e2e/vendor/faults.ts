// Tests failing downloads: each ends with the right archive or with one message.

import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { archiveDigest } from '../../../render/vendor/lock/bundle.ts';
import { VendorError, type VendorOptions, vendorOrders } from '../../../render/vendor.node.ts';
import { check } from '../../../scripts/dev/tools/tools.ts';
import { type Fault, type StaticServer, sendFile, startStatic } from './servers.ts';

/** A chart: its name and version, and the folder of its repository. */
export interface Subject {
  readonly folder: string;
  readonly name: string;
  readonly version: string;
}

interface Case {
  readonly title: string;
  readonly fault: Fault;
  /** The code of the error; undefined if the download succeeds. */
  readonly code?: VendorError['code'];
  readonly options?: VendorOptions;
}

/** Tests every failure with a separate repository. */
export async function checkFaults(root: string, subject: Subject): Promise<void> {
  const [server, other] = [await startStatic(subject.folder), await startStatic(subject.folder)];
  try {
    for (const item of [...interruptions(subject), ...faults(server, other)])
      await checkCase(root, item, server, subject);
    check(
      'a redirect to another host does not send credentials',
      other.authorizations.length > 0 && other.authorizations.every((text) => text === ''),
    );
  } finally {
    await Promise.all([server.stop(), other.stop()]);
  }
}

async function checkCase(
  root: string,
  item: Case,
  server: StaticServer,
  { folder, name, version }: Subject,
): Promise<void> {
  const cwd = mkdtempSync(join(root, 'fault-'));
  server.fault = (request, response, file) =>
    request.url?.endsWith('.tgz') ? item.fault(request, response, file) : false;
  const source = { name: `http://${server.host}` };
  const order = {
    spec: { packages: [{ chart: { name, version, sourceRef: source, releaseName: 'r', namespace: 'n' } }] },
  };
  const known = join(cwd, 'repositories.yaml');
  writeFileSync(known, `repositories:\n- {name: charts, url: "${source.name}", username: ada, password: lovelace}\n`);
  const options: VendorOptions = {
    cwd,
    env: { HOME: cwd, HELM_REPOSITORY_CONFIG: known },
    timeout: 1000,
    retries: 4,
    ...item.options,
  };
  const outcome = await vendorOrders([order], options).catch((error: unknown) => error);
  const archives = filesBelow(cwd).filter((file) => file.endsWith('.tgz') && !file.includes('.incoming'));
  if (item.code === undefined) {
    const wanted = archiveDigest(readFileSync(join(folder, `${name}-${version}.tgz`)));
    const [archive] = archives;
    check(
      `${item.title}: the archive is complete`,
      archive !== undefined && archiveDigest(readFileSync(archive)) === wanted,
    );
    return;
  }
  const isReported = outcome instanceof VendorError && outcome.code === item.code && !outcome.message.includes('\n');
  if (!isReported) console.error(outcome);
  check(`${item.title}: ${isReported ? outcome.message.replace(/^.*?: /, '') : 'one error message'}`, isReported);
  check('  no files are written', archives.length === 0 && !existsSync(join(cwd, 'drydock.lock')));
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(path) : [path];
  });
}

// The first request is interrupted after each tenth of the body; the next one resumes.
function interruptions({ folder, name, version }: Subject): readonly Case[] {
  const { length } = readFileSync(join(folder, `${name}-${version}.tgz`));
  return Array.from({ length: 10 }, (_, tenth): Case => {
    let isInterrupted = false;
    return {
      title: `a connection closed after ${tenth} tenths`,
      fault: (request, response, file) => {
        if (isInterrupted) return false;
        isInterrupted = true;
        if (tenth === 0) response.destroy();
        else sendFile(request, response, file, Math.floor((length * tenth) / 10));
      },
    };
  });
}

function faults(server: StaticServer, other: StaticServer): readonly Case[] {
  let failed = 0;
  return [
    {
      title: '500 three times, then 200',
      fault: (_, response) => {
        failed++;
        if (failed > 3) return false;
        response.writeHead(500).end();
      },
    },
    {
      title: 'slow bytes',
      fault: (_, response, file) => {
        response.writeHead(200, { 'content-length': file.length });
        trickle(response, file, 0);
      },
    },
    {
      title: 'a redirect to another host',
      fault: (request, response) =>
        void response.writeHead(302, { location: `http://${other.host}${request.url}` }).end(),
    },
    ...failures(server),
  ];
}

function failures(server: StaticServer): readonly Case[] {
  return [
    {
      title: 'a connection that is always closed',
      code: 'UNREACHABLE',
      options: { retries: 1 },
      fault: (_, response) => void response.destroy(),
    },
    {
      title: 'a Content-Length that is too large',
      code: 'TIMED_OUT',
      options: { retries: 0 },
      fault: (_, response, file) => {
        response.writeHead(200, { 'content-length': file.length + 10 });
        response.write(file);
      },
    },
    {
      title: 'a Content-Length that is too small',
      code: 'DIGEST_DIFFERS',
      fault: (_, response, file) => {
        response.writeHead(200, { 'content-length': file.length - 10 }).end(file.subarray(0, file.length - 10));
      },
    },
    {
      title: 'a changed byte',
      code: 'DIGEST_DIFFERS',
      fault: (_, response, file) => {
        const wrong = Buffer.from(file);
        wrong[wrong.length >> 1] = (wrong[wrong.length >> 1] ?? 0) ^ 1;
        response.writeHead(200, { 'content-length': wrong.length }).end(wrong);
      },
    },
    {
      title: 'a redirect loop',
      code: 'ANSWER_INVALID',
      fault: (request, response) =>
        void response.writeHead(302, { location: `http://${server.host}${request.url}` }).end(),
    },
    {
      title: 'a Content-Length of 10 GB',
      code: 'TOO_LARGE',
      fault: (_, response) => {
        response.writeHead(200, { 'content-length': 10_000_000_000 });
        response.write('x');
      },
    },
    {
      title: 'no response',
      code: 'TIMED_OUT',
      options: { retries: 0 },
      fault: () => undefined,
    },
    ...statuses.map(
      ([status, code]): Case => ({
        title: `status ${status}`,
        code,
        options: { retries: 1 },
        fault: (_, response) => void response.writeHead(status).end(),
      }),
    ),
  ];
}

const statuses = [
  [401, 'ACCESS_DENIED'],
  [403, 'ACCESS_DENIED'],
  [404, 'REPOSITORY_UNKNOWN'],
  [429, 'TOO_MANY_REQUESTS'],
  [503, 'SERVER_FAILED'],
] as const;

function trickle(response: { write(data: Buffer): unknown; end(): unknown }, file: Buffer, at: number): void {
  if (at >= file.length) return void response.end();
  response.write(file.subarray(at, at + 256));
  setTimeout(() => trickle(response, file, at + 256), 5);
}
