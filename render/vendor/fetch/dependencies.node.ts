// Downloads the dependencies of a chart folder into its charts/; existing ones are kept.
// Mirrors: helm.sh/helm/v3, pkg/downloader/manager.go (`Build`), v3.17.3.

import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Chart } from '../../chart/chart.ts';
import { RenderError } from '../../core/errors.ts';
import {
  type HeldDependency,
  heldDependencies,
  isLockInSync,
  missingDependencies,
  readChartLockText,
} from '../lock/dependencies.ts';
import {
  archiveOfChart,
  chartAt,
  dependenciesFile,
  lockFileOf,
  removeOthers,
  writeLock,
  writeWhole,
} from '../lock/folder-dependencies.node.ts';
import { readChartLock } from '../lock/registry.node.ts';
import { absentDependency, type ChartDemand, faultyDependency, isChartFolder } from './demand.node.ts';
import { VendorError } from './errors.ts';
import { isMoving, type VendorOptions } from './options.ts';
import { gathered, type VendoredChart, vendorRequests } from './vendor.node.ts';

/** A missing dependency of a chart folder. */
export interface BroughtDependency {
  readonly name: string;
  readonly version: string;
  /** What happened: it was copied from Helm's cache, fetched, packed from a folder, or would be. */
  readonly status: VendoredChart['status'] | 'packed';
  /** The path of its archive. */
  readonly archive: string;
  /** Its source: a URL, or a folder. */
  readonly from: string;
}

/**
 * Downloads missing dependencies of a chart folder into its charts/, in the versions of its lock file or the newest that match. Archives of
 * other versions are removed. With `update`, the named dependencies move to the newest version, and the lock file is written. Options about
 * drydock.lock and its folder have no effect. Rejects with VendorError and RenderError, which leave everything unchanged.
 */
export async function bringDependencies(
  folder: string,
  options: VendorOptions = {},
): Promise<readonly BroughtDependency[]> {
  const chart = await chartAt(folder);
  const { update = [] } = options;
  checkLock(chart, folder, update === true || (Array.isArray(update) && update.length > 0));
  const { requests: asks, folders, held } = wantedBy(chart, folder, options);
  const archiveAt = (name: string, version: string): string => join(folder, 'charts', `${name}-${version}.tgz`);
  const packed = await Promise.all(
    folders.map(async (path) => {
      const packable = await chartAt(path);
      return { path, packable, name: packable.metadata.name, version: packable.metadata.version };
    }),
  );
  const aside = mkdtempSync(join(tmpdir(), 'drydock-dependencies-'));
  try {
    const dir = join(aside, 'charts');
    const { charts } = await vendorRequests(asks, { ...options, dir, frozen: false, prune: false, update: false });
    const brought = [
      ...charts.map(({ url, source, ...item }) => {
        return { ...item, from: url || source, read: () => readFileSync(join(dir, item.archive)) };
      }),
      ...packed.map(({ path, packable, ...item }) => {
        const status = options.dryRun === true ? ('wanted' as const) : ('packed' as const);
        return { ...item, status, from: path, read: () => archiveOfChart(packable) };
      }),
    ];
    if (options.dryRun !== true) {
      await removeOthers(folder, brought, held);
      for (const { name, version, read } of brought) writeWhole(archiveAt(name, version), read());
      if (brought.some(({ name }) => isMoving(options, name))) await writeLock(folder);
    }
    return brought.map(({ name, version, status, from }) => {
      return { name, version, status, archive: archiveAt(name, version), from };
    });
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}

/** Returns what `helm dependency build` would not accept of a chart folder, as sentences. */
export async function checkDependencies(folder: string): Promise<readonly string[]> {
  let chart: Chart;
  try {
    chart = await chartAt(folder);
  } catch (error) {
    if (error instanceof RenderError) return [`cannot be read: ${error.message}`];
    throw error;
  }
  const text = readChartLock(folder);
  const lock = readChartLockText(text);
  const held = heldDependencies(chart, text);
  const missing = held.filter(({ status }) => status === 'missing');
  const lacking = new Set(missing.map(({ dependency: { name, version } }) => `${name} ${version}`));
  const wrong = held.filter(({ status }) => status === 'wrong version').map(wrongVersion);
  const outdated = lock !== undefined && !isLockInSync(chart, lock) ? [outOfSync(folder)] : [];
  return [...outdated, ...new Set(wrong), ...(lacking.size > 0 ? [`charts/ lacks ${[...lacking].join(', ')}`] : [])];
}

function wrongVersion({ dependency, picked, versions }: HeldDependency): string {
  const wanted =
    picked === undefined ? `${JSON.stringify(dependency.version)} is requested` : `the lock file pins ${picked}`;
  return `charts/ has ${dependency.name} ${versions.join(', ')}, but ${wanted}`;
}

function outOfSync(folder: string): string {
  const file = dependenciesFile(folder);
  return `${lockFileOf(file)} is out of sync with the dependencies in ${file}`;
}

// Like Helm: a lock file for other dependencies is not used.
function checkLock(chart: Chart, folder: string, isUpdate: boolean): void {
  const lock = readChartLockText(readChartLock(folder));
  if (isUpdate || lock === undefined || lock.digest === '' || isLockInSync(chart, lock)) return;
  throw new VendorError('LOCK_FROZEN', `${folder}: ${outOfSync(folder)}`, {
    hint: `Run \`drydock vendor ${folder} --update\` to write it again.`,
  });
}

interface Wanted {
  readonly requests: readonly ChartDemand[];
  /** Chart folders, by `file://`. */
  readonly folders: readonly string[];
  /** The dependencies that stay as they are. */
  readonly held: readonly HeldDependency[];
}

function wantedBy(chart: Chart, folder: string, options: VendorOptions): Wanted {
  const requests = new Map<string, ChartDemand>();
  const folders = new Set<string>();
  const failures: VendorError[] = [];
  const text = readChartLock(folder);
  const isDue = ({ dependency, status }: HeldDependency): boolean =>
    status !== 'ok' || isMoving(options, dependency.name);
  const declared = heldDependencies(chart, text);
  for (const item of declared.filter(isDue)) {
    const { name, repository } = item.dependency;
    if (repository === '')
      failures.push(faultyDependency(folder, `${name} has no repository, and charts/ has no matching version`));
    else if (existsSync(join(folder, 'charts', name)))
      failures.push(faultyDependency(folder, `${wrongVersion(item)}, in an unpacked folder that is not replaced`));
  }
  for (const { dependency, from } of missingDependencies(chart, text, isDue)) {
    if ('ref' in from) {
      const ref = isMoving(options, dependency.name) ? { ...from.ref, version: dependency.version } : from.ref;
      requests.set(JSON.stringify(ref), { ref, by: folder });
    } else {
      const path = resolve(folder, from.path);
      if (isChartFolder(path)) folders.add(path);
      else failures.push(absentDependency(folder, dependency.name, path));
    }
  }
  if (failures.length > 0) throw gathered(failures);
  return { requests: [...requests.values()], folders: [...folders], held: declared.filter((item) => !isDue(item)) };
}
