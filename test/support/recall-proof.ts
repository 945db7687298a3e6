// Proves that explanations miss nothing: a word in place of a default, and every line where it comes out names that default.

import type { Chart } from '../../render/chart/chart.ts';
import { RenderError } from '../../render/errors.ts';
import type { GoMap } from '../../render/go/value.ts';
import { seededHost } from '../../render/host.ts';
import { type RenderedRelease, renderRelease } from '../../render/release.ts';
import { Trace } from '../../render/template/trace.ts';
import { traceOf } from '../../render/trace/release-trace.ts';
import { copyValue } from '../../render/values/lookup.ts';
import { evenly, replaceAt, type Steps, textLeaves } from './text-leaves.ts';

/** What was found out about a chart. */
export interface RecallVerdict {
  /** How many words came out. */
  readonly words: number;
  /** How many lines they came out in. */
  readonly lines: number;
  /** Lines that do not name the value as one that stands there. */
  readonly missed: readonly string[];
  /** Whether the traced rendering gave the bytes of an untraced one. */
  readonly isSame: boolean;
}

const word = 'zqdrydockzq';

/** Tries at most so many texts of a chart's defaults, chosen evenly. */
export function proveRecall(chart: Chart, most: number): RecallVerdict {
  const plain = render(chart, copyValue(chart.values), undefined);
  const traced = render(chart, copyValue(chart.values), new Trace());
  const isSame = plain.manifests.every(({ content }, at) => content === traced.manifests[at]?.content);
  const missed: string[] = [];
  let words = 0;
  let lines = 0;
  for (const steps of evenly(textLeaves(chart.values), most)) {
    const found = tryWord(chart, steps);
    words += found.lines > 0 ? 1 : 0;
    lines += found.lines;
    missed.push(...found.missed.map((line) => `${chart.metadata.name}: ${steps.join('.')}: ${line}`));
  }
  return { words, lines, missed, isSame };
}

function render(chart: Chart, values: GoMap, trace: Trace | undefined): RenderedRelease {
  return renderRelease(chart, { values, host: seededHost(), trace, skipSchemaValidation: true });
}

function tryWord(chart: Chart, steps: Steps): { readonly lines: number; readonly missed: readonly string[] } {
  const values = copyValue(chart.values);
  replaceAt(values, steps, () => word);
  const trace = new Trace();
  const missed: string[] = [];
  let lines = 0;
  try {
    const release = render(chart, values, trace);
    const { files } = traceOf({ ...release, trace }, { chart, user: () => [], objects: () => [] });
    for (const { path, text, lines: explained } of files) {
      for (const [at, line] of text.split('\n').entries()) {
        if (!line.includes(word)) continue;
        lines++;
        const parts = explained[at]?.parts.filter((part) => part.text.includes(word)) ?? [];
        const isNamed = (part: (typeof parts)[number]): boolean =>
          part.values.some((value) => value.how === 'exact' && isSame(value.steps, steps));
        if (parts.length === 0 || !parts.every(isNamed)) missed.push(`${path}:${at + 1}: ${line.trim().slice(0, 120)}`);
      }
    }
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    return { lines: 0, missed: [] };
  }
  return { lines, missed };
}

// A global value stands below every chart.
function isSame(found: Steps, wanted: Steps): boolean {
  const ownOf = (steps: Steps): string => steps.slice(Math.max(steps.indexOf('global'), 0)).join('.');
  return ownOf(found) === ownOf(wanted);
}
