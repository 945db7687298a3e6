// The defaults of a chart that no case reads, merged from the unread values of each case.

import type { Chart } from '../chart/chart.ts';
import type { Steps } from '../core/paths.ts';
import type { GoValue } from '../go/value.ts';
import { valuesIn } from '../manifest/objects.ts';
import { defaultLine, valueDescriber } from '../values/describe.ts';
import { pathText } from '../values/paths.ts';
import type { DefaultsCoverage } from './measure.ts';

/** Returns the defaults that are unread in every case; `cases` has the unread values of each successful case. */
export function unreadDefaults(chart: Chart, cases: readonly (readonly Steps[])[]): DefaultsCoverage {
  const describe = valueDescriber(chart);
  const found = unreadInAll(cases).map((steps) => ({ steps, line: defaultLine(chart, steps) ?? 1 }));
  return {
    total: countLeaves(chart.values),
    unread: found
      .sort((a, b) => a.line - b.line)
      .map(({ steps, line }) => {
        const description = describe(steps);
        return { path: pathText(steps), line, ...(description === undefined ? {} : { description }) };
      }),
  };
}

/** Returns the paths that are unread in every case. */
export function unreadInAll(cases: readonly (readonly Steps[])[]): readonly Steps[] {
  const [first = [], ...others] = cases.map((unread) => new Map(unread.map((steps) => [JSON.stringify(steps), steps])));
  const left = others.reduce((all: ReadonlyMap<string, Steps>, unread) => common(all, unread), new Map(first));
  return [...left.values()];
}

// A value is unread in both if it, or an enclosing table, is.
function common(a: ReadonlyMap<string, Steps>, b: ReadonlyMap<string, Steps>): ReadonlyMap<string, Steps> {
  const within = (one: ReadonlyMap<string, Steps>, other: ReadonlyMap<string, Steps>): [string, Steps][] =>
    [...one].filter(([, steps]) => steps.some((_, at) => other.has(JSON.stringify(steps.slice(0, at + 1)))));
  return new Map([...within(a, b), ...within(b, a)]);
}

function countLeaves(values: GoValue): number {
  const isEmpty = (value: GoValue): boolean =>
    value instanceof Map ? value.size === 0 : !Array.isArray(value) || value.length === 0;
  return [...valuesIn(values)].filter(({ value }) => isEmpty(value)).length;
}
