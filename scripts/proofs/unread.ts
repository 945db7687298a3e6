// Proves over all charts below folders that what is told to be unread is: `npm run unread-proof -- charts/ --words 5`.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadChartPath } from '../../render/chart/directory.node.ts';
import { RenderError } from '../../render/errors.ts';
import { proveUnread } from '../../test/support/unread-proof.ts';
import { listCases } from '../conformance-charts.ts';

const { values, positionals } = parseArgs({
  options: { words: { type: 'string', default: '5' }, charts: { type: 'string', default: '100000' } },
  allowPositionals: true,
});
const workspace = mkdtempSync(join(tmpdir(), 'drydock-unread-'));
const sums = { charts: 0, replaced: 0, words: 0 };
const lies: string[] = [];
try {
  const cases = await listCases(positionals.length === 0 ? ['fixtures/charts'] : positionals, workspace);
  for (const folder of new Set(cases.map(({ chart }) => chart))) {
    if (sums.charts >= Number(values.charts)) break;
    try {
      const verdict = proveUnread(await loadChartPath(folder, { onWarning: () => {} }), Number(values.words));
      sums.charts++;
      sums.replaced += verdict.replaced;
      sums.words += verdict.words;
      lies.push(...verdict.lies);
    } catch (error) {
      if (!(error instanceof RenderError)) throw error;
    }
  }
} finally {
  rmSync(workspace, { recursive: true, force: true });
}
for (const lie of lies) console.error(lie);
console.log(
  `unread: ${sums.replaced} values of ${sums.charts} charts replaced, ${sums.words} words came out, ${lies.length} lies`,
);
process.exitCode = lies.length === 0 && sums.charts > 0 ? 0 : 1;
