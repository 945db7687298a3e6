// Which defaults of a chart no case reads, put together from what each case left unread.

import type { Chart } from '../chart/chart.ts';
import type { GoValue } from '../go/value.ts';
import { defaultLine, describeValue } from '../values/describe.ts';
import { pathText, type Steps } from '../values/paths.ts';
import type { DefaultsCoverage } from './measure.ts';

/** Gives the defaults that are unread in every case; `cases` holds for each case that succeeded what it left unread. */
export function unreadDefaults(chart: Chart, cases: readonly (readonly Steps[])[]): DefaultsCoverage {
  const [first = [], ...others] = cases.map((unread) => new Map(unread.map((steps) => [JSON.stringify(steps), steps])));
  const left = others.reduce((all: ReadonlyMap<string, Steps>, unread) => common(all, unread), new Map(first));
  const found = [...left.values()].map((steps) => ({ steps, line: defaultLine(chart, steps) ?? 1 }));
  return {
    total: countLeaves(chart.values),
    unread: found
      .sort((a, b) => a.line - b.line)
      .map(({ steps, line }) => {
        const description = describeValue(chart, steps);
        return { path: pathText(steps), line, ...(description === undefined ? {} : { description }) };
      }),
  };
}

// A value is unread in both where it, or a table around it, is.
function common(a: ReadonlyMap<string, Steps>, b: ReadonlyMap<string, Steps>): ReadonlyMap<string, Steps> {
  const within = (one: ReadonlyMap<string, Steps>, other: ReadonlyMap<string, Steps>): [string, Steps][] =>
    [...one].filter(([, steps]) => steps.some((_, at) => other.has(JSON.stringify(steps.slice(0, at + 1)))));
  return new Map([...within(a, b), ...within(b, a)]);
}

function countLeaves(values: GoValue): number {
  let count = 0;
  const ahead: GoValue[] = [values];
  for (let value = ahead.pop(); value !== undefined; value = ahead.pop()) {
    const inner = value instanceof Map ? [...value.values()] : Array.isArray(value) ? value : [];
    if (inner.length > 0) ahead.push(...inner);
    else count++;
  }
  return count;
}
