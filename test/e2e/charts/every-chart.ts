// Finds all charts below folders for the tests that try something with each of them, in one run or in several that continue each other.

import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Chart } from '../../../render/chart/chart.ts';
import { loadChartPath } from '../../../render/chart/directory.node.ts';
import { RenderError } from '../../../render/core/errors.ts';
import { cacheDirectory } from '../../../scripts/dev/tools/pinned-package.ts';
import { type ConformanceCase, listCases } from '../../conformance/charts.ts';

/** The result for one chart. */
export interface ChartVerdict {
  /** Counts that are summed over all charts. */
  readonly counts: Readonly<Record<string, number>>;
  /** False statements. */
  readonly faults: readonly string[];
}

/** The result for all charts. */
export interface CheckedCharts extends ChartVerdict {
  /** Number of charts with something to try. */
  readonly charts: number;
}

/** A chart to try, its cases, and its random number generator. */
export interface TriedChart {
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
    most: Number(values.charts),
    seed: Number(values.seed),
    seconds: Number(values.seconds),
    record: values.record as string | undefined,
    own: numbers as Record<Name, number>,
  };
}

/** The parsed command line. */
export interface ClaimArguments<Name extends string> {
  readonly folders: readonly string[];
  /** Maximum number of charts: `--charts`. */
  readonly most: number;
  readonly seed: number;
  /** Number of seconds after which no further chart is started. */
  readonly seconds: number;
  /** A file with the result of each chart, with which another run continues. */
  readonly record: string | undefined;
  readonly own: Readonly<Record<Name, number>>;
}

/** A line of the record: the result of a chart for a seed; null for one that Helm refuses. */
interface Recorded {
  readonly chart: string;
  readonly seed: number;
  readonly verdict: ChartVerdict | null;
}

/**
 * Tries every chart that is not in the record, and sums up all results. Charts that Helm refuses are skipped. SIGTERM stops after the
 * current chart.
 */
export async function checkCharts(
  { folders, most, seed, seconds, record }: Omit<ClaimArguments<never>, 'own'>,
  tryChart: (tried: TriedChart) => ChartVerdict,
): Promise<CheckedCharts> {
  const until = performance.now() + seconds * 1000;
  let isShown = false;
  process.once('SIGTERM', () => {
    isShown = true;
  });
  const done = record !== undefined && existsSync(record) ? readRecord(record) : [];
  const known = new Set(done.filter((one) => one.seed === seed).map(({ chart }) => chart));
  const workspace = join(cacheDirectory, 'conformance');
  mkdirSync(workspace, { recursive: true });
  for (const [id, cases] of byChart(await listCases(folders, workspace))) {
    if (done.length >= most || isShown || performance.now() > until) break;
    if (known.has(id)) continue;
    const one: Recorded = { chart: id, seed, verdict: await verdictOf(cases, { seed: mixed(seed, id), tryChart }) };
    done.push(one);
    if (record !== undefined) appendFileSync(record, `${JSON.stringify(one)}\n`);
  }
  return summed(done);
}

async function verdictOf(
  cases: readonly ConformanceCase[],
  { seed, tryChart }: { readonly seed: number; readonly tryChart: (tried: TriedChart) => ChartVerdict },
): Promise<ChartVerdict | null> {
  try {
    const chart = await loadChartPath((cases[0] as ConformanceCase).chart, { onWarning: () => {} });
    return tryChart({ chart, cases, seed });
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

// Random numbers of a chart do not depend on the charts before it.
function mixed(seed: number, id: string): number {
  let hash = seed;
  for (const letter of id) hash = (Math.imul(hash, 31) + (letter.codePointAt(0) as number)) | 0;
  return hash;
}

function summed(all: readonly Recorded[]): CheckedCharts {
  const counts: Record<string, number> = {};
  const faults: string[] = [];
  const tried = new Set<string>();
  for (const { chart, verdict } of all) {
    if (verdict === null) continue;
    tried.add(chart);
    for (const [name, count] of Object.entries(verdict.counts)) counts[name] = (counts[name] ?? 0) + count;
    faults.push(...verdict.faults.map((fault) => `${chart}: ${fault}`));
  }
  return { charts: tried.size, counts, faults };
}
