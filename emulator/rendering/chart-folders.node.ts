// Finds the charts in folders, for the catalog. Orders resolve theirs by the rules of `directoryRegistry`.

import { existsSync, readdirSync, type Stats, statSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { readFrom } from '../../render/chart/registry.node.ts';
import { messageOf } from '../../render/core/errors.ts';
import { loadChartPath } from '../../render/disk.node.ts';
import type { Chart, ChartRef } from '../../render/index.ts';
import type { ListedChart } from './catalog.ts';

const deepest = 4;
const mostCharts = 500;
const skipped = new Set(['node_modules', '.git', '.cache']);

type KnownArchives = Map<string, { readonly stamp: string; readonly listed: ListedChart }>;

/** Lists at most 500 charts in folders, down to four levels. Archives in `known` are read again only if they change. */
export async function listCharts(
  folders: readonly string[],
  known: KnownArchives = new Map(),
): Promise<readonly ListedChart[]> {
  const listed: ListedChart[] = [];
  for (const folder of folders) {
    const root = resolve(folder);
    for (const path of chartsBelow(root, 0)) {
      if (listed.length >= mostCharts) return listed;
      listed.push(await listedAt(path, root, known));
    }
  }
  return listed;
}

function* chartsBelow(folder: string, depth: number): Generator<string> {
  if (existsSync(join(folder, 'Chart.yaml'))) {
    yield folder;
    return;
  }
  if (depth > deepest) return;
  for (const entry of entriesOf(folder)) {
    const path = join(folder, entry.name);
    const found = entry.isSymbolicLink() ? followed(path) : entry;
    if (found?.isDirectory() && !skipped.has(entry.name)) yield* chartsBelow(path, depth + 1);
    else if (found?.isFile() && entry.name.endsWith('.tgz')) yield path;
  }
}

// Links between folders can be cycles, which the depth limits; a link that leads nowhere counts as missing.
function followed(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

function entriesOf(folder: string): ReturnType<typeof readFolder> {
  try {
    return readFolder(folder);
  } catch {
    // An unreadable folder counts as empty.
    return [];
  }
}

function readFolder(folder: string) {
  return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
}

// An archive is read again only if it changes. The timestamps of a chart folder do not show changes within it, so it is always read.
async function listedAt(path: string, root: string, known: KnownArchives): Promise<ListedChart> {
  const stats = statSync(path, { throwIfNoEntry: false });
  const stamp = stats?.isFile() ? `${stats.mtimeMs} ${stats.size}` : '';
  const before = known.get(path);
  if (stamp !== '' && before?.stamp === stamp) return before.listed;
  const listed = await read(path, root);
  known.set(path, { stamp, listed });
  return listed;
}

async function read(path: string, root: string): Promise<ListedChart> {
  const place = relative(root, path).split(sep).join('/') || '.';
  try {
    const chart = readFrom(await loadChartPath(path), path);
    return { chart, sourceRef: sourceOf(place, chart) };
  } catch (failure) {
    return { sourceRef: { kind: 'Local', name: place }, fault: messageOf(failure) };
  }
}

// A folder named like a host is a mirror of that host; all others contain local charts.
function sourceOf(place: string, chart: Chart): ChartRef['sourceRef'] {
  const parts = place.split('/');
  const [host = ''] = parts;
  if (parts.length < 2 || !/^[\w-]+(?:\.[\w-]+)+(?:_\d+)?$/.test(host)) return { kind: 'Local', name: place };
  const above = parts.slice(0, -1);
  if (above.at(-1) === chart.metadata.name && above.length > 2) above.pop();
  return { kind: 'HelmRepository', name: `https://${above.join('/').replace(/^([^/]*)_(\d+)/, '$1:$2')}` };
}
