// A file of records that grows at its end: a head, then a line for each record with its checksum. Whole lines count, a torn end does not.

import { type FileHandle, link, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import { codeOf, markFailures } from '../../render/core/errors.ts';
import { reasonOf } from '../core/reasons.ts';

/** What is thrown when a file cannot be trusted or written: what was in it is left as it is. */
export class PersistError extends Error {
  override readonly name = 'PersistError';
  /** The platform's code, such as `ENOSPC`. */
  readonly code: string | undefined;

  constructor(message: string, code?: string) {
    super(message);
    this.code = code;
  }
}

markFailures(PersistError, 'user');

const head = `${JSON.stringify({ format: 'drydock-log', version: 1 })}\n`;

/** What a file held. */
export interface LogContent {
  /** One value for each whole record, oldest first. */
  readonly records: readonly unknown[];
  /** The bytes of a last record that was not written to its end. */
  readonly tornBytes: number;
  /** The text of a file that is not a log. */
  readonly foreign?: string;
}

/** Reads a file of records; undefined when there is none. Throws a `PersistError` with the line of a record that is not what was written. */
export async function readLog(file: string): Promise<LogContent | undefined> {
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw failureOf(file, error);
  });
  if (bytes === undefined) return undefined;
  if (bytes.toString('utf8', 0, head.length) !== head) return { records: [], tornBytes: 0, foreign: bytes.toString() };
  return readRecords(file, bytes);
}

function readRecords(file: string, bytes: Buffer): LogContent {
  const records: unknown[] = [];
  let wrong: { readonly at: number; readonly line: number } | undefined;
  for (let at = head.length, line = 2; at < bytes.length; line++) {
    const end = bytes.indexOf(10, at);
    const record = end < 0 ? undefined : readRecord(bytes.subarray(at, end));
    if (record === undefined) wrong ??= { at, line };
    // A crash tears the end alone: what is good after it was torn by something else.
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

/** Returns a record as the file holds it. */
export function formatLogRecord(json: string): Buffer {
  const text = Buffer.from(json);
  return Buffer.concat([Buffer.from(`${checksum(text)} `), text, Buffer.from('\n')]);
}

/** Appends records to a file; each call returns when its record is on the disk. */
export class LogFile {
  readonly #file: string;
  #handle: FileHandle | undefined;
  #size = 0;

  constructor(file: string) {
    this.#file = file;
  }

  /** How many bytes the file has. */
  get size(): number {
    return this.#size;
  }

  /**
   * Puts a file of these records in the place of the present one, which becomes `FILE.previous`: whole or not at all.
   * Throws a `PersistError` when it cannot; the present file then goes on.
   */
  async replace(records: readonly Buffer[]): Promise<void> {
    const file = this.#file;
    const fresh = `${file}.writing`;
    const bytes = Buffer.concat([Buffer.from(head), ...records]);
    try {
      await writeWhole(fresh, bytes);
      await keepPrevious(file);
      // Not every system lets a file be replaced that is open.
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

  /** Adds a record. Throws a `PersistError` when it cannot; the file is then as before. */
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
      // The next record goes to the same place; until then half a record at the end is one that was torn.
      await this.#handle?.truncate(this.#size).catch(() => {});
      throw failureOf(this.#file, error as NodeJS.ErrnoException);
    }
  }

  /** Lets go of the file. */
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

// A second name for the same bytes, moved over: there is no moment at which either name is torn.
async function keepPrevious(file: string): Promise<void> {
  const second = `${file}.linking`;
  await rm(second, { force: true });
  try {
    await link(file, second);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return;
    // Some file systems know no second names.
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

/** Returns what became of a file that was refused. */
export function leftAlone(file: string): string {
  return `It was left as it is; ${file}.previous, where there is one, is an earlier state, and without the file the seed is used.`;
}
