// Runs a check for each chart in folders. An interrupted run can be continued.

import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Chart } from '../../../render/chart/chart.ts';
import { loadChartPath } from '../../../render/chart/directory.node.ts';
import { RenderError } from '../../../render/core/errors.ts';
import { cacheDirectory } from '../../../scripts/dev/tools/pinned-package.ts';
import { type ConformanceCase, listCases } from '../../conformance/charts.ts';

/** The result for one chart. */
export interface ChartResult {
  /** Counts that are summed over all charts. */
  readonly counts: Readonly<Record<string, number>>;
  /** A message for each failure. */
  readonly failures: readonly string[];
}

/** The result for all charts. */
export interface ChartResults extends ChartResult {
  /** The number of charts that were checked. */
  readonly charts: number;
}

/** A chart to check, its cases, and a seed for random numbers. */
export interface ChartUnderTest {
  readonly chart: Chart;
  readonly cases: readonly ConformanceCase[];
  readonly seed: number;
}

/** Returns the folders and flags of the command line; `own` lists numeric flags with their defaults. */
export function claimArguments<Name extends string>(own: Readonly<Record<Name, string>>): ClaimArguments<Name> {
  const { values, positionals } = parseArgs({
    options: {
      ...Object.fromEntries(
        Object.entries<string>(own).map(([name, given]) => [name, { type: 'string', default: given }]),
      ),
      charts: { type: 'string', default: '100000' },
      seed: { type: 'string', default: '1' },
      seconds: { type: 'string', default: '100000' },
      record: { type: 'string' },
    },
    allowPositionals: true,
  });
  const numbers = Object.fromEntries(
    Object.keys(own).map((name) => [name, Number((values as Record<string, unknown>)[name])]),
  );
  return {
    folders: positionals.length === 0 ? ['fixtures/charts'] : positionals,
    maxCharts: Number(values.charts),
    seed: Number(values.seed),
    seconds: Number(values.seconds),
    record: values.record as string | undefined,
    own: numbers as Record<Name, number>,
  };
}

/** The parsed command line. */
export interface ClaimArguments<Name extends string> {
  readonly folders: readonly string[];
  /** The maximum number of charts: `--charts`. */
  readonly maxCharts: number;
  readonly seed: number;
  /** The number of seconds after which no other chart is started. */
  readonly seconds: number;
  /** A file for the result of each chart, from which the next run continues. */
  readonly record: string | undefined;
  readonly own: Readonly<Record<Name, number>>;
}

/** A line of the record: the result of a chart for a seed; null if Helm rejects the chart. */
interface Recorded {
  readonly chart: string;
  readonly seed: number;
  readonly result: ChartResult | null;
}

/**
 * Checks every chart that is not in the record, and sums up all results. Charts that Helm rejects are skipped. SIGTERM stops after the
 * current chart.
 */
export async function checkCharts(
  { folders, maxCharts, seed, seconds, record }: Omit<ClaimArguments<never>, 'own'>,
  checkChart: (chart: ChartUnderTest) => ChartResult,
): Promise<ChartResults> {
  const deadline = performance.now() + seconds * 1000;
  let isStopped = false;
  process.once('SIGTERM', () => {
    isStopped = true;
  });
  const done = record !== undefined && existsSync(record) ? readRecord(record) : [];
  const known = new Set(done.filter((one) => one.seed === seed).map(({ chart }) => chart));
  const workspace = join(cacheDirectory, 'conformance');
  mkdirSync(workspace, { recursive: true });
  for (const [id, cases] of byChart(await listCases(folders, workspace))) {
    if (done.length >= maxCharts || isStopped || performance.now() > deadline) break;
    if (known.has(id)) continue;
    const one: Recorded = { chart: id, seed, result: await resultOf(cases, { seed: seedOf(seed, id), checkChart }) };
    done.push(one);
    if (record !== undefined) appendFileSync(record, `${JSON.stringify(one)}\n`);
  }
  return sum(done);
}

async function resultOf(
  cases: readonly ConformanceCase[],
  { seed, checkChart }: { readonly seed: number; readonly checkChart: (chart: ChartUnderTest) => ChartResult },
): Promise<ChartResult | null> {
  try {
    const chart = await loadChartPath((cases[0] as ConformanceCase).chart, { onWarning: () => {} });
    return checkChart({ chart, cases, seed });
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    return null;
  }
}

function readRecord(path: string): Recorded[] {
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Recorded);
}

function byChart(cases: readonly ConformanceCase[]): ReadonlyMap<string, readonly ConformanceCase[]> {
  const found = new Map<string, ConformanceCase[]>();
  for (const item of cases) {
    // The first case of a chart is its defaults.
    const id = item.valuesFile === undefined ? item.id : item.id.slice(0, -item.valuesFile.length - 1);
    found.set(id, [...(found.get(id) ?? []), item]);
  }
  return found;
}

// The random numbers for a chart do not depend on the charts before it.
function seedOf(seed: number, id: string): number {
  let hash = seed;
  for (const letter of id) hash = (Math.imul(hash, 31) + (letter.codePointAt(0) as number)) | 0;
  return hash;
}

function sum(all: readonly Recorded[]): ChartResults {
  const counts: Record<string, number> = {};
  const failures: string[] = [];
  const charts = new Set<string>();
  for (const { chart, result } of all) {
    if (result === null) continue;
    charts.add(chart);
    for (const [name, count] of Object.entries(result.counts)) counts[name] = (counts[name] ?? 0) + count;
    failures.push(...result.failures.map((failure) => `${chart}: ${failure}`));
  }
  return { charts: charts.size, counts, failures };
}
