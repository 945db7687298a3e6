// Charts in local folders: single charts, and mirrors of repositories.

import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { LruCache, type LruLimits } from '../core/lru-cache.ts';
import type { Chart } from './chart.ts';
import { loadChartPath } from './directory.node.ts';
import { loadArchive } from './load.ts';
import { type Candidate, type ChartRef, mirrorPath, notFound, pickCandidate, type Registry } from './registry.ts';

export interface DirectoryOptions {
  /**
   * Whether charts directly in the folders match every source, by their names alone. Default false: a chart from a URL comes from a mirror
   * of that URL.
   */
  readonly isFlat?: boolean | undefined;
}

/**
 * Returns a registry over folders. In each folder it looks for the mirror of a source: `host/path` of a URL, `namespace/name` and `name` of
 * a repository object, the path of a `Local` one, and the folder itself for `Embed`. Each of these may contain charts as folders or
 * archives named NAME-VERSION.tgz, or be the chart itself. Nothing outside the folders is read.
 */
export function folderRegistry(folders: readonly string[], options: DirectoryOptions = {}): Registry {
  const roots = folders.map((folder) => resolve(folder));
  return {
    resolve: async (ref) => {
      const places = roots.flatMap((root) => placesOf(ref, root, options.isFlat === true));
      return findIn(places, ref);
    },
  };
}

/** Returns a registry over one chart folder or archive, for references to that place. */
export function placeRegistry(path: string): Registry {
  return { resolve: (ref) => findIn([path], ref) };
}

async function findIn(places: readonly string[], ref: ChartRef): Promise<Chart> {
  const versions: string[] = [];
  const names: string[] = [];
  for (const place of places) {
    const { candidates, name } = await listCandidates(place, ref.name);
    let left = candidates;
    for (let found = pickCandidate(left, ref.version); found !== undefined; found = pickCandidate(left, ref.version)) {
      const chart = await found.load();
      if (chart.metadata.name === ref.name) return chart;
      // The archive `web-2-1.0.0.tgz` may be version 1.0.0 of `web-2`.
      const other = found;
      left = left.filter((candidate) => candidate !== other);
    }
    versions.push(...left.map(({ version }) => version));
    if (name !== undefined && name !== ref.name) names.push(name);
  }
  throw notFound(ref, { places, versions, names: ref.sourceRef.kind === 'Embed' ? [] : names });
}

const paths = new WeakMap<Chart, string>();

/** Returns the folder or archive of a chart from a `directoryRegistry`; undefined for other charts. */
export function pathOfChart(chart: Chart): string | undefined {
  return paths.get(chart);
}

/** Records the folder or archive of a chart. Returns the chart. */
export function readFrom(chart: Chart, path: string): Chart {
  paths.set(chart, path);
  return chart;
}

function placesOf({ name, sourceRef }: ChartRef, root: string, isFlat: boolean): string[] {
  const { kind = '', namespace = '', name: source } = sourceRef;
  const mirrored = mirrorPath(source);
  const path = mirrored ?? source;
  const below =
    kind === 'Embed' ? [] : [`${path}/${name}`, path, ...(namespace === '' ? [] : [`${namespace}/${path}`])];
  const places = below.map((place) => (mirrored === undefined ? resolve(root, place) : join(root, place)));
  // The path of a Local chart is relative to the folder, or absolute; it must be inside.
  const isInside = (place: string): boolean => isWithin(place, root);
  if (kind === 'Local') return places.slice(1).filter(isInside);
  return [...places.filter(isInside), ...(kind === 'Embed' || isFlat ? [root] : [])];
}

/** Reports whether an existing path is below a folder, after resolving links. */
export function isWithin(path: string, root: string): boolean {
  try {
    const real = realpathSync(path);
    const realRoot = realpathSync(root);
    return real === realRoot || real.startsWith(realRoot + sep);
  } catch {
    return false;
  }
}

interface Found {
  readonly candidates: readonly Candidate[];
  /** The name of the chart at the place itself, or undefined. */
  readonly name?: string;
}

async function listCandidates(place: string, name: string): Promise<Found> {
  if (isFile(place) || existsSync(join(place, 'Chart.yaml'))) return oneChart(place, name);
  const single = existsSync(join(place, name, 'Chart.yaml'))
    ? (await oneChart(join(place, name), name)).candidates
    : [];
  return { candidates: [...single, ...fromArchives(place, name)] };
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}

async function oneChart(path: string, name: string): Promise<Found> {
  const chart = await loadChartPath(path);
  const { metadata } = chart;
  if (metadata.name !== name) return { candidates: [], name: metadata.name };
  const load = async (): Promise<Chart> => readFrom(chart, path);
  return { candidates: [{ version: metadata.version, load }], name };
}

// Archives are named NAME-VERSION.tgz; the chart inside decides.
function fromArchives(place: string, name: string): Candidate[] {
  if (!existsSync(place)) return [];
  return readdirSync(place).flatMap((file) => {
    const version = file.startsWith(`${name}-`) && file.endsWith('.tgz') ? file.slice(name.length + 1, -4) : '';
    return /^v?[0-9]/.test(version) ? [{ version, load: () => loadPacked(join(place, file)) }] : [];
  });
}

/** The limits of a cache with the keys of `stampOf`, in characters: about 2,000 files. */
export const cachedFiles: LruLimits = { total: 200_000, each: 10_000 };

/** Returns a key for a file that changes with its content; undefined if there is no such file. */
export function stampOf(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats?.isFile() === true ? `${path} ${stats.mtimeMs} ${stats.size} ${stats.ino}` : undefined;
}

// An archive is read again only if it changes, so that renderings of a chart share cached data.
const packed = new LruCache<Chart>(cachedFiles);

async function loadPacked(path: string): Promise<Chart> {
  return packed.get(stampOf(path) ?? path, () => readFrom(loadArchive(readFileSync(path)), path));
}
