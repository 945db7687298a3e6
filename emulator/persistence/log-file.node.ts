// An append-only file of records: a header, then a line for each record with its checksum. Complete lines count, an incomplete end does
// not.

import { type FileHandle, link, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import { codeOf, markFailures } from '../../render/core/errors.ts';
import { reasonOf } from '../core/reasons.ts';

/** Thrown if a file is corrupt or cannot be written; its content is left unchanged. */
export class PersistError extends Error {
  override readonly name = 'PersistError';
  /** The system's error code, such as `ENOSPC`. */
  readonly code: string | undefined;

  constructor(message: string, code?: string) {
    super(message);
    this.code = code;
  }
}

markFailures(PersistError, 'user');

const head = `${JSON.stringify({ format: 'drydock-log', version: 1 })}\n`;

/** The content of a file. */
export interface LogContent {
  /** A value for each complete record, oldest first. */
  readonly records: readonly unknown[];
  /** The bytes of an incomplete last record. */
  readonly tornBytes: number;
}

/** Reads a file of records; undefined if it does not exist. Throws a `PersistError` for another format or a corrupt record. */
export async function readLog(file: string): Promise<LogContent | undefined> {
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw failureOf(file, error);
  });
  if (bytes === undefined) return undefined;
  if (bytes.toString('utf8', 0, head.length) !== head) throw distrust(file, 'this is not a state file of drydock');
  return readRecords(file, bytes);
}

function readRecords(file: string, bytes: Buffer): LogContent {
  const records: unknown[] = [];
  let wrong: { readonly at: number; readonly line: number } | undefined;
  for (let at = head.length, line = 2; at < bytes.length; line++) {
    const end = bytes.indexOf(10, at);
    const record = end < 0 ? undefined : readRecord(bytes.subarray(at, end));
    if (record === undefined) wrong ??= { at, line };
    // A crash affects only the end; an incomplete record before good ones has another cause.
    else if (wrong) throw distrust(file, `line ${wrong.line} is damaged`);
    else records.push(record.value);
    at = end < 0 ? bytes.length : end + 1;
  }
  return { records, tornBytes: wrong ? bytes.length - wrong.at : 0 };
}

function readRecord(line: Buffer): { readonly value: unknown } | undefined {
  const text = line.subarray(9);
  if (line.toString('latin1', 0, 9) !== `${checksum(text)} `) return undefined;
  try {
    return { value: JSON.parse(text.toString('utf8')) };
  } catch {
    return undefined;
  }
}

function checksum(bytes: Buffer): string {
  return crc32(bytes).toString(16).padStart(8, '0');
}

/** Formats a record for the file. */
export function formatLogRecord(json: string): Buffer {
  const text = Buffer.from(json);
  return Buffer.concat([Buffer.from(`${checksum(text)} `), text, Buffer.from('\n')]);
}

/** Appends records to a file; each call resolves when its record is on disk. */
export class LogFile {
  readonly #file: string;
  #handle: FileHandle | undefined;
  #size = 0;

  constructor(file: string) {
    this.#file = file;
  }

  /** The size of the file in bytes. */
  get size(): number {
    return this.#size;
  }

  /** Atomically replaces the file, which becomes `FILE.previous`. Throws a `PersistError` and keeps the current file. */
  async replace(records: readonly Buffer[]): Promise<void> {
    const file = this.#file;
    const fresh = `${file}.writing`;
    const bytes = Buffer.concat([Buffer.from(head), ...records]);
    try {
      await writeWhole(fresh, bytes);
      await keepPrevious(file);
      // Some systems cannot replace an open file.
      await this.#handle?.close();
      this.#handle = undefined;
      await rename(fresh, file);
      await syncFolder(file);
      this.#size = bytes.length;
    } catch (error) {
      await rm(fresh, { force: true }).catch(() => {});
      throw failureOf(file, error as NodeJS.ErrnoException);
    }
  }

  /** Appends a record. Throws a `PersistError` on failure; the file is then unchanged. */
  async append(record: Buffer): Promise<void> {
    try {
      this.#handle ??= await open(this.#file, 'r+');
      for (let done = 0; done < record.length; ) {
        const { bytesWritten } = await this.#handle.write(record, done, record.length - done, this.#size + done);
        done += bytesWritten;
      }
      await this.#handle.datasync();
      this.#size += record.length;
    } catch (error) {
      // The next record is written to the same offset; until then a partial record at the end counts as incomplete.
      await this.#handle?.truncate(this.#size).catch(() => {});
      throw failureOf(this.#file, error as NodeJS.ErrnoException);
    }
  }

  /** Closes the file. */
  async close(): Promise<void> {
    await this.#handle?.close();
    this.#handle = undefined;
  }
}

async function writeWhole(file: string, bytes: Buffer): Promise<void> {
  const handle = await open(file, 'w', 0o600);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

// A hard link moved over the old name: neither name is ever incomplete.
async function keepPrevious(file: string): Promise<void> {
  const second = `${file}.linking`;
  await rm(second, { force: true });
  try {
    await link(file, second);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return;
    // Some file systems have no hard links.
    await writeWhole(second, await readFile(file));
  }
  await rename(second, `${file}.previous`);
}

async function syncFolder(file: string): Promise<void> {
  const folder = await open(dirname(file), 'r').catch(() => undefined);
  await folder?.sync().catch(() => {});
  await folder?.close();
}

function failureOf(file: string, error: NodeJS.ErrnoException): Error {
  if (error instanceof PersistError) return error;
  return new PersistError(`${file}: ${reasonOf(error)}`, error.code);
}

function distrust(file: string, what: string): PersistError {
  return new PersistError(`${file}: ${what}. ${leftAlone(file)}`);
}

/** Returns what happened to a refused file. */
export function leftAlone(file: string): string {
  return `It was left as it is; ${file}.previous, where there is one, is an earlier state, and without the file the seed is used.`;
}
