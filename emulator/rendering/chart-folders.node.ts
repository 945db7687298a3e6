// The charts that lie in folders, found by walking them: for the catalog. Orders find theirs by the rules of `directoryRegistry`.

import { type Dirent, existsSync, readdirSync, statSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { readFrom } from '../../render/chart/registry.node.ts';
import { messageOf } from '../../render/core/errors.ts';
import { loadChartPath } from '../../render/disk.node.ts';
import type { Chart, ChartRef } from '../../render/index.ts';
import type { ListedChart } from './catalog.ts';

const deepest = 4;
const mostCharts = 500;
const skipped = new Set(['node_modules', '.git', '.cache']);

/** Archives that were read, by their paths. */
type KnownArchives = Map<string, { readonly stamp: string; readonly listed: ListedChart }>;

/**
 * Lists the charts in folders, down to four levels, folder after folder; what cannot be read is listed with its fault. At most 500.
 * Archives in `known` are not read again until they change.
 */
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
    if (isFolder(entry, path) && !skipped.has(entry.name)) yield* chartsBelow(path, depth + 1);
    else if (entry.isFile() && entry.name.endsWith('.tgz')) yield path;
  }
}

// Links between folders may be circles: the depth ends them.
function isFolder(entry: Dirent, path: string): boolean {
  if (!entry.isSymbolicLink()) return entry.isDirectory();
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function entriesOf(folder: string): ReturnType<typeof readFolder> {
  try {
    return readFolder(folder);
  } catch {
    // A folder that may not be read holds nothing for anybody.
    return [];
  }
}

function readFolder(folder: string) {
  return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
}

// An archive is read once, until it changes. The times of a chart folder do not show a change within it: it is read anew.
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

// What lies below a folder named as a host is a mirror of that address; all else is a chart of this machine.
function sourceOf(place: string, chart: Chart): ChartRef['sourceRef'] {
  const parts = place.split('/');
  const [host = ''] = parts;
  if (parts.length < 2 || !/^[\w-]+(?:\.[\w-]+)+(?:_\d+)?$/.test(host)) return { kind: 'Local', name: place };
  const above = parts.slice(0, -1);
  if (above.at(-1) === chart.metadata.name && above.length > 2) above.pop();
  return { kind: 'HelmRepository', name: `https://${above.join('/').replace(/^([^/]*)_(\d+)/, '$1:$2')}` };
}
