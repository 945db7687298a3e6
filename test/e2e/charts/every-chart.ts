// Runs a check for each chart in folders.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Chart } from '../../../render/chart/chart.ts';
import { loadChartPath } from '../../../render/chart/directory.node.ts';
import { RenderError } from '../../../render/core/errors.ts';
import { cacheDirectory } from '../../../scripts/dev/tools/pinned-package.ts';
import { type ConformanceCase, listCases } from '../../conformance/charts.ts';
import type { ChartResult } from '../../support/chart-result.ts';

/** A chart to check, its cases, and a seed for random numbers. */
export interface ChartUnderTest {
  readonly chart: Chart;
  readonly cases: readonly ConformanceCase[];
  readonly seed: number;
}

/** The folders and the numeric flags of a command line: `--charts`, the maximum number of charts, `--seed`, and the program's own. */
export interface ChartArguments<Name extends string> {
  readonly folders: readonly string[];
  readonly flags: Readonly<Record<Name | 'charts' | 'seed', number>>;
}

/** Parses the command line. Default: the fixture charts, and the given values of the program's own flags. */
export function chartArguments<Name extends string>(own: Readonly<Record<Name, number>>): ChartArguments<Name> {
  const defaults = Object.entries({ charts: 100_000, seed: 1, ...own });
  const options = Object.fromEntries(
    defaults.map(([name, given]) => [name, { type: 'string', default: String(given) } as const]),
  );
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const flags = Object.entries(values).map(([name, value]) => [name, Number(value)]);
  return { folders: positionals.length === 0 ? ['fixtures/charts'] : positionals, flags: Object.fromEntries(flags) };
}

/** Checks every chart and sums up the results. Charts that Helm rejects are skipped. Prints the failures. */
export async function checkCharts(
  { folders, flags }: ChartArguments<never>,
  checkChart: (chart: ChartUnderTest) => ChartResult,
): Promise<ChartResult & { readonly charts: number }> {
  const workspace = join(cacheDirectory, 'conformance');
  mkdirSync(workspace, { recursive: true });
  const byChart = new Map<string, ConformanceCase[]>();
  for (const item of await listCases(folders, workspace)) {
    // The first case of a chart is its defaults.
    const id = item.valuesFile === undefined ? item.id : item.id.slice(0, -item.valuesFile.length - 1);
    byChart.set(id, [...(byChart.get(id) ?? []), item]);
  }
  const counts: Record<string, number> = {};
  const failures: string[] = [];
  let charts = 0;
  for (const [id, cases] of [...byChart].slice(0, flags.charts)) {
    try {
      const chart = await loadChartPath(cases[0]!.chart, { onWarning: () => {} });
      const result = checkChart({ chart, cases, seed: seedOf(flags.seed, id) });
      charts++;
      for (const [name, count] of Object.entries(result.counts)) counts[name] = (counts[name] ?? 0) + count;
      failures.push(...result.failures.map((failure) => `${id}: ${failure}`));
    } catch (error) {
      if (!(error instanceof RenderError)) throw error;
    }
  }
  for (const failure of failures) console.error(failure);
  return { charts, counts, failures };
}

// The random numbers for a chart do not depend on the charts before it.
function seedOf(seed: number, id: string): number {
  let hash = seed;
  for (const letter of id) hash = (Math.imul(hash, 31) + letter.codePointAt(0)!) | 0;
  return hash;
}
