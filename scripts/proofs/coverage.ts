// Proves over all charts below folders that coverage does not lie: `npm run coverage-proof -- charts/ --most 12`.
// Where it says that nothing ran a `fail` changes not a byte; where it says that something did, rendering fails.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadChartPath } from '../../render/chart/directory.node.ts';
import type { CoverageCase } from '../../render/covered-chart.ts';
import { RenderError } from '../../render/errors.ts';
import { proveCoverage } from '../../test/support/coverage-proof.ts';
import { listCases } from '../conformance-charts.ts';

const { values, positionals } = parseArgs({
  options: { most: { type: 'string', default: '12' }, charts: { type: 'string', default: '100000' } },
  allowPositionals: true,
});
const workspace = mkdtempSync(join(tmpdir(), 'drydock-coverage-'));
let tried = 0;
let charts = 0;
const lies: string[] = [];
try {
  for (const [folder, cases] of await casesByChart(positionals.length === 0 ? ['fixtures/charts'] : positionals)) {
    if (charts >= Number(values.charts)) break;
    try {
      const chart = await loadChartPath(folder, { onWarning: () => {} });
      const verdict = proveCoverage(chart, cases.slice(0, 3), Number(values.most));
      if (verdict.tried > 0) charts++;
      tried += verdict.tried;
      lies.push(...verdict.lies);
    } catch (error) {
      if (!(error instanceof RenderError)) throw error;
    }
  }
} finally {
  rmSync(workspace, { recursive: true, force: true });
}
for (const lie of lies) console.error(lie);
console.log(`coverage: ${tried} places of ${charts} charts tried, ${lies.length} lies`);
process.exitCode = lies.length === 0 && tried > 0 ? 0 : 1;

async function casesByChart(roots: readonly string[]): Promise<ReadonlyMap<string, readonly CoverageCase[]>> {
  const found = new Map<string, CoverageCase[]>();
  for (const { id, chart, valuesFile } of await listCases(roots, workspace)) {
    const valuesFiles = valuesFile === undefined ? [] : [readFileSync(join(chart, valuesFile), 'utf8')];
    found.set(chart, [...(found.get(chart) ?? []), { name: id, valuesFiles }]);
  }
  return found;
}
