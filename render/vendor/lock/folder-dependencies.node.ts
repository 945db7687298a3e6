// Dependencies that are folders beside a chart, and the chart's lock file.
// Mirrors: helm.sh/helm/v3, pkg/downloader/manager.go `Update`, and internal/resolver `Resolve`, v3.22.0.

import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Chart } from '../../chart/chart.ts';
import { loadChartPath, readChartFiles } from '../../chart/directory.node.ts';
import { pathOfChart, readFrom } from '../../chart/registry.node.ts';
import { pickCandidate } from '../../chart/registry.ts';
import { RenderError } from '../../core/errors.ts';
import { makeFolder } from '../../core/make-folder.node.ts';
import { quote } from '../../go/number.ts';
import { packChart } from './bundle.ts';
import { accepts, type HeldDependency, heldDependencies, writeChartLock } from './dependencies.ts';
import { readChartLock } from './registry.node.ts';

/** Writes a file that is there whole or not at all, even if the machine stops in the middle. Makes its folder. */
export function writeWhole(path: string, data: Uint8Array | string): void {
  makeFolder(dirname(path));
  const aside = join(dirname(path), `.${crypto.randomUUID()}.tmp`);
  try {
    const file = openSync(aside, 'wx', 0o644);
    try {
      const bytes = typeof data === 'string' ? Buffer.from(data, 'utf8') : data;
      for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(aside, path);
  } catch (error) {
    rmSync(aside, { force: true });
    throw error;
  }
}

/**
 * Returns the bytes of a chart's archive. A folder is packed as Helm would read it, with dependencies from elsewhere in its charts/. Throws
 * CHART_INVALID for a chart without files.
 */
export function archiveOfChart(chart: Chart): Uint8Array {
  const path = pathOfChart(chart);
  const { name, version } = chart.metadata;
  if (path === undefined) {
    throw new RenderError('CHART_INVALID', `chart ${name} ${version} has no archive or folder to pack`, {
      hint: 'Take it from a folder or an archive.',
    });
  }
  if (!statSync(path).isDirectory()) return readFileSync(path);
  const files = new Map(readChartFiles(path));
  for (const child of chart.children) {
    // Files in the folder are already included; an added chart has its own path.
    if (pathOfChart(child) === undefined) continue;
    files.set(`charts/${child.metadata.name}-${child.metadata.version}.tgz`, archiveOfChart(child));
  }
  return packChart(name, files);
}

/**
 * Packs every `file://` dependency of a chart folder into its charts/, replaces archives of other versions, and writes the lock file.
 * Returns the number of declared dependencies; undefined, without any change, if one of them comes from elsewhere. Rejects with
 * RenderError, CHART_INVALID.
 */
export async function packFolderDependencies(folder: string): Promise<number | undefined> {
  const { dependencies } = (await chartAt(folder)).metadata;
  if (dependencies.some(({ repository }) => !repository.startsWith('file://'))) return undefined;
  const packed: Chart[] = [];
  const wrong: string[] = [];
  for (const { name, version, repository } of dependencies) {
    const path = resolve(folder, repository.slice('file://'.length));
    if (!existsSync(path)) throw new RenderError('CHART_INVALID', `directory ${path} not found`);
    const chart = await chartAt(path);
    if (accepts(version, chart.metadata.version)) packed.push(chart);
    else wrong.push(`${quote(name)} (repository ${quote(repository)}, version ${quote(version)})`);
  }
  if (wrong.length > 0) {
    const hint =
      'Make sure a matching chart version exists in the repo, or change the version constraint in Chart.yaml';
    const message = `can't get a valid version for ${wrong.length} subchart(s): ${wrong.join(', ')}. ${hint}`;
    throw new RenderError('CHART_INVALID', message);
  }
  await removeOthers(
    folder,
    packed.map(({ metadata }) => metadata),
  );
  for (const chart of packed) {
    const { name, version } = chart.metadata;
    writeWhole(join(folder, 'charts', `${name}-${version}.tgz`), archiveOfChart(chart));
  }
  await writeLock(folder);
  return dependencies.length;
}

/**
 * Removes archives of other versions of the charts in `brought` from charts/, because Helm would load every archive. Those that another
 * dependency with the same name uses, in `held`, are kept.
 */
export async function removeOthers(
  folder: string,
  brought: readonly { readonly name: string; readonly version: string }[],
  held: readonly HeldDependency[] = [],
): Promise<void> {
  const charts = join(folder, 'charts');
  if (!existsSync(charts)) return;
  for (const name of readdirSync(charts)) {
    if (!name.endsWith('.tgz')) continue;
    const { metadata } = await chartAt(join(charts, name));
    const versions = brought.filter((chart) => chart.name === metadata.name).map(({ version }) => version);
    const isHeld = held.some(
      ({ dependency, picked }) =>
        dependency.name === metadata.name && accepts(picked ?? dependency.version, metadata.version),
    );
    if (versions.length > 0 && !versions.includes(metadata.version) && !isHeld) rmSync(join(charts, name));
  }
}

/** Writes the lock file of a chart folder from the content of its charts/, unless only its date would change. */
export async function writeLock(folder: string): Promise<void> {
  const chart = await chartAt(folder);
  const picked = heldDependencies(chart, undefined).map(({ dependency: { name, repository, version }, versions }) => {
    const candidates = versions.map((held) => ({ version: held }));
    return { name, repository, version: pickCandidate(candidates, version)?.version ?? versions[0] ?? version };
  });
  const text = writeChartLock(chart, picked, new Date().toISOString());
  const undated = (lock: string): string => lock.replace(/^generated: .*$/m, '');
  const isNew = undated(text) !== undated(readChartLock(folder) ?? '');
  if (isNew) writeWhole(join(folder, lockFileOf(dependenciesFile(folder))), text);
}

/** Returns the file of a chart folder that declares its dependencies: requirements.yaml for apiVersion v1. */
export function dependenciesFile(folder: string): 'Chart.yaml' | 'requirements.yaml' {
  return existsSync(join(folder, 'requirements.yaml')) ? 'requirements.yaml' : 'Chart.yaml';
}

/** Returns the lock file that belongs to `Chart.yaml` or `requirements.yaml`. */
export const lockFileOf = (file: string): string => (file === 'Chart.yaml' ? 'Chart.lock' : 'requirements.lock');

/** Returns the chart in a folder or an archive, with its path in errors. Rejects with RenderError. */
export async function chartAt(path: string): Promise<Chart> {
  return readFrom(await loadChartPath(path), path);
}
