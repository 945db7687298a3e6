// Tests, for all charts below folders, that values reported as unread are not read: `npm run test:e2e -- unread charts/ --words 5`.

import { checkUnread } from '../../support/claims/unread.ts';
import { checkCharts, claimArguments } from './every-chart.ts';

const { own, ...settings } = claimArguments({ words: '5' });
const { charts, counts, faults } = await checkCharts(settings, ({ chart }) => {
  const { replaced, words, falseClaims } = checkUnread(chart, own.words);
  return { counts: { replaced, words }, faults: falseClaims };
});
const { replaced = 0, words = 0 } = counts;
for (const fault of faults) console.error(fault);
console.log(
  `unread: ${replaced} values of ${charts} charts replaced, ${words} words came out, ${faults.length} false claims`,
);
process.exitCode = faults.length === 0 && charts > 0 ? 0 : 1;
