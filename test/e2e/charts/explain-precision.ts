// Tests, for all charts in folders, that explanations are right: `npm run test:e2e -- explain-precision charts/ --places 20 --seed 1`.

import { checkPrecision } from '../../support/claims/precision.ts';
import { Dice } from '../../support/dice.ts';
import { checkCharts, claimArguments } from './every-chart.ts';

const { own, ...settings } = claimArguments({ places: '20' });
const { charts, counts, failures } = await checkCharts(settings, ({ chart, seed }) => {
  const { exact, decides, shares, moved, stopped, failures } = checkPrecision(chart, own.places, new Dice(seed));
  return { counts: { exact, decides, shares, moved, stopped }, failures };
});
const { exact = 0, decides = 0, shares = 0, moved = 0, stopped = 0 } = counts;
for (const failure of failures) console.error(failure);
const all = exact + decides + shares;
const share = all === 0 ? 0 : (1 - failures.length / all) * 100;
console.log(
  `precision: ${all} places in ${charts} charts (${exact} exact, ${decides} decided by a value, ${shares} by several), ${share.toFixed(2)} % change with their value (in ${moved} of them another place then writes the same text); ${stopped} more do not render with another value`,
);
process.exitCode = share >= 99 ? 0 : 1;
