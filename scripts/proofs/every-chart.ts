// All charts below folders, for proofs that try something with each.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Chart } from '../../render/chart/chart.ts';
import { loadChartPath } from '../../render/chart/directory.node.ts';
import { RenderError } from '../../render/errors.ts';
import { listCases } from '../conformance-charts.ts';

type Case = Awaited<ReturnType<typeof listCases>>[number];

/**
 * Calls a function with each chart below folders (`fixtures/charts` where none is given) and its cases, until it has said so
 * often as `most` that a chart counts. Charts that Helm refuses are passed by. Gives how many counted. Who is asked to end
 * (SIGTERM) ends behind the chart at hand, with what was found by then.
 */
export async function tryEveryChart(
  folders: readonly string[],
  most: number,
  tryChart: (chart: Chart, cases: readonly Case[]) => boolean,
): Promise<number> {
  const workspace = mkdtempSync(join(tmpdir(), 'drydock-charts-'));
  let count = 0;
  let isAsked = false;
  process.once('SIGTERM', () => {
    isAsked = true;
  });
  try {
    const cases = await listCases(folders.length === 0 ? ['fixtures/charts'] : folders, workspace);
    for (const [folder, own] of grouped(cases)) {
      if (count >= most || isAsked) break;
      try {
        if (tryChart(await loadChartPath(folder, { onWarning: () => {} }), own)) count++;
      } catch (error) {
        if (!(error instanceof RenderError)) throw error;
      }
    }
  } finally {
    rmSync(workspace, { recursive: true, force: true });
  }
  return count;
}

function grouped(cases: readonly Case[]): ReadonlyMap<string, readonly Case[]> {
  const found = new Map<string, Case[]>();
  for (const item of cases) found.set(item.chart, [...(found.get(item.chart) ?? []), item]);
  return found;
}
