// Checks that reports of unread values are correct: changing one changes nothing, and no value that appears in the output is reported.

import type { Chart } from '../../../render/chart/chart.ts';
import { RenderError } from '../../../render/core/errors.ts';
import type { Steps } from '../../../render/core/paths.ts';
import { type RenderedRelease, runInstall } from '../../../render/engine/release.ts';
import type { GoMap, GoValue } from '../../../render/go/value.ts';
import { formatTemplate } from '../../../render/output/template.ts';
import { unreadInSubcharts, unreadPaths } from '../../../render/validation/checks/unread.ts';
import { copyValue } from '../../../render/values/lookup.ts';
import { valueAtSteps } from '../../../render/values/paths.ts';
import { Reads } from '../../../render/values/reads.ts';
import { changedValue, evenly, orRenderError, repeatableHost, replaceAt, textLeaves } from './tools.ts';

/** The results for a chart. */
export interface UnreadResult {
  /** The number of unread values that were replaced. */
  readonly replaced: number;
  /** The number of inserted words that appear in the output. */
  readonly words: number;
  readonly falseClaims: readonly string[];
}

/** Replaces every default of a chart that is reported as unread, and a number of its strings. */
export function checkUnread(chart: Chart, wordCount: number): UnreadResult {
  const release = render(chart, copyValue(chart.values));
  const before = formatTemplate(release, {});
  const own = unreadPaths(chart, release, copyValue(chart.values)).flatMap((steps) => within(chart.values, steps));
  const below = unreadInSubcharts(chart, release).flatMap(({ chart: child, prefix, unread }) =>
    unread.flatMap((steps) => within(child.values, steps)).map((steps) => ({ child, prefix, steps })),
  );
  const falseClaims = [
    ...falseClaimsOf('unread', own, {
      isChanged: (some) => textOf(chart, some) !== before,
      nameOf: (steps) => steps.join('.'),
    }),
    ...falseClaimsOf('unread in a subchart', below, {
      isChanged: (some) => textBelow(chart, some) !== before,
      nameOf: ({ prefix, steps }) => [...prefix, ...steps].join('.'),
    }),
  ];
  let words = 0;
  for (const steps of evenly(textLeaves(chart.values), wordCount)) {
    const [appears, isReported] = tryWord(chart, steps);
    if (appears) words++;
    if (appears && isReported) falseClaims.push(`in the output: ${steps.join('.')}`);
  }
  return { replaced: own.length + below.length, words, falseClaims };
}

/** Changes all values together and, if that changes the output, one at a time. */
function falseClaimsOf<Value>(
  what: string,
  values: readonly Value[],
  { isChanged, nameOf }: { isChanged(some: readonly Value[]): boolean; nameOf(value: Value): string },
): string[] {
  if (values.length === 0 || !isChanged(values)) return [];
  const found = values.filter((value) => isChanged([value])).map((value) => `${what}: ${nameOf(value)}`);
  return found.length > 0 ? found : [`${what}, but all ${values.length} together change the output`];
}

// An unread table or list is reported once, and all its members are unread.
function within(values: GoMap, steps: Steps): Steps[] {
  const value = steps.reduce<GoValue>(
    (at, step) => (at instanceof Map ? at.get(String(step)) : (at as readonly GoValue[])[Number(step)]) ?? null,
    values,
  );
  const keys = value instanceof Map ? [...value.keys()] : Array.isArray(value) ? [...value.keys()] : [];
  return [steps, ...keys.flatMap((key) => within(values, [...steps, key]))];
}

function render(chart: Chart, values: GoMap): RenderedRelease {
  return runInstall(chart, { values, host: repeatableHost(), reads: new Reads(), skipSchemaValidation: true });
}

interface Below {
  readonly child: Chart;
  readonly prefix: readonly string[];
  readonly steps: Steps;
}

// The values of a subchart are set in its section of the parent's values.
function textBelow(chart: Chart, changed: readonly Below[]): string {
  const values = copyValue(chart.values);
  for (const { child, prefix, steps } of changed) {
    const own = changedValue(valueAtSteps(child.values, steps) ?? null);
    const lists = steps.findIndex((step) => typeof step === 'number');
    // A list is set as a whole.
    const [path, value] = lists < 0 ? [steps, own] : [steps.slice(0, lists), listWith(child.values, steps, lists)];
    put(values, [...prefix, ...path], value);
  }
  return textWith(chart, values);
}

function listWith(values: GoMap, steps: Steps, at: number): GoValue {
  const copy = copyValue(values);
  replaceAt(copy, steps, changedValue);
  return valueAtSteps(copy, steps.slice(0, at)) ?? null;
}

function put(root: GoMap, steps: Steps, value: GoValue): void {
  let table = root;
  for (const step of steps.slice(0, -1)) {
    const known = table.get(String(step));
    const inner: GoMap = known instanceof Map ? known : new Map();
    table.set(String(step), inner);
    table = inner;
  }
  table.set(String(steps.at(-1)), value);
}

function textOf(chart: Chart, changed: readonly Steps[]): string {
  const values = copyValue(chart.values);
  for (const steps of changed) replaceAt(values, steps, changedValue);
  return textWith(chart, values);
}

function textWith(chart: Chart, values: GoMap): string {
  const release = orRenderError(() => render(chart, values));
  return release instanceof RenderError ? release.message : formatTemplate(release, {});
}

function tryWord(chart: Chart, steps: Steps): readonly [appears: boolean, isReported: boolean] {
  const word = 'zqdrydockzq';
  const values = copyValue(chart.values);
  replaceAt(values, steps, () => word);
  const release = orRenderError(() => render(chart, copyValue(values)));
  if (release instanceof RenderError || !formatTemplate(release, {}).includes(word)) return [false, false];
  const path = `${steps.join('.')}.`;
  return [true, unreadPaths(chart, release, values).some((reported) => path.startsWith(`${reported.join('.')}.`))];
}
