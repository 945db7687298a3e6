// Tests, for all charts below folders, that explanations are complete: `npm run test:e2e -- explain-recall charts/ --words 20`.

import { checkRecall } from '../../support/claims/recall.ts';
import { checkCharts, claimArguments } from './every-chart.ts';

const { own, ...settings } = claimArguments({ words: '20' });
const { charts, counts, faults } = await checkCharts(settings, ({ chart }) => {
  const { leaves, words, lines, missed, isSame } = checkRecall(chart, own.words);
  return {
    counts: { leaves, words, lines },
    faults: [...missed, ...(isSame ? [] : ['the traced rendering is another'])],
  };
});
const { leaves = 0, words = 0, lines = 0 } = counts;
for (const fault of faults) console.error(fault);
console.log(
  `explain: ${leaves} texts of ${charts} charts replaced, ${words} words came out in ${lines} lines, ${faults.length} lines do not name them`,
);
process.exitCode = faults.length === 0 && words > 0 ? 0 : 1;
