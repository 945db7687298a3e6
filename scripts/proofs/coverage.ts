// Proves over all charts below folders that coverage does not lie: `npm run coverage-proof -- charts/ --most 12`.
// Where it says that nothing ran a `fail` changes not a byte; where it says that something did, rendering fails.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { proveCoverage } from '../../test/support/coverage-proof.ts';
import { tryEveryChart } from './every-chart.ts';

const { values, positionals } = parseArgs({
  options: { most: { type: 'string', default: '12' }, charts: { type: 'string', default: '100000' } },
  allowPositionals: true,
});
let tried = 0;
const lies: string[] = [];
const charts = await tryEveryChart(positionals, Number(values.charts), (chart, all) => {
  const cases = all.slice(0, 3).map(({ id, chart: folder, valuesFile }) => ({
    name: id,
    valuesFiles: valuesFile === undefined ? [] : [readFileSync(join(folder, valuesFile), 'utf8')],
  }));
  const verdict = proveCoverage(chart, cases, Number(values.most));
  tried += verdict.tried;
  lies.push(...verdict.lies);
  return verdict.tried > 0;
});
for (const lie of lies) console.error(lie);
console.log(`coverage: ${tried} places of ${charts} charts tried, ${lies.length} lies`);
process.exitCode = lies.length === 0 && tried > 0 ? 0 : 1;
