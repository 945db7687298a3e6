// Tests, for all charts below folders, that differences name their causes: `npm run test:e2e -- causes charts/ --changes 12 --seed 1`.

import { checkCauses } from '../../support/claims/causes.ts';
import { seededDice } from '../../support/claims/text-leaves.ts';
import { checkCharts, claimArguments } from './every-chart.ts';

const { own, ...settings } = claimArguments({ changes: '12' });
const { charts, counts, faults } = await checkCharts(settings, ({ chart, seed }) => {
  const { faults: missed, ...found } = checkCauses(chart, own.changes, seededDice(seed));
  return { counts: found, faults: missed };
});
const { changes = 0, differences = 0, named = 0, right = 0, found = 0 } = counts;
for (const fault of faults) console.error(fault);
const percent = (part: number, all: number): string => (all === 0 ? 0 : (part / all) * 100).toFixed(2);
console.log(
  `causes: ${changes} changes of ${charts} charts made ${differences} differences; ${percent(found, differences)} % name what was changed, ${percent(right, named)} % of the ${named} causes are it`,
);
process.exitCode = found >= differences * 0.97 && right >= named * 0.97 ? 0 : 1;
