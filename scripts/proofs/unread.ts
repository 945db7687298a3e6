// Proves over all charts below folders that what is told to be unread is: `npm run unread-proof -- charts/ --words 5`.

import { parseArgs } from 'node:util';
import { proveUnread } from '../../test/support/unread-proof.ts';
import { tryEveryChart } from './every-chart.ts';

const { values, positionals } = parseArgs({
  options: { words: { type: 'string', default: '5' }, charts: { type: 'string', default: '100000' } },
  allowPositionals: true,
});
const sums = { replaced: 0, words: 0 };
const lies: string[] = [];
const charts = await tryEveryChart(positionals, Number(values.charts), (chart) => {
  const verdict = proveUnread(chart, Number(values.words));
  sums.replaced += verdict.replaced;
  sums.words += verdict.words;
  lies.push(...verdict.lies);
  return true;
});
for (const lie of lies) console.error(lie);
console.log(
  `unread: ${sums.replaced} values of ${charts} charts replaced, ${sums.words} words came out, ${lies.length} lies`,
);
process.exitCode = lies.length === 0 && charts > 0 ? 0 : 1;
