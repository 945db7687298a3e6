// Checks that explanations are complete: replaces default values with words, and each output line with a word must name its value.

import type { Chart } from '../../../render/chart/chart.ts';
import { RenderError } from '../../../render/core/errors.ts';
import type { Steps } from '../../../render/core/paths.ts';
import { type RenderedRelease, runInstall } from '../../../render/engine/release.ts';
import type { GoMap } from '../../../render/go/value.ts';
import { createTrace } from '../../../render/provenance/origins/propagation.ts';
import { type ExplainedPart, explainLine } from '../../../render/provenance/trace/explain.ts';
import { type ValueTable, valuesOfRelease } from '../../../render/provenance/trace/values.ts';
import type { Trace } from '../../../render/template/trace.ts';
import { copyValue } from '../../../render/values/lookup.ts';
import { evenly, orRenderError, repeatableHost, replaceAt, textLeaves } from './tools.ts';

/** The results for a chart. */
export interface RecallResult {
  /** The number of strings that were replaced with a word. */
  readonly leaves: number;
  /** The number of words in the output. */
  readonly words: number;
  /** The number of lines that contain them. */
  readonly lines: number;
  /** Lines that do not name the value. */
  readonly missed: readonly string[];
  /** Whether the traced rendering equals the untraced one. */
  readonly isSame: boolean;
}

/** A unique word in place of a string. */
interface Planted {
  readonly steps: Steps;
  readonly word: string;
}

/** The number of words in one rendering. If it fails, each half is tried separately. */
const batchSize = 8;

/** Replaces a number of strings in a chart's defaults, evenly spread. */
export function checkRecall(chart: Chart, count: number): RecallResult {
  const plain = render(chart, copyValue(chart.values), undefined);
  const traced = render(chart, copyValue(chart.values), createTrace());
  const isSame = plain.manifests.every(({ content }, at) => content === traced.manifests[at]?.content);
  const planted = evenly(textLeaves(chart.values), count).map((steps, at) => ({ steps, word: `zq${at}dockzq` }));
  const sums = { leaves: 0, words: 0, lines: 0 };
  const missed: string[] = [];
  for (const group of spread(planted)) {
    for (const found of tryWords(chart, group)) {
      sums.leaves++;
      sums.words += found.lines > 0 ? 1 : 0;
      sums.lines += found.lines;
      missed.push(...found.missed.map((line) => `${found.steps.join('.')}: ${line}`));
    }
  }
  return { ...sums, missed, isSame };
}

// Neighbors are in different groups, because one replaced value often hides the next.
function spread(planted: readonly Planted[]): Planted[][] {
  const count = Math.ceil(planted.length / batchSize);
  return Array.from({ length: count }, (_, group) => planted.filter((_one, at) => at % count === group));
}

function render(chart: Chart, values: GoMap, trace: Trace | undefined): RenderedRelease {
  return runInstall(chart, { values, host: repeatableHost(), trace, skipSchemaValidation: true });
}

interface Found {
  readonly steps: Steps;
  readonly lines: number;
  readonly missed: readonly string[];
}

function tryWords(chart: Chart, group: readonly Planted[]): readonly Found[] {
  const values = copyValue(chart.values);
  for (const { steps, word } of group) replaceAt(values, steps, () => word);
  const trace = createTrace();
  const release = orRenderError(() => render(chart, values, trace));
  if (release instanceof RenderError) {
    if (group.length === 1) return [];
    const half = Math.ceil(group.length / 2);
    return [...tryWords(chart, group.slice(0, half)), ...tryWords(chart, group.slice(half))];
  }
  const table = valuesOfRelease({ ...release, trace }, { chart, user: () => [], objects: () => [] });
  return group.map((one) => findWord(one, trace, table));
}

function findWord({ steps, word }: Planted, { files }: Trace, values: ValueTable): Found {
  const missed: string[] = [];
  let lines = 0;
  for (const [path, traced] of files) {
    if (!traced.text.includes(word)) continue;
    for (const [at, line] of traced.text.split('\n').entries()) {
      if (!line.includes(word)) continue;
      lines++;
      const parts = explainLine(traced, at + 1, values).filter((part) => part.text.includes(word));
      const isNamed = (part: ExplainedPart): boolean =>
        part.values.some((value) => value.how === 'exact' && isSame(value.steps, steps));
      if (parts.length === 0 || !parts.every(isNamed)) missed.push(`${path}:${at + 1}: ${line.trim().slice(0, 120)}`);
    }
  }
  return { steps, lines, missed };
}

// A global value has the same path in every chart.
function isSame(found: Steps, wanted: Steps): boolean {
  const ownOf = (steps: Steps): string => steps.slice(Math.max(steps.indexOf('global'), 0)).join('.');
  return ownOf(found) === ownOf(wanted);
}
