// Tests, for all charts in folders, that what drydock reports about a value or a line is true. `npm run test:e2e -- CLAIM [DIR…]`:
// `causes [--changes 12]`, that differences name their causes; `coverage-claims [--places 12]`, that parts ran or did not run;
// `explain-precision [--places 20]` and `explain-recall [--words 20]`, that explanations are right and complete; `unread [--words 5]`, that
// nothing reads the values that are reported as unread.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkCauses } from '../../support/claims/causes.ts';
import { checkCoverage } from '../../support/claims/coverage.ts';
import { checkPrecision } from '../../support/claims/precision.ts';
import { checkRecall } from '../../support/claims/recall.ts';
import { checkUnread } from '../../support/claims/unread.ts';
import { Dice } from '../../support/dice.ts';
import { type ChartResult, type ChartUnderTest, chartArguments, checkCharts } from './every-chart.ts';

/** The sums over all charts. */
interface Sums {
  readonly charts: number;
  readonly failures: number;
  count(name: string): number;
}

interface Claim {
  /** The flag with the number of tries for each chart, and its default. */
  readonly flag: string;
  readonly tries: number;
  readonly check: (tried: ChartUnderTest, tries: number) => ChartResult;
  /** Returns the report, and whether the claim holds. */
  readonly report: (sums: Sums) => readonly [text: string, holds: boolean];
}

const percent = (part: number, all: number): string => (all === 0 ? 0 : (part / all) * 100).toFixed(2);

const claims: Readonly<Record<string, Claim>> = {
  causes: {
    flag: 'changes',
    tries: 12,
    check: ({ chart, seed }, tries) => {
      const { failures, ...counts } = checkCauses(chart, tries, new Dice(seed));
      return { counts, failures };
    },
    report: ({ charts, count }) => {
      const [differences, found, named, right] = [count('differences'), count('found'), count('named'), count('right')];
      return [
        `${count('changes')} changes to ${charts} charts, ${differences} differences; ${percent(found, differences)} % name the change, ${percent(right, named)} % of ${named} named causes are right`,
        found >= differences * 0.97 && right >= named * 0.97,
      ];
    },
  },
  'coverage-claims': {
    flag: 'places',
    tries: 12,
    check: ({ chart, cases }, tries) => {
      const tried = cases.slice(0, 3).map(({ id, chart: folder, valuesFile }) => ({
        name: id,
        valuesFiles: valuesFile === undefined ? [] : [readFileSync(join(folder, valuesFile), 'utf8')],
      }));
      const { falseClaims, ...counts } = checkCoverage(chart, tried, tries);
      return { counts, failures: falseClaims };
    },
    report: ({ charts, failures, count }) => {
      const [tried, run] = [count('tried'), count('run')];
      return [
        `${tried} places in ${charts} charts (${run} that ran, ${tried - run} that did not), ${failures} false claims`,
        failures === 0 && tried > 0,
      ];
    },
  },
  'explain-precision': {
    flag: 'places',
    tries: 20,
    check: ({ chart, seed }, tries) => {
      const { failures, ...counts } = checkPrecision(chart, tries, new Dice(seed));
      return { counts, failures };
    },
    report: ({ charts, failures, count }) => {
      const [exact, decides, shares] = [count('exact'), count('decides'), count('shares')];
      const all = exact + decides + shares;
      return [
        `${all} places in ${charts} charts (${exact} exact, ${decides} decided by a value, ${shares} by several), ${percent(all - failures, all)} % change with their value (in ${count('moved')} of them another place then writes the same text); ${count('stopped')} more do not render with another value`,
        all > 0 && failures <= all * 0.01,
      ];
    },
  },
  'explain-recall': {
    flag: 'words',
    tries: 20,
    check: ({ chart }, tries) => {
      const { missed, isSame, ...counts } = checkRecall(chart, tries);
      return { counts, failures: [...missed, ...(isSame ? [] : ['rendering with a trace changes the output'])] };
    },
    report: ({ charts, failures, count }) => [
      `${count('leaves')} strings in ${charts} charts replaced, ${count('words')} of them appear in ${count('lines')} lines, ${failures} lines are not explained`,
      failures === 0 && count('words') > 0,
    ],
  },
  unread: {
    flag: 'words',
    tries: 5,
    check: ({ chart }, tries) => {
      const { falseClaims, ...counts } = checkUnread(chart, tries);
      return { counts, failures: falseClaims };
    },
    report: ({ charts, failures, count }) => [
      `${count('replaced')} values in ${charts} charts replaced, ${count('words')} of them appear in the output, ${failures} false claims`,
      failures === 0 && charts > 0,
    ],
  },
};

const [name = ''] = process.argv.splice(2, 1);
const { flag, tries, check, report } = claims[name]!;
const settings = chartArguments({ [flag]: tries });
const { charts, counts, failures } = await checkCharts(settings, (tried) => check(tried, settings.flags[flag]!));
const [text, holds] = report({ charts, failures: failures.length, count: (counted) => counts[counted] ?? 0 });
console.log(`${name}: ${text}`);
process.exitCode = holds ? 0 : 1;
