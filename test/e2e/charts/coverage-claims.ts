// Tests, for all charts below folders, that coverage is right: `npm run test:e2e -- coverage-claims charts/ --places 12`.
// A `fail` inserted where nothing ran changes no byte; inserted where something ran, it makes rendering fail.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkCoverage } from '../../support/claims/coverage.ts';
import { checkCharts, claimArguments } from './every-chart.ts';

const { own, ...settings } = claimArguments({ places: '12' });
const { charts, counts, faults } = await checkCharts(settings, ({ chart, cases: all }) => {
  const cases = all.slice(0, 3).map(({ id, chart: folder, valuesFile }) => ({
    name: id,
    valuesFiles: valuesFile === undefined ? [] : [readFileSync(join(folder, valuesFile), 'utf8')],
  }));
  const { tried, run, falseClaims } = checkCoverage(chart, cases, own.places);
  return { counts: { tried, run }, faults: falseClaims };
});
const { tried = 0, run = 0 } = counts;
for (const fault of faults) console.error(fault);
console.log(
  `coverage: ${tried} places of ${charts} charts tried (${run} that ran, ${tried - run} that did not), ${faults.length} false claims`,
);
process.exitCode = faults.length === 0 && tried > 0 ? 0 : 1;
