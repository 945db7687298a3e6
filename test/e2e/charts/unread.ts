// Tests, for all charts below folders, that values reported as unread are not read: `npm run test:e2e -- unread charts/ --words 5`.

import { proveUnread } from '../../support/proofs/unread.ts';
import { proofArguments, proveCharts } from './every-chart.ts';

const { own, ...settings } = proofArguments({ words: '5' });
const { charts, counts, faults } = await proveCharts(settings, ({ chart }) => {
  const { replaced, words, lies } = proveUnread(chart, own.words);
  return { counts: { replaced, words }, faults: lies };
});
const { replaced = 0, words = 0 } = counts;
for (const fault of faults) console.error(fault);
console.log(`unread: ${replaced} values of ${charts} charts replaced, ${words} words came out, ${faults.length} lies`);
process.exitCode = faults.length === 0 && charts > 0 ? 0 : 1;
