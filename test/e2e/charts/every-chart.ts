// Finds all charts below folders for the tests that try something with each of them, in one run or in several that continue one another.

import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Chart } from '../../../render/chart/chart.ts';
import { loadChartPath } from '../../../render/chart/directory.node.ts';
import { RenderError } from '../../../render/core/errors.ts';
import { cacheDirectory } from '../../../scripts/tools/pinned-package.ts';
import { type ConformanceCase, listCases } from '../../conformance/charts.ts';

/** What a proof found out about a chart. */
export interface ChartVerdict {
  /** What is added up over all charts. */
  readonly counts: Readonly<Record<string, number>>;
  /** What is not as it was told to be. */
  readonly faults: readonly string[];
}

/** What a proof found out about all charts. */
export interface ProvenCharts extends ChartVerdict {
  /** How many charts there are of which something could be tried. */
  readonly charts: number;
}

/** A chart to try, its cases, and the number that what is chosen by chance is chosen by. */
export interface TriedChart {
  readonly chart: Chart;
  readonly cases: readonly ConformanceCase[];
  readonly seed: number;
}

/** Returns the folders and the flags of a proof's command line; `own` are flags of numbers, with their defaults. */
export function proofArguments<Name extends string>(own: Readonly<Record<Name, string>>): ProofArguments<Name> {
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

/** What is on a proof's command line. */
export interface ProofArguments<Name extends string> {
  readonly folders: readonly string[];
  /** How many charts are tried at most: `--charts`. */
  readonly most: number;
  readonly seed: number;
  /** After how many seconds no other chart is begun. */
  readonly seconds: number;
  /** A file that keeps each chart's verdict: another run with it goes on where this one ended. */
  readonly record: string | undefined;
  readonly own: Readonly<Record<Name, number>>;
}

/** A line of the record: the verdict of a chart under a seed; null for one that Helm refuses. */
interface Recorded {
  readonly chart: string;
  readonly seed: number;
  readonly verdict: ChartVerdict | null;
}

/**
 * Tries every chart that the record does not hold yet, and adds up the verdicts of all that it holds. Charts that Helm refuses
 * are passed by. Who is asked to end (SIGTERM) ends behind the chart at hand.
 */
export async function proveCharts(
  { folders, most, seed, seconds, record }: Omit<ProofArguments<never>, 'own'>,
  tryChart: (tried: TriedChart) => ChartVerdict,
): Promise<ProvenCharts> {
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
    // The first case of a chart is the chart with its defaults.
    const id = item.valuesFile === undefined ? item.id : item.id.slice(0, -item.valuesFile.length - 1);
    found.set(id, [...(found.get(id) ?? []), item]);
  }
  return found;
}

// Of each chart other dice, which do not hang on the charts before it.
function mixed(seed: number, id: string): number {
  let hash = seed;
  for (const letter of id) hash = (Math.imul(hash, 31) + (letter.codePointAt(0) as number)) | 0;
  return hash;
}

function summed(all: readonly Recorded[]): ProvenCharts {
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
