// The dependencies of a chart folder, brought into its charts/.
// Mirrors: helm.sh/helm/v3, pkg/downloader/manager.go (`Build`), v3.17.3; what is there already stays.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Chart } from '../chart/chart.ts';
import { loadChartPath } from '../chart/directory.node.ts';
import { readFrom } from '../chart/registry.node.ts';
import { lackingDependencies, missingDependencies } from '../vendor/dependencies.ts';
import { archiveOfChart } from '../vendor/pack.node.ts';
import { readChartLock } from '../vendor/registry.node.ts';
import { absentDependency, type ChartAsk, faultyDependency, isChartFolder } from './demand.node.ts';
import type { VendorError } from './errors.ts';
import { type VendorOptions, vendorAsks } from './run.node.ts';
import { writeWhole } from './staging.node.ts';
import { gathered, type VendoredChart } from './vendor.node.ts';

/** A dependency that a chart folder did not hold. */
export interface BroughtDependency {
  readonly name: string;
  readonly version: string;
  /** What happened: it came from what Helm had, was fetched, was packed from a folder, or would be brought. */
  readonly status: VendoredChart['status'] | 'packed';
  /** The path of its archive. */
  readonly archive: string;
  /** Where it comes from: an address, or a folder. */
  readonly from: string;
}

/**
 * Brings what a chart folder declares and does not hold into its charts/, in the versions of its Chart.lock or the newest
 * that fit. Of the options, those of the lock and its folder do not count. Rejects with VendorError and RenderError; then
 * nothing has changed.
 */
export async function bringDependencies(
  folder: string,
  options: VendorOptions = {},
): Promise<readonly BroughtDependency[]> {
  const { asks, folders } = await wantedBy(folder);
  const archiveAt = (name: string, version: string): string => join(folder, 'charts', `${name}-${version}.tgz`);
  const packed = await Promise.all(folders.map(async (path) => ({ path, chart: await chartAt(path) })));
  const aside = mkdtempSync(join(tmpdir(), 'drydock-dependencies-'));
  try {
    const dir = join(aside, 'charts');
    const { charts } = await vendorAsks(asks, { ...options, dir, frozen: false, prune: false, update: false });
    if (options.dryRun !== true) {
      for (const { name, version, archive } of charts)
        writeWhole(archiveAt(name, version), readFileSync(join(dir, archive)));
      for (const { chart } of packed)
        writeWhole(archiveAt(chart.metadata.name, chart.metadata.version), archiveOfChart(chart));
    }
    return [
      ...charts.map(({ name, version, status, url, source }) => {
        return { name, version, status, archive: archiveAt(name, version), from: url || source };
      }),
      ...packed.map(({ path, chart: { metadata } }) => {
        const { name, version } = metadata;
        const status = options.dryRun === true ? ('wanted' as const) : ('packed' as const);
        return { name, version, status, archive: archiveAt(name, version), from: path };
      }),
    ];
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}

/** Gives the names and ranges of what a chart folder declares and does not hold. Rejects with RenderError. */
export async function missingFrom(folder: string): Promise<readonly string[]> {
  const lacking = lackingDependencies(await chartAt(folder));
  return [...new Set(lacking.map(({ name, version }) => `${name} ${version}`))];
}

async function chartAt(path: string): Promise<Chart> {
  return readFrom(await loadChartPath(path), path);
}

interface Wanted {
  readonly asks: readonly ChartAsk[];
  /** Chart folders, by `file://`. */
  readonly folders: readonly string[];
}

async function wantedBy(folder: string): Promise<Wanted> {
  const chart = await chartAt(folder);
  const asks = new Map<string, ChartAsk>();
  const folders = new Set<string>();
  const failures: VendorError[] = [];
  for (const { name, repository } of lackingDependencies(chart)) {
    if (repository === '') failures.push(faultyDependency(folder, `${name} names no repository, and charts/ has none`));
  }
  for (const { dependency, from } of missingDependencies(chart, readChartLock(folder))) {
    if ('ref' in from) asks.set(JSON.stringify(from.ref), { ref: from.ref, by: folder });
    else {
      const path = join(folder, from.path);
      if (isChartFolder(path)) folders.add(path);
      else failures.push(absentDependency(folder, dependency.name, path));
    }
  }
  if (failures.length > 0) throw gathered(failures);
  return { asks: [...asks.values()], folders: [...folders] };
}
