// Tests, for all charts below folders, that explanations are right: `npm run test:e2e -- explain-precision charts/ --places 20 --seed 1`.

import { checkPrecision } from '../../support/claims/precision.ts';
import { seededDice } from '../../support/claims/text-leaves.ts';
import { checkCharts, claimArguments } from './every-chart.ts';

const { own, ...settings } = claimArguments({ places: '20' });
const { charts, counts, faults } = await checkCharts(settings, ({ chart, seed }) => {
  const { exact, decides, shares, moved, stopped, missed } = checkPrecision(chart, own.places, seededDice(seed));
  return { counts: { exact, decides, shares, moved, stopped }, faults: missed };
});
const { exact = 0, decides = 0, shares = 0, moved = 0, stopped = 0 } = counts;
for (const fault of faults) console.error(fault);
const all = exact + decides + shares;
const share = all === 0 ? 0 : (1 - faults.length / all) * 100;
console.log(
  `precision: ${all} places of ${charts} charts (${exact} exact, ${decides} deciding, ${shares} with others), ${share.toFixed(2)} % change with their value (${moved} are then written alike by another place); ${stopped} more where the chart does not render with another`,
);
process.exitCode = share >= 99 ? 0 : 1;
