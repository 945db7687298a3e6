// The cache of renderings: each is a file named by the digest of everything that decides the rendering. An entry that cannot be read or
// written, or whose digest does not match, is rendered again: a cache may be lost, incomplete or restored from another machine.

import { createHash } from 'node:crypto';
import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { threadId } from 'node:worker_threads';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { attempt } from '../core/catch.ts';
import type { Failure } from '../core/failure.ts';
import { makeFolder } from '../core/make-folder.node.ts';
import { ownVersion, packageFolder } from '../core/own-files.node.ts';
import { namesIn } from '../core/paths.node.ts';
import { encodeUtf8 } from '../go/utf8.ts';
import { helmVersionsOf, type RenderSettings, type RunIo } from '../inputs/settings.ts';
import type { Inputs } from '../provenance/impact/inputs.ts';
import type { Finding, RandomSite } from './outcome.ts';

export interface RunCache {
  readonly store: RenderCache;
  /** The folder of the cache, which is excluded from charts. */
  readonly folder: string;
  readonly program: string;
}

/**
 * Returns the cache for a run with these settings. It is undefined with `showSecrets`, with several Helm versions, and for values from
 * standard input, which can be read only once.
 */
export function openRunCache(cache: string | undefined, settings: RenderSettings, cwd: string): RunCache | undefined {
  const isStream = settings.values.some((files) => files.split(',').some((file) => file.trim() === '-'));
  const isOff = settings.showSecrets || helmVersionsOf(settings).length > 1 || isStream;
  if (cache === undefined || isOff) return undefined;
  const folder = resolve(cwd, cache);
  return { store: new RenderCache(folder), folder, program: programDigest() };
}

// The contents of these files, and the settings of the chart at hand, are parts of a key by themselves; the other entries of a matrix have
// keys of their own.
const indifferent: ReadonlySet<string> = new Set<keyof RenderSettings>([
  'charts',
  'forCharts',
  'values',
  'withApiVersions',
  'withValues',
]);

/** Returns what of settings and environment affects a rendering, as one text. */
export function decidingText(settings: RenderSettings, { env }: Pick<RunIo, 'env'>): string {
  const deciding = Object.entries(settings).filter(([name]) => !indifferent.has(name));
  return JSON.stringify([contentDigest(env.DRYDOCK_SECRET_KEY ?? ''), ...deciding]);
}

const form = 3;

// Using an entry updates its timestamp, at most this often.
const day = 24 * 3600 * 1000;

/** What is known of a rendering besides its files. Random values and inputs are added when they are first requested. */
export interface CachedFacts {
  readonly milliseconds: number;
  /** Problems of its objects. */
  readonly findings: readonly Finding[];
  /** The warnings of loading and rendering its charts. */
  readonly warnings: readonly string[];
  readonly random?: readonly RandomSite[];
  readonly inputs?: Readonly<Record<string, Inputs>>;
  /** Why it does not render. Default: it does. */
  readonly failure?: Failure;
}

interface CachedFiles {
  readonly files: ReadonlyMap<string, string>;
  readonly facts: CachedFacts;
}

interface CacheEntry {
  /** The digest of each text by name. */
  readonly digests: ReadonlyMap<string, string>;
  readonly facts: CachedFacts;
  /** Returns the texts, or undefined if the entry is gone or damaged by now. */
  readonly files: () => ReadonlyMap<string, string> | undefined;
}

interface Head {
  readonly key: string;
  readonly digests: readonly (readonly [name: string, digest: string])[];
  readonly facts: CachedFacts;
}

/** A cache in a folder. Any number of processes can use it concurrently. */
export class RenderCache {
  readonly #folder: string;
  #isWritable = true;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Returns the entry of a key (a hexadecimal digest); undefined if it does not exist, or is damaged. */
  find(key: string): CacheEntry | undefined {
    const file = this.#fileOf(key);
    const found = attempt(() => readEntry(file), Error, undefined);
    if (found === undefined || found.head.key !== key) return undefined;
    const { digests, facts } = found.head;
    return {
      digests: new Map(digests),
      facts,
      // Read again, because most entries are only compared by their digests.
      files: () => attempt(() => textsOf(readEntry(file).texts), Error, undefined),
    };
  }

