// Tests, for all charts in folders, that explanations are complete: `npm run test:e2e -- explain-recall charts/ --words 20`.

import { checkRecall } from '../../support/claims/recall.ts';
import { checkCharts, claimArguments } from './every-chart.ts';

const { own, ...settings } = claimArguments({ words: '20' });
const { charts, counts, failures } = await checkCharts(settings, ({ chart }) => {
  const { leaves, words, lines, missed, isSame } = checkRecall(chart, own.words);
  return {
    counts: { leaves, words, lines },
    failures: [...missed, ...(isSame ? [] : ['rendering with a trace changes the output'])],
  };
});
const { leaves = 0, words = 0, lines = 0 } = counts;
for (const failure of failures) console.error(failure);
console.log(
  `recall: ${leaves} strings in ${charts} charts replaced, ${words} of them appear in ${lines} lines, ${failures.length} lines are not explained`,
);
process.exitCode = failures.length === 0 && words > 0 ? 0 : 1;
