// The cache of renderings: each is a file named by the digest of everything that decides the rendering. An entry that cannot be read or
// written, or whose digest does not match, is rendered again: a cache may be lost, incomplete or restored from another machine.

import {
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { threadId } from 'node:worker_threads';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { makeFolder } from '../../core/make-folder.node.ts';
import { decodeUtf8, encodeUtf8 } from '../../go/utf8.ts';
import { contentDigest } from './digest.node.ts';

const form = 1;

// Enough for the head of every entry except Orders with hundreds of resources.
const firstRead = 8192;

// Using an entry updates its timestamp, at most this often.
const day = 24 * 3600 * 1000;

/** A rendering to be cached. */
export interface CachedFiles {
  /** Texts by name. */
  readonly files: ReadonlyMap<string, string>;
  /** Additional plain data. */
  readonly facts: Readonly<Record<string, unknown>>;
}

/** A cached rendering. Its texts are read on demand. */
export interface CacheEntry {
  /** The digest of each text by name. */
  readonly digests: ReadonlyMap<string, string>;
  readonly facts: Readonly<Record<string, unknown>>;
  /** Returns the texts, or undefined if one of them does not match its digest. */
  readonly files: () => ReadonlyMap<string, string> | undefined;
}

interface Head {
  readonly key: string;
  readonly files: readonly (readonly [name: string, digest: string, bytes: number])[];
  readonly facts: Readonly<Record<string, unknown>>;
}

/** A cache of renderings. */
export interface CacheStore {
  /** Returns the entry of a key (a hexadecimal digest); undefined if it does not exist, or is incomplete. */
  find(key: string): CacheEntry | undefined;
  /** Caches a rendering, if possible. */
  put(key: string, kept: CachedFiles): void;
}

/** A cache in a folder. Any number of processes can use it concurrently. */
export class RenderCache implements CacheStore {
  readonly #folder: string;
  #isWritable = true;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Returns the entry of a key (a hexadecimal digest); undefined if it does not exist, or is incomplete. */
  find(key: string): CacheEntry | undefined {
    const file = this.#fileOf(key);
    try {
      const { text, start } = readHead(file);
      const head = JSON.parse(text) as Head;
      if (head.key !== key) return undefined;
      return {
        digests: new Map(head.files.map(([name, digest]) => [name, digest])),
        facts: head.facts,
        files: () => readTexts(file, start, head),
      };
    } catch {
      return undefined;
    }
  }

  /** Caches a rendering, unless the folder cannot be written. */
  put(key: string, { files, facts }: CachedFiles): void {
    if (!this.#isWritable) return;
    const texts = [...files].map(([name, text]) => [name, encodeUtf8(text)] as const);
    const packed = texts.map(([, bytes]) => deflateRawSync(bytes, { level: 1 }));
    const listed = texts.map(
      ([name, bytes], at) => [name, contentDigest(bytes), (packed[at] as Buffer).length] as const,
    );
    const head = JSON.stringify({ key, files: listed, facts } satisfies Head);
    const mark = `drydock ${form} ${contentDigest(head)} ${Buffer.byteLength(head)}\n`;
    try {
      writeAside(this.#folder, this.#fileOf(key), Buffer.concat([Buffer.from(mark), Buffer.from(head), ...packed]));
    } catch {
      this.#isWritable = false;
    }
  }

  #fileOf(key: string): string {
    return join(this.#folder, key.slice(0, 2), key.slice(2));
  }
}

/**
 * Writes a file under a temporary name and renames it, so that readers see either the old or the new file. Throws if that fails.
 */
function writeAside(root: string, file: string, bytes: Buffer): void {
  const folder = dirname(file);
  if (!existsSync(folder)) makeFolder(folder);
  // The cache must not be committed.
  const ignore = join(root, '.gitignore');
  if (!existsSync(ignore)) writeFileSync(ignore, '*\n');
  const aside = `${file}.${process.pid}-${threadId}`;
  try {
    writeFileSync(aside, bytes);
    renameSync(aside, file);
  } catch (error) {
    rmSync(aside, { force: true });
    throw error;
  }
}

/** Reads the head of an entry. Throws if the file is not an entry, or is incomplete. */
function readHead(path: string): { readonly text: string; readonly start: number } {
  const file = openSync(path, 'r');
  try {
    const { size, mtimeMs } = fstatSync(file);
    if (Date.now() - mtimeMs > day) renew(path);
    const first = readAt(file, 0, Math.min(size, firstRead));
    const line = first.subarray(0, first.indexOf(10)).toString('latin1');
    const [, written, digest, length = ''] = /^drydock (\d+) ([0-9a-f]{64}) (\d+)$/.exec(line) ?? [];
    const at = line.length + 1;
    const end = at + Number(length);
    if (Number(written) !== form || end > size) throw new Error('not an entry');
    const bytes = end <= first.length ? first.subarray(at, end) : readAt(file, at, end - at);
    if (contentDigest(bytes) !== digest) throw new Error('torn entry');
    return { text: bytes.toString(), start: end };
  } finally {
    closeSync(file);
  }
}

function readAt(file: number, position: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  return bytes.subarray(0, readSync(file, bytes, 0, length, position));
}

function renew(path: string): void {
  try {
    utimesSync(path, new Date(), new Date());
  } catch {
    // The file belongs to another user, or the disk is read-only: the entry is still valid.
  }
}

function readTexts(path: string, start: number, head: Head): ReadonlyMap<string, string> | undefined {
  try {
    const all = readFileSync(path);
    const texts = new Map<string, string>();
    let at = start;
    for (const [name, digest, length] of head.files) {
      const bytes = inflateRawSync(all.subarray(at, at + length));
      if (contentDigest(bytes) !== digest) return undefined;
      texts.set(name, decodeUtf8(bytes));
      at += length;
    }
    return texts;
  } catch {
    return undefined;
  }
}

/** Limits of a cache. */
interface SweepLimits {
  /** In bytes. The most recently used entries are kept. */
  readonly total: number;
  /** In milliseconds since an entry was written or used. */
  readonly age: number;
}

const defaults: SweepLimits = { total: 256 * 1024 * 1024, age: 30 * 24 * 3600 * 1000 };

// Temporary files of a killed process.
const asideAge = 3600 * 1000;

/** Removes entries until the rest is within the limits: by default 256 MB and a month. Entries that cannot be removed are kept. */
export function sweepEntries(folder: string, { total, age }: SweepLimits = defaults, now = Date.now()): void {
  const entries = entriesIn(folder).sort((a, b) => b.time - a.time);
  let sum = 0;
  for (const { path, size, time } of entries) {
    const isAside = /\.\d+-\d+$/.test(path);
    const isOld = now - time > (isAside ? asideAge : age);
    sum += isOld ? 0 : size;
    if (isOld || (sum > total && !isAside)) discard(path);
  }
}

interface Entry {
  readonly path: string;
  readonly size: number;
  readonly time: number;
}

// Another process may remove files at the same time.
function entriesIn(folder: string): Entry[] {
  const folders = namesIn(folder).filter((name) => /^[0-9a-f]{2}$/.test(name));
  const entries = folders.flatMap((inner) => namesIn(join(folder, inner)).map((name) => join(folder, inner, name)));
  return entries.flatMap((path) => {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats === undefined ? [] : [{ path, size: stats.size, time: stats.mtimeMs }];
  });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function discard(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // Read-only.
  }
}
