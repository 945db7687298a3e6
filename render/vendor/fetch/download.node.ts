// Downloads with resumption, checks of length and digest, and a size limit.

import { archiveDigest } from '../lock/locked.ts';
import { publicUrl } from '../lock/source.ts';
import { VendorError } from './errors.ts';
import type { Part, Staging } from './staging.node.ts';
import type { Answer, RequestSettings, Transport } from './transport.node.ts';
import { hostOf, statusFailure } from './wording.ts';

/** Maximum size of an archive in bytes: what Helm unpacks at most. */
export const maxArchiveSize = 100 * 1024 * 1024;
/** Maximum size of an index in bytes. */
export const maxIndexSize = 256 * 1024 * 1024;

/** What to download. */
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

/** Returns the bytes. Rejects with VendorError. */
export async function download(transport: Transport, job: Download): Promise<Uint8Array> {
  const part = job.staging === undefined ? new MemoryPart() : job.staging.claim(`${publicUrl(job.url)} ${job.digest}`);
  let isDone = false;
  try {
    const data = await checked(transport, job, part);
    isDone = true;
    return data;
  } finally {
    if (isDone) part.remove();
    else part.leave();
  }
}

type Parts = Pick<Part, 'size' | 'tag' | 'reset' | 'add' | 'read' | 'leave' | 'remove'>;

class MemoryPart implements Parts {
  size = 0;
  tag = '';
  #chunks: Uint8Array[] = [];

  reset(tag: string): void {
    this.#chunks = [];
    this.size = 0;
    this.tag = tag;
  }

  add(data: Uint8Array): void {
    this.#chunks.push(data);
    this.size += data.length;
  }

  read(): Uint8Array {
    return Buffer.concat(this.#chunks);
  }

  leave(): void {}

  remove(): void {}
}

// A wrong digest after a resumed download may be due to the pieces; one in a single piece gets a second attempt, because a proxy may have
// truncated it.
async function checked(transport: Transport, job: Download, part: Parts): Promise<Uint8Array> {
  for (let tries = 0; ; tries++) {
    await transport.retry(() => fill(transport, job, part));
    const data = part.read();
    if (job.digest === undefined) return data;
    const digest = archiveDigest(data);
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

async function fill(transport: Transport, job: Download, part: Parts): Promise<void> {
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

async function take(answer: Answer, job: Download, part: Parts): Promise<void> {
  const { status, headers } = answer;
  if (status === 416) {
    part.reset('');
    throw new VendorError('UNREACHABLE', `${publicUrl(job.url)}: ${hostOf(job.url)} has fewer bytes than before`, {
      mayPass: true,
    });
  }
  if (status !== 200 && status !== 206) throw statusFailure(status, answer.url, job.what, retryAfterOf(headers));
  const start = status === 206 ? Number(/^bytes (\d+)-/.exec(headers.get('content-range') ?? '')?.[1] ?? -1) : 0;
  const etag = headers.get('etag') ?? '';
  if (start !== part.size || start === 0) part.reset(/^"/.test(etag) ? etag : '');
  if (status === 206 && start !== part.size) {
    throw new VendorError('UNREACHABLE', `${publicUrl(job.url)}: ${hostOf(job.url)} sent other bytes than asked for`, {
      mayPass: true,
    });
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
      hint: 'Look whether the address is that of a chart.',
    },
  );
}
