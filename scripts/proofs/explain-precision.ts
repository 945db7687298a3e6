// Proves over all charts below folders that what explanations claim is so: `npm run explain-proof:precision -- charts/ --places 20 --seed 1`.

import { parseArgs } from 'node:util';
import { provePrecision } from '../../test/support/precision-proof.ts';
import { seededDice } from '../../test/support/text-leaves.ts';
import { tryEveryChart } from './every-chart.ts';

const { values, positionals } = parseArgs({
  options: {
    places: { type: 'string', default: '20' },
    charts: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
  },
  allowPositionals: true,
});
const sums = { exact: 0, decides: 0 };
const missed: string[] = [];
const dice = seededDice(Number(values.seed));
const charts = await tryEveryChart(positionals, Number(values.charts), (chart) => {
  const verdict = provePrecision(chart, Number(values.places), dice);
  sums.exact += verdict.exact;
  sums.decides += verdict.decides;
  missed.push(...verdict.missed.map((line) => `${chart.metadata.name}: ${line}`));
  return true;
});
for (const line of missed) console.error(line);
const all = sums.exact + sums.decides;
const share = all === 0 ? 0 : (1 - missed.length / all) * 100;
console.log(
  `precision: ${all} places of ${charts} charts (${sums.exact} exact, ${sums.decides} deciding), ${share.toFixed(2)} % change with their value`,
);
process.exitCode = share >= 99 ? 0 : 1;
