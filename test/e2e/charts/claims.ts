// Tests, for all charts in folders, that what drydock says about a value or a line is true: that differences name their causes, that
// explanations are complete and correct, that nothing reads the values reported as unread, and that templates ran where coverage says so.
// `npm run test:e2e -- claims [DIR…] [--changes 12] [--places 20]`: the number of changes and places for each chart.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RenderError } from '../../../render/core/errors.ts';
import type { ChartResult } from '../../support/chart-result.ts';
import { orRenderError } from '../../support/chart-values.ts';
import { checkChanges } from '../../support/claims/changes.ts';
import { checkCoverage } from '../../support/claims/coverage.ts';
import { checkPlaces } from '../../support/claims/places.ts';
import { Dice } from '../../support/dice.ts';
import { chartArguments, checkCharts } from './every-chart.ts';

const settings = chartArguments({ changes: 12, places: 20 });
const { changes, places } = settings.flags;
const { charts, counts, failures } = await checkCharts(settings, ({ chart, cases, seed }) => {
  const dice = new Dice(seed);
  const covered = cases.slice(0, 3).map(({ id, chart: folder, valuesFile }) => ({
    name: id,
    valuesFiles: valuesFile === undefined ? [] : [readFileSync(join(folder, valuesFile), 'utf8')],
  }));
  const results = [
    () => checkChanges(chart, changes, dice),
    () => checkPlaces(chart, places, dice),
    () => checkCoverage(chart, covered, places),
  ].map((check): ChartResult => {
    const result = orRenderError(check);
    return result instanceof RenderError ? { counts: {}, failures: [] } : result;
  });
  return {
    counts: Object.fromEntries(results.flatMap((one) => Object.entries(one.counts))),
    failures: results.flatMap((one) => one.failures),
  };
});

const count = (name: string): number => counts[name] ?? 0;
const percent = (part: number, all: number): string => `${((part / Math.max(1, all)) * 100).toFixed(2)} %`;
const [differences, found, named, right] = [count('differences'), count('found'), count('named'), count('right')];
const explained = count('exact') + count('decides');

/** What is reported, and whether it holds. */
const claims: readonly (readonly [text: string, holds: boolean])[] = [
  [
    `causes: ${count('changes')} changes, ${differences} differences; ${percent(found, differences)} name the change, ${percent(right, named)} of ${named} named causes are right`,
    differences > 0 && found >= differences * 0.97 && right >= named * 0.97,
  ],
  [
    `explanations: ${count('lines')} lines with a changed text, ${count('unexplained')} of them are not explained by its value`,
    count('lines') > 0 && count('unexplained') === 0,
  ],
  [
    `explanations: ${explained} places (${count('exact')} exact, ${count('decides')} decided by a value), ${percent(explained - count('unchanged'), explained)} change with their value; ${count('stopped')} more do not render with another value`,
    explained > 0 && count('unchanged') <= explained * 0.01,
  ],
  [
    `unread values: ${count('unread')} changed, ${count('read')} charts with another output`,
    count('unread') > 0 && count('read') === 0,
  ],
  [`traces: ${count('traced')} charts with another output`, count('traced') === 0],
  [
    `coverage: ${count('tried')} places, of which ${count('run')} ran, ${count('falseClaims')} false claims`,
    count('tried') > 0 && count('falseClaims') === 0,
  ],
];
for (const [text, holds] of claims) console.log(`${holds ? 'ok  ' : 'FAIL'}  ${text}`);
console.log(`claims: ${charts} charts, ${failures.length} failures`);
process.exitCode = claims.every(([, holds]) => holds) ? 0 : 1;
