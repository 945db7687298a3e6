// The charts that Orders need from elsewhere: those that they name, and the dependencies of local charts.

import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Chart } from '../../chart/chart.ts';
import { loadChartPath } from '../../chart/directory.node.ts';
import { pathOfChart, placeRegistry, readFrom } from '../../chart/registry.node.ts';
import { type ChartRef, notFound } from '../../chart/registry.ts';
import { RenderError } from '../../core/errors.ts';
import type { ValidOrder } from '../../order/order.ts';
import { missingDependencies } from '../lock/dependencies.ts';
import { dependenciesFile } from '../lock/folder-dependencies.node.ts';
import { sourceOrigin } from '../lock/lock.ts';
import { readChartLock } from '../lock/registry.node.ts';
import { VendorError } from './errors.ts';

/** An Order with the folders for its relative paths. */
export interface VendorOrder {
  /** Its name for messages, such as its file. */
  readonly name: string;
  readonly order: ValidOrder;
  /** Folders for relative paths of charts, in order of precedence. */
  readonly folders: readonly string[];
}

export interface ChartDemand {
  readonly ref: ChartRef;
  /** What requires it, such as `order.yaml: spec.packages[0]` or the folder of a chart. */
  readonly by: string;
}

/** The charts that Orders need, and problems with them. */
export interface Demand {
  readonly requests: readonly ChartDemand[];
  readonly failures: readonly VendorError[];
}

/** Returns what Orders need from repositories and registries, each chart once. */
export async function demandOf(orders: readonly VendorOrder[]): Promise<Demand> {
  const requests = new Map<string, ChartDemand>();
  const failures: VendorError[] = [];
  const add = (request: ChartDemand): void => {
    const { name, version, sourceRef } = request.ref;
    const key = JSON.stringify([sourceRef.kind === 'OCIRepository', sourceRef.name, name, version]);
    if (!requests.has(key)) requests.set(key, request);
  };
  for (const { name, order, folders } of orders) {
    for (const { chart, path } of order.spec.packages) {
      const ref: ChartRef = { name: chart.name, version: chart.version, sourceRef: chart.sourceRef };
      const by = `${name}: ${path}`;
      const origin = sourceOrigin(ref);
      if (origin.kind === 'embed') continue;
      if (origin.kind !== 'path') add({ ref, by });
      else await visitPath(ref, { by, folders, add, failures });
    }
  }
  return { requests: [...requests.values()], failures };
}

interface Visit {
  readonly by: string;
  readonly folders: readonly string[];
  readonly add: (request: ChartDemand) => void;
  readonly failures: VendorError[];
}

async function visitPath(ref: ChartRef, visit: Visit): Promise<void> {
  const places = visit.folders.map((folder) => resolve(folder, ref.sourceRef.name));
  const place = places.find((path) => existsSync(path));
  try {
    if (place === undefined) throw notFound(ref, { places });
    await visitChart(await placeRegistry(place).resolve(ref), [], visit);
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    visit.failures.push(
      new VendorError('CHART_UNKNOWN', `${visit.by}: ${error.message}`, { cause: error, hint: error.hint }),
    );
  }
}

/** Adds the missing dependencies of a chart folder, and those of `file://` dependencies. */
async function visitChart(chart: Chart, above: readonly string[], visit: Visit): Promise<void> {
  const folder = pathOfChart(chart);
  if (folder === undefined || above.includes(folder) || !isChartFolder(folder)) return;
  for (const { dependency, from } of missingDependencies(chart, readChartLock(folder))) {
    if ('ref' in from) {
      visit.add({ ref: from.ref, by: folder });
      continue;
    }
    const path = resolve(folder, from.path);
    if (isChartFolder(path)) await visitChart(readFrom(await loadChartPath(path), path), [...above, folder], visit);
    else visit.failures.push(absentDependency(folder, dependency.name, path));
  }
}

export function isChartFolder(path: string): boolean {
  return existsSync(join(path, 'Chart.yaml'));
}

/** Returns the error for a `file://` dependency without a chart. */
export function absentDependency(folder: string, name: string, path: string): VendorError {
  return faultyDependency(folder, `${name} should be in ${path}, but there is no chart`);
}

/** Returns the error for an invalid dependency of a chart folder. */
export function faultyDependency(folder: string, what: string): VendorError {
  const file = join(folder, dependenciesFile(folder));
  return new VendorError('CHART_UNKNOWN', `${file}: its dependency ${what}`, {
    hint: `Correct its repository in ${file}, or put the chart into ${join(folder, 'charts')}.`,
  });
}

/** Returns the folders for relative paths of an Order: its own one, then the current one. */
export function foldersOf(file: string, cwd: string): readonly string[] {
  return [...new Set([dirname(resolve(cwd, file)), cwd])];
}
