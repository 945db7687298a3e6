// Checks that reports of unread values are correct: changing one changes nothing, and no value that appears in the output is reported.

import type { Chart } from '../../../render/chart/chart.ts';
import { RenderError } from '../../../render/core/errors.ts';
import type { Steps } from '../../../render/core/paths.ts';
import { type RenderedRelease, runInstall } from '../../../render/engine/release.ts';
import type { GoMap, GoValue } from '../../../render/go/value.ts';
import { formatTemplate } from '../../../render/output/template.ts';
import { unreadPaths } from '../../../render/validation/checks/unread.ts';
import { copyValue } from '../../../render/values/lookup.ts';
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
  const falseClaims = falseClaimsOf('unread', own, {
    isChanged: (some) => textOf(chart, some) !== before,
    nameOf: (steps) => steps.join('.'),
  });
  let words = 0;
  for (const steps of evenly(textLeaves(chart.values), wordCount)) {
    const [appears, isReported] = tryWord(chart, steps);
    if (appears) words++;
    if (appears && isReported) falseClaims.push(`in the output: ${steps.join('.')}`);
  }
  return { replaced: own.length, words, falseClaims };
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
