// Downloads with resumption, checks of length and digest, and a size limit; incomplete files are kept in a folder.

import { createHash, randomUUID } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { digestBytes } from '../../chart/digest.ts';
import { codeOf } from '../../core/errors.ts';
import { makeFolder } from '../../core/make-folder.node.ts';
import { writeWhole } from '../lock/folder-dependencies.node.ts';
import { publicUrl } from '../lock/lock.ts';
import { hostOf, statusFailure, VendorError } from './errors.ts';
import type { Answer, RequestSettings, Transport } from './transport.node.ts';

/** The name of the folder, below the folder of charts. */
const stagingName = '.incoming';

/** How long a part of a killed run is kept, in milliseconds. */
const maxAge = 60 * 60 * 1000;

/** An incomplete download: in memory and, so that a later run can continue it, in a file. Two runs never write the same one. */
class Part {
  /** Number of bytes so far. */
  size = 0;
  /** The server's ETag; empty if there is none. */
  tag = '';
  #chunks: Uint8Array[] = [];
  readonly #file: { readonly own: string; readonly shared: string } | undefined;

  constructor(file?: { readonly own: string; readonly shared: string }) {
    this.#file = file;
    const data = file && existsSync(file.own) ? readFileSync(file.own) : new Uint8Array();
    if (file === undefined || data.length === 0) return;
    this.#chunks = [data];
    this.size = data.length;
    this.tag = existsSync(`${file.shared}.tag`) ? readFileSync(`${file.shared}.tag`, 'utf8') : '';
  }

