// Proves over all charts below folders that explanations miss nothing: `npm run explain-proof -- charts/ --words 20`.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadChartPath } from '../../render/chart/directory.node.ts';
import { RenderError } from '../../render/errors.ts';
import { proveRecall } from '../../test/support/recall-proof.ts';
import { listCases } from '../conformance-charts.ts';

const { values, positionals } = parseArgs({
  options: { words: { type: 'string', default: '20' }, charts: { type: 'string', default: '100000' } },
  allowPositionals: true,
});
const workspace = mkdtempSync(join(tmpdir(), 'drydock-explain-'));
const sums = { charts: 0, words: 0, lines: 0 };
const missed: string[] = [];
try {
  const cases = await listCases(positionals.length === 0 ? ['fixtures/charts'] : positionals, workspace);
  for (const folder of new Set(cases.map(({ chart }) => chart))) {
    if (sums.charts >= Number(values.charts)) break;
    try {
      const verdict = proveRecall(await loadChartPath(folder, { onWarning: () => {} }), Number(values.words));
      sums.charts++;
      sums.words += verdict.words;
      sums.lines += verdict.lines;
      missed.push(...verdict.missed);
      if (!verdict.isSame) missed.push(`${folder}: the traced rendering is another`);
    } catch (error) {
      if (!(error instanceof RenderError)) throw error;
    }
  }
} finally {
  rmSync(workspace, { recursive: true, force: true });
}
for (const line of missed) console.error(line);
console.log(
  `explain: ${sums.words} words of ${sums.charts} charts came out in ${sums.lines} lines, ${missed.length} lines do not name them`,
);
process.exitCode = missed.length === 0 && sums.words > 0 ? 0 : 1;
