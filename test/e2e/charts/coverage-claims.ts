// Tests, for all charts in folders, that coverage is right: `npm run test:e2e -- coverage-claims charts/ --places 12`.
// A `fail` inserted in a part that did not run changes no byte; in a part that ran, it makes rendering fail.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkCoverage } from '../../support/claims/coverage.ts';
import { checkCharts, claimArguments } from './every-chart.ts';

const { own, ...settings } = claimArguments({ places: '12' });
const { charts, counts, failures } = await checkCharts(settings, ({ chart, cases: all }) => {
  const cases = all.slice(0, 3).map(({ id, chart: folder, valuesFile }) => ({
    name: id,
    valuesFiles: valuesFile === undefined ? [] : [readFileSync(join(folder, valuesFile), 'utf8')],
  }));
  const { tried, run, falseClaims } = checkCoverage(chart, cases, own.places);
  return { counts: { tried, run }, failures: falseClaims };
});
const { tried = 0, run = 0 } = counts;
for (const failure of failures) console.error(failure);
console.log(
  `coverage: ${tried} places in ${charts} charts (${run} that ran, ${tried - run} that did not), ${failures.length} false claims`,
);
process.exitCode = failures.length === 0 && tried > 0 ? 0 : 1;
