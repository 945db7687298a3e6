// What `drydock vendor` prints of chart folders, whose dependencies go into their own charts/.

import { relative, resolve } from 'node:path';
import {
  type BroughtDependency,
  bringDependencies,
  checkDependencies,
  type DependencyFaults,
} from '../../vendor/fetch/dependencies.node.ts';
import type { VendorOptions } from '../../vendor/fetch/run.node.ts';
import { type ParsedFlags, UsageError } from '../flags.ts';
import type { CommandContext } from '../io.ts';
import { printFailure } from '../rendering/order-input.node.ts';
import { type ChartLine, chartLines } from './lines.ts';

/** Refuses flags that speak of the lock of Orders. Throws UsageError. */
export function checkForCharts([folder = '']: readonly string[], flags: ParsedFlags): void {
  const given = ['dir', 'frozen', 'prune'].find((name) => flags.isGiven(name));
  if (given === undefined) return;
  throw new UsageError(`--${given} is for Orders; ${folder} is a chart folder, whose Chart.lock pins versions`);
}

/** Brings the dependencies of chart folders, one folder after the other. Rejects as `bringDependencies` does. */
export async function bringAll(
  folders: readonly string[],
  options: VendorOptions,
  io: CommandContext,
): Promise<readonly { readonly chart: string; readonly brought: readonly BroughtDependency[] }[]> {
  const all: { chart: string; brought: readonly BroughtDependency[] }[] = [];
  for (const chart of folders) {
    all.push({ chart, brought: await bringDependencies(resolve(io.cwd, chart), options) });
  }
  return all;
}

/** Returns what is wrong with the dependencies of chart folders; undefined where one is not a chart, which is reported. */
export async function chartFolderErrors(
  folders: readonly string[],
  io: CommandContext,
): Promise<readonly ({ readonly chart: string } & DependencyFaults)[] | undefined> {
  let isFine = true;
  const found: ({ chart: string } & DependencyFaults)[] = [];
  for (const chart of folders) {
    try {
      const { lacking, faults } = await checkDependencies(resolve(io.cwd, chart));
      if (lacking.length + faults.length > 0) found.push({ chart, lacking, faults });
    } catch (error) {
      isFine = printFailure(error, undefined, io, chart) === 0;
    }
  }
  return isFine ? found : undefined;
}

/** Returns what was brought for a chart folder. */
export function printBrought(folder: string, brought: readonly BroughtDependency[], io: CommandContext): void {
  const lines = brought.map(({ name, version, status, from }): ChartLine => {
    return { word: status, name, version, detail: /^[a-z]+:\/\//.test(from) ? from : relative(io.cwd, from) };
  });
  io.stdout(chartLines(lines));
  const { length } = brought;
  const summary =
    length === 0 ? 'has its dependencies' : `${length} ${length === 1 ? 'dependency' : 'dependencies'} in charts/`;
  io.stdout(`${folder}: ${summary}\n`);
}
