// Tests failing downloads: each ends with the right archive or with one message. Statuses and wrong indexes are in
// test/render/vendor/fetch/.

import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { digestBytes } from '../../../render/chart/digest.ts';
import { VendorError, vendorOrders } from '../../../render/vendor.node.ts';
import { check } from '../../../scripts/dev/tools/tools.ts';
import { orderOf } from './ranges.ts';
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
}

/** Tests every failure with a separate project. */
export async function checkFaults(root: string, subject: Subject): Promise<void> {
  const [server, other] = [await startStatic(subject.folder), await startStatic(subject.folder)];
  try {
    for (const item of [...interruptions(subject), ...faults(server, other)])
      await checkCase(mkdtempSync(join(root, 'fault-')), item, server, subject);
    check(
      'a redirect to another host does not send credentials',
      other.authorizations.length > 0 && other.authorizations.every((text) => text === ''),
    );
  } finally {
    await Promise.all([server.stop(), other.stop()]);
  }
}

async function checkCase(
  cwd: string,
  { title, fault, code }: Case,
  server: StaticServer,
  { folder, name, version }: Subject,
): Promise<void> {
  server.fault = (request, response, file) => (request.url?.endsWith('.tgz') ? fault(request, response, file) : false);
  const source = `http://${server.host}`;
  const known = join(cwd, 'repositories.yaml');
  writeFileSync(known, `repositories:\n- {name: charts, url: "${source}", username: ada, password: lovelace}\n`);
  const env = { HOME: cwd, HELM_REPOSITORY_CONFIG: known };
  const order: unknown = JSON.parse(orderOf([{ name, version, source }]));
  const options = { cwd, env, timeout: 1000, retries: code === undefined ? 4 : 0 };
  const outcome = await vendorOrders([order], options).catch((error: unknown) => error);
  const names = readdirSync(cwd, { recursive: true, encoding: 'utf8' });
  const archives = names.filter((path) => path.endsWith('.tgz') && !path.includes('.incoming'));
  if (code === undefined) {
    const [archive = ''] = archives;
    const digests = [join(cwd, archive), join(folder, `${name}-${version}.tgz`)].map((path) =>
      digestBytes(readFileSync(path)),
    );
    check(`${title}: the archive is complete`, digests[0] === digests[1]);
    return;
  }
  const isReported = outcome instanceof VendorError && outcome.code === code && !outcome.message.includes('\n');
  if (!isReported) console.error(outcome);
  check(`${title}: ${isReported ? outcome.message.replace(/^.*?: /, '') : 'one error message'}`, isReported);
  check('  no files are written', archives.length === 0 && !existsSync(join(cwd, 'drydock.lock')));
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
  const redirect =
    ({ host }: StaticServer): Fault =>
    (request, response) =>
      void response.writeHead(302, { location: `http://${host}${request.url}` }).end();
  const lengthOff =
    (by: number): Fault =>
    (_, response, file) => {
      response.writeHead(200, { 'content-length': file.length + by });
      response.write(file.subarray(0, file.length + by));
    };
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
    { title: 'a redirect to another host', fault: redirect(other) },
    {
      title: 'a connection that is always closed',
      code: 'UNREACHABLE',
      fault: (_, response) => void response.destroy(),
    },
    { title: 'a Content-Length that is too large', code: 'TIMED_OUT', fault: lengthOff(10) },
    { title: 'a Content-Length that is too small', code: 'DIGEST_DIFFERS', fault: lengthOff(-10) },
    { title: 'a Content-Length of 10 GB', code: 'TOO_LARGE', fault: lengthOff(10_000_000_000) },
    { title: 'a redirect loop', code: 'ANSWER_INVALID', fault: redirect(server) },
    { title: 'no response', code: 'TIMED_OUT', fault: () => undefined },
    { title: 'status 429', code: 'TOO_MANY_REQUESTS', fault: (_, response) => void response.writeHead(429).end() },
  ];
}

function trickle(response: { write(data: Buffer): unknown; end(): unknown }, file: Buffer, at: number): void {
  if (at >= file.length) return void response.end();
  response.write(file.subarray(at, at + 256));
  setTimeout(() => trickle(response, file, at + 256), 5);
}