  /** Starts again. */
  reset(tag: string): void {
    this.#chunks = [];
    this.size = 0;
    this.tag = tag;
    if (this.#file === undefined) return;
    writeFileSync(this.#file.own, '');
    writeFileSync(`${this.#file.shared}.tag`, tag);
  }

  /** Adds bytes. */
  add(data: Uint8Array): void {
    this.#chunks.push(data);
    this.size += data.length;
    if (this.#file !== undefined) appendFileSync(this.#file.own, data);
  }

  /** Returns all bytes. */
  read(): Uint8Array {
    return Buffer.concat(this.#chunks);
  }

  /** Ends the download. If it is incomplete, its bytes are kept for the next run. */
  end(isDone: boolean): void {
    if (this.#file === undefined) return;
    const { own, shared } = this.#file;
    if (!isDone && existsSync(own)) renameSync(own, shared);
    if (!isDone) return;
    rmSync(own, { force: true });
    rmSync(`${shared}.tag`, { force: true });
  }
}

/** The folder of incomplete files. */
export class Staging {
  readonly #folder: string;

  constructor(charts: string) {
    this.#folder = join(charts, stagingName);
  }

  /** Returns the part for a URL: the one that an earlier run has left, or an empty one. */
  claim(url: string): Part {
    makeFolder(this.#folder);
    this.#sweep();
    const shared = join(this.#folder, `${createHash('sha256').update(url).digest('hex').slice(0, 32)}.part`);
    const own = `${shared}.${randomUUID()}`;
    try {
      // One of two runs gets it.
      renameSync(shared, own);
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error;
      writeFileSync(own, '');
    }
    return new Part({ own, shared });
  }

  /** Keeps a complete archive under its digest. */
  keep(digest: string, data: Uint8Array): void {
    writeWhole(this.#pathOf(digest), data);
  }

  /** Returns an archive that this or an earlier run has kept, or undefined. */
  kept(digest: string): Uint8Array | undefined {
    const path = this.#pathOf(digest);
    return existsSync(path) ? readFileSync(path) : undefined;
  }

  /** Copies a kept archive to its final place, unless another run has placed it. */
  place(digest: string, path: string): void {
    const isPlaced = existsSync(path) && digestBytes(readFileSync(path)) === digest;
    if (!isPlaced) writeWhole(path, readFileSync(this.#pathOf(digest)));
  }

  /** Removes a kept archive. */
  drop(digest: string): void {
    rmSync(this.#pathOf(digest), { force: true });
  }

  #pathOf(digest: string): string {
    return join(this.#folder, `${digest.slice('sha256:'.length)}.tgz`);
  }

  // What killed runs have left.
  #sweep(): void {
    for (const name of readdirSync(this.#folder)) {
      const path = join(this.#folder, name);
      const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
      if (age > maxAge) rmSync(path, { force: true });
    }
  }

  /** Removes the folder if it contains nothing that a later run could use. */
  clear(): void {
    if (!existsSync(this.#folder)) return;
    for (const name of readdirSync(this.#folder)) {
      if (name.endsWith('.tag') && !existsSync(join(this.#folder, name.slice(0, -4))))
        rmSync(join(this.#folder, name), { force: true });
    }
    try {
      rmdirSync(this.#folder);
    } catch {
      // Another run is using it.
    }
  }
}

/** Maximum size of an archive in bytes: what Helm unpacks at most. */
export const maxArchiveSize = 100 * 1024 * 1024;
export const maxIndexSize = 256 * 1024 * 1024;

export interface Download {
  readonly url: string;
  /** A description for messages. */
  readonly what: string;
  /** Returns the headers and credentials of each attempt. */
  readonly ask: () => Promise<RequestSettings>;
  /** The required digest; undefined if unknown. */
  readonly digest?: string | undefined;
  readonly limit: number;
  /** Where partial data is stored; undefined for memory. */
  readonly staging?: Staging | undefined;
  /** Called with the number of bytes received, and the total if the server announces it. */
  readonly onBytes?: ((bytes: number, total: number | undefined) => void) | undefined;
}

export async function download(transport: Transport, job: Download): Promise<Uint8Array> {
  const part = job.staging?.claim(`${publicUrl(job.url)} ${job.digest}`) ?? new Part();
  let isDone = false;
  try {
    const data = await checked(transport, job, part);
    isDone = true;
    return data;
  } finally {
    part.end(isDone);
  }
}

// A wrong digest after a resumed download may be due to the pieces; one in a single piece gets a second attempt, because a proxy may have
// truncated it.
async function checked(transport: Transport, job: Download, part: Part): Promise<Uint8Array> {
  for (let tries = 0; ; tries++) {
    await transport.retry(() => fill(transport, job, part));
    const data = part.read();
    if (job.digest === undefined) return data;
    const digest = digestBytes(data);
    if (digest === job.digest) return data;
    part.reset('');
    if (tries < 1) continue;
    throw new VendorError(
      'DIGEST_DIFFERS',
      `${publicUrl(job.url)}: ${job.what} has ${digest}, and must have ${job.digest}`,
      {
        hint: 'The archive has changed: ask the maintainers of the repository; `--update` accepts the current one.',
      },
    );
  }
}

async function fill(transport: Transport, job: Download, part: Part): Promise<void> {
  const ask = await job.ask();
  // Without a digest or an ETag, a change of the file between two attempts would go unnoticed.
  if (part.size > 0 && job.digest === undefined && part.tag === '') part.reset('');
  const range: Readonly<Record<string, string>> =
    part.size === 0 ? {} : { range: `bytes=${part.size}-`, ...(part.tag !== '' && { 'if-range': part.tag }) };
  const answer = await transport.send(job.url, { ...ask, headers: { ...ask.headers, ...range } });
  try {
    await take(answer, job, part);
  } finally {
    answer.discard();
  }
}

async function take(answer: Answer, job: Download, part: Part): Promise<void> {
  const { status, headers } = answer;
  if (status === 416) {
    part.reset('');
    throw new VendorError('UNREACHABLE', `${publicUrl(job.url)}: ${hostOf(job.url)} has a shorter file than before`, {
      mayPass: true,
    });
  }
  if (status !== 200 && status !== 206) throw statusFailure(status, answer.url, job.what, retryAfterOf(headers));
  const start = status === 206 ? Number(/^bytes (\d+)-/.exec(headers.get('content-range') ?? '')?.[1] ?? -1) : 0;
  const etag = headers.get('etag') ?? '';
  if (start !== part.size || start === 0) part.reset(/^"/.test(etag) ? etag : '');
  if (status === 206 && start !== part.size) {
    throw new VendorError(
      'UNREACHABLE',
      `${publicUrl(job.url)}: ${hostOf(job.url)} sent another range than requested`,
      { mayPass: true },
    );
  }
  const length = Number(headers.get('content-length') ?? Number.NaN);
  const total = Number.isSafeInteger(length) ? part.size + length : undefined;
  if ((total ?? 0) > job.limit || length > job.limit) throw tooLarge(job, total);
  job.onBytes?.(part.size, total);
  for await (const chunk of answer.body) {
    if (part.size + chunk.length > job.limit) throw tooLarge(job, undefined);
    part.add(chunk);
    job.onBytes?.(part.size, total);
  }
  if (total !== undefined && part.size !== total) {
    throw new VendorError(
      'UNREACHABLE',
      `${publicUrl(job.url)}: ${hostOf(job.url)} sent ${part.size} bytes of ${total}`,
      { mayPass: true, hint: 'Try again later.' },
    );
  }
}

/** Returns the delay that a server requests, in milliseconds: `Retry-After` in seconds. */
export function retryAfterOf(headers: ReadonlyMap<string, string>): number | undefined {
  const seconds = headers.get('retry-after') ?? '';
  return /^\d{1,6}$/.test(seconds) ? Number(seconds) * 1000 : undefined;
}

function tooLarge(job: Download, announced: number | undefined): VendorError {
  const size = announced === undefined ? 'is' : `is announced with ${announced} bytes, which is`;
  return new VendorError(
    'TOO_LARGE',
    `${publicUrl(job.url)}: ${job.what} ${size} larger than any chart (${job.limit} bytes)`,
    {
      hint: 'Check that the address is that of a chart.',
    },
  );
}