  put(key: string, { files, facts }: CachedFiles): void {
    if (!this.#isWritable) return;
    const digests = [...files].map(([name, text]) => [name, contentDigest(text)] as const);
    const head = JSON.stringify({ key, digests, facts } satisfies Head);
    const content = Buffer.concat([Buffer.from(`${head}\n`), deflateRawSync(JSON.stringify([...files]), { level: 1 })]);
    const mark = `drydock ${form} ${contentDigest(content)}\n`;
    try {
      writeAside(this.#folder, this.#fileOf(key), Buffer.concat([Buffer.from(mark), content]));
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

/** Reads an entry: its head, and its compressed texts. Throws if the file is not an entry, or is damaged. */
function readEntry(path: string): { readonly head: Head; readonly texts: Buffer } {
  // If the file belongs to another user, or the disk is read-only, the entry is still valid.
  const renew = (): void => utimesSync(path, new Date(), new Date());
  if (Date.now() - statSync(path).mtimeMs > day) attempt(renew, Error, undefined);
  const [mark, content] = cutLine(readFileSync(path));
  if (mark !== `drydock ${form} ${contentDigest(content)}`) throw new Error('damaged entry');
  const [head, texts] = cutLine(content);
  return { head: JSON.parse(head) as Head, texts };
}

function cutLine(bytes: Buffer): readonly [line: string, rest: Buffer] {
  const end = bytes.indexOf(10);
  return [bytes.subarray(0, end).toString(), bytes.subarray(end + 1)];
}

function textsOf(packed: Buffer): ReadonlyMap<string, string> {
  return new Map(JSON.parse(inflateRawSync(packed).toString()) as [string, string][]);
}

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
    // Entries of another user, or on a read-only disk, are kept.
    if (isOld || (sum > total && !isAside)) attempt(() => rmSync(path, { force: true }), Error, undefined);
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

/** Returns the SHA-256 of a text or of bytes, in hex. */
export function contentDigest(content: string | Uint8Array): string {
  return createHash('sha256')
    .update(typeof content === 'string' ? encodeUtf8(content) : content)
    .digest('hex');
}

/** Returns one digest of several parts. Each is prefixed with its length, so that different lists cannot produce the same bytes. */
export function digestOfParts(parts: Iterable<string | Uint8Array>): string {
  const hash = createHash('sha256');
  for (const part of parts) {
    const bytes = typeof part === 'string' ? encodeUtf8(part) : part;
    hash.update(`${bytes.length}\n`).update(bytes);
  }
  return hash.digest('hex');
}

/** Returns the digest of files: their names and contents, in order. */
export function digestOfFiles(files: ReadonlyMap<string, Uint8Array>): string {
  return digestOfParts([...files].flat());
}

let known: string | undefined;

/**
 * Returns the digest of the running program: its version and code, so that a local build counts as another program. It is the same on every
 * machine with the same package.
 */
function programDigest(): string {
  known ??= digestOfParts([ownVersion(), ...codeOf(fileURLToPath(import.meta.url))]);
  return known;
}

function codeOf(file: string): string[] {
  if (file.endsWith('.ts')) return ['render', 'emulator'].flatMap((room) => sourcesIn(join(packageFolder(), room)));
  // In the package the command and what it loads are in one folder and in `parts/` below it; a bundle of the command has none.
  const own = dirname(file);
  const root = own.endsWith('parts') ? dirname(own) : own;
  return [root, join(root, 'parts')].filter(existsSync).flatMap((folder) => {
    const names = readdirSync(folder).filter((name) => /\.c?js$/.test(name));
    return names.sort().map((name) => `${name} ${contentDigest(readFileSync(join(folder, name)))}`);
  });
}

// There are many sources; size and modification time are enough.
function sourcesIn(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  return names.sort().map((name) => {
    const { size, mtimeMs } = statSync(join(folder, name));
    return `${name} ${size} ${mtimeMs}`;
  });
}
