// Charts from folders on this machine, where a drydock.lock beside or in a folder has the first word.

import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Chart } from '../../chart/chart.ts';
import { digestBytes } from '../../chart/digest.ts';
import { loadChartPath } from '../../chart/directory.node.ts';
import {
  cachedFiles,
  type DirectoryOptions,
  isWithin,
  pathOfChart,
  folderRegistry as plainRegistry,
  readFrom,
  stampOf,
} from '../../chart/registry.node.ts';
import { type ChartRef, checkRef, type Registry } from '../../chart/registry.ts';
import { checkArguments, filled, flag, listOf, optionsOf } from '../../core/arguments.ts';
import { RenderError } from '../../core/errors.ts';
import { LruCache } from '../../core/lru-cache.ts';
import { decodeUtf8 } from '../../go/utf8.ts';
import { loadLocked, missingArchive } from './bundle.ts';
import { missingDependencies } from './dependencies.ts';
import { findLocked, type Lock, type LockedChart, type LockedSchema, lockName, parseLock } from './lock.ts';

export type { DirectoryOptions } from '../../chart/registry.node.ts';

/** A lock file, with the folder of its archives. */
interface LockHome {
  /** The path of the drydock.lock. */
  readonly file: string;
  /** The path of the folder that holds the archives. */
  readonly folder: string;
  readonly lock: Lock;
}

const directoryOptions = optionsOf<DirectoryOptions>({ isFlat: flag });

/**
 * Returns a registry over folders. What a `drydock.lock` in a folder, or beside it, names comes from the archive that the
 * lock pins, and from nothing else; its digest is checked. For all other charts it looks, in each folder, where the source
 * would be mirrored: `host/path` of a URL, `namespace/name` and `name` of a repository object, the path of a `Local` one,
 * and the folder itself for `Embed`. Each of these may hold charts as folders or as archives named NAME-VERSION.tgz, or be
 * the chart itself. Dependencies that a chart folder declares and does not hold come from the lock. Nothing outside of the
 * folders and the lock is ever read, and nothing is fetched. Throws ARGUMENT_INVALID.
 * @example
 * const registry = directoryRegistry(['charts', '/srv/mirror']);
 */
export function directoryRegistry(folders: readonly string[], options: DirectoryOptions = {}): Registry {
  checkArguments('directoryRegistry', ['folders', folders, listOf(filled)], ['options', options, directoryOptions]);
  const roots = folders.map((folder) => resolve(folder));
  const plain = plainRegistry(folders, options);
  return {
    resolve: async (ref) => {
      checkRef(ref);
      const homes = lockHomes(roots);
      const locked = findInLocks(homes, ref);
      if (locked !== undefined) return locked;
      const chart = await plain.resolve(ref);
      return completeChart(chart, { homes, mayRead: (path) => roots.some((root) => isWithin(path, root)) });
    },
  };
}

/** Returns the locks that speak of folders: the one in each, and the one beside it that names it. Rejects faulty ones with CHART_INVALID. */
export function lockHomes(folders: readonly string[]): readonly LockHome[] {
  const homes = new Map<string, LockHome>();
  for (const folder of folders) {
    for (const file of [join(folder, lockName), join(dirname(folder), lockName)]) {
      const lock = readLockFile(file);
      if (lock === undefined) continue;
      const isOfFolder = dirname(file) === folder || lock.folder === basename(folder);
      if (isOfFolder) homes.set(file, { file, folder: join(dirname(file), lock.folder), lock });
    }
  }
  return [...homes.values()];
}

/**
 * Returns the nearest folder that holds a drydock.lock: this one or one above it, no further up than the project (a folder
 * with a package.json or a .git).
 */
export function findLockFolder(start: string): string | undefined {
  for (let folder = resolve(start); ; folder = dirname(folder)) {
    if (existsSync(join(folder, lockName))) return folder;
    const isProject = ['package.json', '.git'].some((name) => existsSync(join(folder, name)));
    if (isProject || folder === dirname(folder)) return undefined;
  }
}

const locks = new LruCache<Lock>(cachedFiles);

/** Returns the lock in a file; undefined where there is no such file. Throws CHART_INVALID. */
export function readLockFile(file: string): Lock | undefined {
  const stamp = stampOf(file);
  if (stamp === undefined) return undefined;
  return locks.get(stamp, () => parseLock(decodeUtf8(readFileSync(file)), file));
}

