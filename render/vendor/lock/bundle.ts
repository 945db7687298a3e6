// Bundles: an Order, its lock file and its charts in one archive, which can be rendered anywhere without other files; and charts pinned by a lock file.

import { concatBytes } from '@noble/hashes/utils.js';
import { gzipSync } from 'fflate';
import type { Chart } from '../../chart/chart.ts';
import { digestBytes } from '../../chart/digest.ts';
import { loadArchive } from '../../chart/load.ts';
import { checkRef, notFound, type Registry } from '../../chart/registry.ts';
import { readTar } from '../../chart/tar.ts';
import { checkArguments, kind } from '../../core/arguments.ts';
import { RenderError } from '../../core/errors.ts';
import { gunzip, isGzip, limitReached } from '../../go/compress/gzip.ts';
import { isBytes } from '../../go/realm.ts';
import { decodeUtf8, encodeUtf8 } from '../../go/utf8.ts';
import { compareStrings, GoError } from '../../go/value.ts';
import { findLocked, formatLock, type Lock, type LockedChart, lockName, parseLock } from './lock.ts';

/**
 * Returns a registry over a lock file. `read` returns the bytes of an archive by its path below the folder, or undefined. Charts that are
 * not in the lock file are CHART_NOT_FOUND.
 */
function lockedRegistry(lock: Lock, read: (archive: string) => Uint8Array | undefined): Registry {
  const charts = new Map<string, Chart>();
  return {
    resolve: async (ref) => {
      checkRef(ref);
      const locked = findLocked(lock, ref);
      if (locked === undefined) throw notFound(ref, { places: ['the lock'] });
      const known = charts.get(locked.archive);
      if (known !== undefined) return known;
      const data = read(locked.archive);
      if (data === undefined) throw missingArchive(locked, locked.archive);
      const chart = loadLocked(data, locked, locked.archive);
      charts.set(locked.archive, chart);
      return chart;
    },
  };
}

/** Returns the chart of a pinned archive; `path` is the archive's in messages. Throws CHART_INVALID. */
export function loadLocked(data: Uint8Array, locked: LockedChart, path: string): Chart {
  const digest = digestBytes(data);
  if (digest !== locked.digest) {
    throw new RenderError('CHART_INVALID', `${path} is not the archive that drydock.lock pins: it has ${digest}`, {
      place: { file: path },
      hint: 'Run `drydock vendor ORDER` to download the pinned one, or `drydock vendor ORDER --update` to pin another.',
    });
  }
  const chart = loadArchive(data);
  const { name, version } = chart.metadata;
  if (name === locked.name) return chart;
  throw new RenderError('CHART_INVALID', `${path} contains the chart ${name} ${version}, not ${locked.name}`, {
    place: { file: path },
    hint: 'Use the name of the chart in the source, and run `drydock vendor ORDER` again.',
  });
}

/** Returns the error for a missing archive of a lock file. Nothing else may be used instead. */
export function missingArchive({ name, version }: LockedChart, path: string): RenderError {
  return new RenderError(
    'CHART_INVALID',
    `the archive of chart ${name} ${version} that drydock.lock names is not there: ${path}`,
    {
      place: { file: path },
      hint: 'Run `drydock vendor ORDER` to download it.',
    },
  );
}

export const orderName = 'order.yaml';
const maxBundleSize = 1024 * 1024 * 1024;

/** An opened bundle. */
export interface Bundle {
  /** The text of the Order, for `readOrder`. */
  readonly order: string;
  /** The charts of the bundle; every digest is checked. */
  readonly registry: Registry;
  /** The schemas that charts of the bundle refer to by URL; every digest is checked. */
  readonly schemas: (url: string) => string | undefined;
  readonly lock: Lock;
}

/** Reports whether bytes may be a bundle rather than the text of an Order. */
export function isBundle(data: Uint8Array): boolean {
  return isGzip(data);
}

const bytes = kind(
  'a Uint8Array',
  (value) => isBytes(value),
  'Give the bytes of a bundle, as `drydock bundle` writes it.',
);

/**
 * Opens a bundle written by `drydock bundle`. Throws CHART_INVALID if it is not a bundle, ARGUMENT_INVALID.
 * @example
 * const { order, registry, schemas } = openBundle(new Uint8Array(await (await fetch('/shop.tgz')).arrayBuffer()));
 * const rendered = await renderOrder(readOrder(order, 'shop.tgz').value, { registry, schemas });
 */
