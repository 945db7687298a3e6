// Tests, for all charts in folders, that values reported as unread are not read: `npm run test:e2e -- unread charts/ --words 5`.

import { checkUnread } from '../../support/claims/unread.ts';
import { checkCharts, claimArguments } from './every-chart.ts';

const { own, ...settings } = claimArguments({ words: '5' });
const { charts, counts, failures } = await checkCharts(settings, ({ chart }) => {
  const { replaced, words, falseClaims } = checkUnread(chart, own.words);
  return { counts: { replaced, words }, failures: falseClaims };
});
const { replaced = 0, words = 0 } = counts;
for (const failure of failures) console.error(failure);
console.log(
  `unread: ${replaced} values in ${charts} charts replaced, ${words} of them appear in the output, ${failures.length} false claims`,
);
process.exitCode = failures.length === 0 && charts > 0 ? 0 : 1;
