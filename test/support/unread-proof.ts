// Proves that what is told to be unread is: another value in its place changes nothing, and no word that came out is told.

import type { Chart } from '../../render/chart/chart.ts';
import { unreadPaths } from '../../render/checks/unread.ts';
import { RenderError } from '../../render/errors.ts';
import type { GoMap, GoValue } from '../../render/go/value.ts';
import { seededHost } from '../../render/host.ts';
import { formatTemplate } from '../../render/output/template.ts';
import { type RenderedRelease, renderRelease } from '../../render/release.ts';
import { copyValue } from '../../render/values/lookup.ts';
import { Reads } from '../../render/values/reads.ts';

/** What was found out about a chart. */
export interface UnreadVerdict {
  /** How many unread values were replaced. */
  readonly replaced: number;
  /** How many words were put in that came out. */
  readonly words: number;
  readonly lies: readonly string[];
}

type Steps = readonly (string | number)[];

/** Tries every default of a chart that is told to be unread, and at most so many texts of its defaults. */
export function proveUnread(chart: Chart, mostWords: number): UnreadVerdict {
  const release = render(chart, copyValue(chart.values));
  const unread = unreadPaths(chart, release, copyValue(chart.values));
  const lies: string[] = [];
  if (unread.length > 0 && textOf(chart, unread) !== formatTemplate(release, {})) {
    const before = formatTemplate(release, {});
    lies.push(
      ...unread.filter((steps) => textOf(chart, [steps]) !== before).map((steps) => `unread: ${steps.join('.')}`),
    );
    if (lies.length === 0) lies.push(`unread, all of ${unread.length} together`);
  }
  const leaves = textLeaves(chart.values);
  const step = Math.max(1, leaves.length / mostWords);
  let words = 0;
  for (let at = 0; at < leaves.length; at += step) {
    const steps = leaves[Math.floor(at)] as Steps;
    const [cameOut, isTold] = tryWord(chart, steps);
    if (cameOut) words++;
    if (cameOut && isTold) lies.push(`came out: ${steps.join('.')}`);
  }
  return { replaced: unread.length, words, lies: lies.map((lie) => `${chart.metadata.name}: ${lie}`) };
}

function render(chart: Chart, values: GoMap): RenderedRelease {
  return renderRelease(chart, { values, host: seededHost(), reads: new Reads(), skipSchemaValidation: true });
}

function textOf(chart: Chart, changed: readonly Steps[]): string {
  const values = copyValue(chart.values);
  for (const steps of changed) replace(values, steps, another);
  try {
    return formatTemplate(render(chart, values), {});
  } catch (error) {
    if (error instanceof RenderError) return error.message;
    throw error;
  }
}

function tryWord(chart: Chart, steps: Steps): readonly [cameOut: boolean, isTold: boolean] {
  const word = 'zqdrydockzq';
  const values = copyValue(chart.values);
  replace(values, steps, () => word);
  try {
    const release = render(chart, copyValue(values));
    if (!formatTemplate(release, {}).includes(word)) return [false, false];
    const path = steps.join('.');
    return [true, unreadPaths(chart, release, values).some((told) => `${path}.`.startsWith(`${told.join('.')}.`))];
  } catch (error) {
    if (error instanceof RenderError) return [false, false];
    throw error;
  }
}

function another(value: GoValue): GoValue {
  if (typeof value === 'string') return `${value}zq`;
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  if (Array.isArray(value)) return [...value, 'zq'];
  return value instanceof Map ? new Map([...value, ['zq', 'zq']]) : value;
}

function replace(root: GoMap, steps: Steps, change: (value: GoValue) => GoValue): void {
  const last = steps.at(-1) as string | number;
  let parent: GoValue = root;
  for (const step of steps.slice(0, -1))
    parent = (parent instanceof Map ? parent.get(String(step)) : (parent as GoValue[])[Number(step)]) as GoValue;
  if (parent instanceof Map) parent.set(String(last), change(parent.get(String(last)) as GoValue));
  else if (Array.isArray(parent)) parent[Number(last)] = change(parent[Number(last)] as GoValue);
}

function textLeaves(values: GoMap): Steps[] {
  const leaves: Steps[] = [];
  const ahead: [value: GoValue, steps: Steps][] = [[values, []]];
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    const [value, steps] = next;
    if (typeof value === 'string') leaves.push(steps);
    else if (value instanceof Map) for (const [key, item] of value) ahead.push([item, [...steps, key]]);
    else if (Array.isArray(value)) ahead.push(...value.map((item, at): [GoValue, Steps] => [item, [...steps, at]]));
  }
  return leaves;
}