export function openBundle(data: Uint8Array): Bundle {
  checkArguments('openBundle', ['data', data, bytes]);
  const files = readFiles(data);
  const order = files.get(orderName);
  const text = files.get(lockName);
  if (order === undefined || text === undefined) {
    throw notBundle(`it has no ${order === undefined ? orderName : lockName}`);
  }
  const lock = parseLock(decodeUtf8(text));
  const registry = lockedRegistry(lock, (archive) => files.get(`${lock.folder}/${archive}`));
  const schemas = (url: string): string | undefined => {
    const locked = lock.schemas?.find((schema) => schema.url === url);
    if (locked === undefined) return undefined;
    const data = files.get(`${lock.folder}/${locked.file}`);
    if (data === undefined || digestBytes(data) !== locked.digest)
      throw notBundle(`the schema ${url} is not the one that its ${lockName} pins`);
    return decodeUtf8(data);
  };
  return { order: decodeUtf8(order), lock, registry, schemas };
}

function readFiles(data: Uint8Array): ReadonlyMap<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  try {
    const { bytes: unpacked, end } = gunzip(data, maxBundleSize);
    if (end === limitReached) throw notBundle('it is larger than any bundle');
    for (const entry of readTar({ bytes: unpacked, end })) if (entry.type === '0') files.set(entry.name, entry.data());
  } catch (error) {
    if (error instanceof GoError) throw notBundle(error.message);
    throw error;
  }
  return files;
}

function notBundle(why: string): RenderError {
  return new RenderError('CHART_INVALID', `the bundle cannot be opened: ${why}`, {
    hint: 'Give an archive that `drydock bundle` wrote, or the text of an Order.',
  });
}

/** Returns the archive of an Order's text, a lock file, and the archives in the lock file by their paths below its folder. */
export function packBundle(order: string, lock: Lock, archives: ReadonlyMap<string, Uint8Array>): Uint8Array {
  const files = new Map<string, Uint8Array>([
    [orderName, encodeUtf8(order)],
    [lockName, encodeUtf8(formatLock(lock))],
  ]);
  for (const [path, data] of archives) files.set(`${lock.folder}/${path}`, data);
  return packFiles(files);
}

/** Returns the archive of a chart from its files by path. */
export function packChart(name: string, files: ReadonlyMap<string, Uint8Array>): Uint8Array {
  return packFiles(new Map([...files].map(([path, data]) => [`${name}/${path}`, data])));
}

// Writes tar archives, the same bytes for the same files: no times, no owners, no order but that of the names.
// Mirrors: POSIX.1-1988 ustar, with GNU's long names.

const block = 512;

/** Returns a gzipped tar archive of files by their paths, the same bytes every time. */
function packFiles(files: ReadonlyMap<string, Uint8Array>): Uint8Array {
  const parts: Uint8Array[] = [];
  for (const [name, data] of [...files].sort(([a], [b]) => compareStrings(a, b))) {
    const path = encodeUtf8(name);
    if (path.length > 100) {
      const long = encodeUtf8(`${name}\0`);
      parts.push(header(encodeUtf8('././@LongLink'), long.length, 'L'), padded(long));
    }
    parts.push(header(path.subarray(0, 100), data.length, '0'), padded(data));
  }
  parts.push(new Uint8Array(2 * block));
  return gzipSync(concatBytes(...parts), { level: 9, mtime: 0 });
}

function header(name: Uint8Array, size: number, type: string): Uint8Array {
  const bytes = new Uint8Array(block);
  const put = (at: number, text: string): void => bytes.set(encodeUtf8(text), at);
  const octal = (value: number, width: number): string => `${value.toString(8).padStart(width - 1, '0')}\0`;
  bytes.set(name, 0);
  put(100, octal(0o644, 8));
  put(108, octal(0, 8));
  put(116, octal(0, 8));
  put(124, octal(size, 12));
  put(136, octal(0, 12));
  put(148, '        ');
  put(156, type);
  put(257, 'ustar\x0000');
  const sum = bytes.reduce((total, byte) => total + byte, 0);
  put(148, `${sum.toString(8).padStart(6, '0')}\0 `);
  return bytes;
}

function padded(data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(Math.ceil(data.length / block) * block);
  bytes.set(data);
  return bytes;
}