/** Returns the chart that one of the locks pins for a reference; undefined where none does. Throws CHART_INVALID. */
function findInLocks(homes: readonly LockHome[], ref: ChartRef): Chart | undefined {
  for (const home of homes) {
    const locked = findLocked(home.lock, ref);
    if (locked !== undefined) return loadPinned(join(home.folder, locked.archive), locked);
  }
  return undefined;
}

// An archive is read again only if it changes, so that renderings of a chart share cached data.
const pinned = new LruCache<Chart>(cachedFiles);

function loadPinned(path: string, locked: LockedChart): Chart {
  const stamp = stampOf(path);
  if (stamp === undefined) throw missingArchive(locked, path);
  const load = (): Chart => readFrom(loadLocked(readFileSync(path), locked, path), path);
  return pinned.get(`${stamp} ${locked.digest}`, load);
}

/** Where the dependencies of a chart folder may come from. */
export interface Completion {
  readonly homes: readonly LockHome[];
  /** Reports whether a folder beside the chart may be read. */
  readonly mayRead: (path: string) => boolean;
  /** The folders that are being completed: one that needs itself gets no further. */
  readonly above?: readonly string[];
}

/** Returns a chart with the dependencies that its folder declares and does not hold, as far as folders beside it and locks have them. */
export async function completeChart(chart: Chart, from: Completion): Promise<Chart> {
  const folder = pathOfChart(chart);
  if (folder === undefined || chart.metadata.dependencies.length === 0) return chart;
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return chart;
  const found = new Map<string, Chart>();
  for (const { from: place } of missingDependencies(chart, readChartLock(folder))) {
    const child =
      'ref' in place ? findInLocks(from.homes, place.ref) : await loadBeside(resolve(folder, place.path), folder, from);
    if (child !== undefined) found.set(`${child.metadata.name} ${child.metadata.version}`, child);
  }
  return found.size === 0 ? chart : readFrom({ ...chart, children: [...chart.children, ...found.values()] }, folder);
}

async function loadBeside(path: string, folder: string, from: Completion): Promise<Chart | undefined> {
  const above = [...(from.above ?? []), folder];
  if (!existsSync(path) || !from.mayRead(path) || above.includes(path)) return undefined;
  return completeChart(readFrom(await loadChartPath(path), path), { ...from, above });
}

/** Returns the text of a chart folder's Chart.lock, or of the requirements.lock of an old one; undefined without one. */
export function readChartLock(folder: string): string | undefined {
  const file = ['Chart.lock', 'requirements.lock'].map((name) => join(folder, name)).find((path) => existsSync(path));
  return file === undefined ? undefined : decodeUtf8(readFileSync(file));
}

/** The schemas of locks. */
export interface LockedSchemas {
  /** Throws CHART_INVALID if the file of a schema is missing or not the one that the lock pins. */
  readonly source: (url: string) => string | undefined;
  /** Which schemas there are, with their digests: two equal texts mean the same schemas. */
  readonly digest: string;
  /** The locks that count. */
  readonly files: readonly string[];
}

/** Returns the schemas of the nearest lock of each folder: the one in it or above it in the project. Throws CHART_INVALID. */
export function schemasFor(folders: readonly string[]): LockedSchemas {
  const found = folders.flatMap((folder) => findLockFolder(folder) ?? []);
  const homes = lockHomes([...new Set(found)]);
  const pinned = new Map<string, readonly [LockedSchema, LockHome]>();
  for (const home of homes) {
    for (const schema of home.lock.schemas ?? []) {
      if (!pinned.has(schema.url)) pinned.set(schema.url, [schema, home]);
    }
  }
  return {
    source: (url) => {
      const [schema, home] = pinned.get(url) ?? [];
      return schema && home && readPinned(schema, home.folder);
    },
    digest: JSON.stringify([...pinned.values()].map(([{ url, digest }]) => [url, digest])),
    files: homes.map(({ file }) => file),
  };
}

function readPinned({ url, file, digest }: LockedSchema, folder: string): string {
  const path = join(folder, file);
  const data = existsSync(path) ? readFileSync(path) : undefined;
  if (data !== undefined && digestBytes(data) === digest) return decodeUtf8(data);
  const what = data === undefined ? 'is not there' : 'is not the file that drydock.lock pins';
  throw new RenderError('CHART_INVALID', `${path} of the schema ${url} ${what}`, {
    place: { file: path },
    hint: 'Run `drydock vendor` with the chart or the Order to download it again.',
  });
}
