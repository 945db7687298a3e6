// Proves over all charts below folders that explanations miss nothing: `npm run explain-proof -- charts/ --words 20`.

import { parseArgs } from 'node:util';
import { proveRecall } from '../../test/support/recall-proof.ts';
import { tryEveryChart } from './every-chart.ts';

const { values, positionals } = parseArgs({
  options: { words: { type: 'string', default: '20' }, charts: { type: 'string', default: '100000' } },
  allowPositionals: true,
});
const sums = { leaves: 0, words: 0, lines: 0 };
const missed: string[] = [];
const charts = await tryEveryChart(positionals, Number(values.charts), (chart) => {
  const verdict = proveRecall(chart, Number(values.words));
  sums.leaves += verdict.leaves;
  sums.words += verdict.words;
  sums.lines += verdict.lines;
  missed.push(...verdict.missed);
  if (!verdict.isSame) missed.push(`${chart.metadata.name}: the traced rendering is another`);
  return true;
});
for (const line of missed) console.error(line);
console.log(
  `explain: ${sums.leaves} texts of ${charts} charts replaced, ${sums.words} words came out in ${sums.lines} lines, ${missed.length} lines do not name them`,
);
process.exitCode = missed.length === 0 && sums.words > 0 ? 0 : 1;
