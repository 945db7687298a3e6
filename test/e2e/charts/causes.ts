// Tests, for all charts in folders, that differences name their causes: `npm run test:e2e -- causes charts/ --changes 12 --seed 1`.

import { checkCauses } from '../../support/claims/causes.ts';
import { Dice } from '../../support/dice.ts';
import { checkCharts, claimArguments } from './every-chart.ts';

const { own, ...settings } = claimArguments({ changes: '12' });
const { charts, counts, failures } = await checkCharts(settings, ({ chart, seed }) => {
  const { failures, ...found } = checkCauses(chart, own.changes, new Dice(seed));
  return { counts: found, failures };
});
const { changes = 0, differences = 0, named = 0, right = 0, found = 0 } = counts;
for (const failure of failures) console.error(failure);
const percent = (part: number, all: number): string => (all === 0 ? 0 : (part / all) * 100).toFixed(2);
console.log(
  `causes: ${changes} changes to ${charts} charts, ${differences} differences; ${percent(found, differences)} % name the change, ${percent(right, named)} % of ${named} named causes are right`,
);
process.exitCode = found >= differences * 0.97 && right >= named * 0.97 ? 0 : 1;
