// The origins of a release's texts as plain data: each template file, line by line.

import type { Chart } from '../../chart/chart.ts';
import { splitPath } from '../../core/paths.ts';
import type { GoMap } from '../../go/value.ts';
import type { Read, TracedText } from '../../template/origin.ts';
import type { MovedValues, Trace } from '../../template/trace.ts';
import { pathText } from '../../values/paths.ts';
import {
  type ExplainedCondition,
  type ExplainedPart,
  explainLeftOut,
  explainLine,
  explainSkipped,
  type SkippedBranch,
} from './explain.ts';
import { type Setter, type SettersOf, settersOf, toJsonValue } from './setters.ts';
import { type DecidedSubchart, decidedSubcharts } from './subcharts.ts';
import { createValueTable, type ValueTable } from './values.ts';

/** A line of a text with its explanation. */
export interface ExplainedLine {
  /** The line, from 1, in the template's output or in the explained object. */
  readonly line: number;
  readonly text: string;
  /** From left to right, without white space. */
  readonly parts: readonly ExplainedPart[];
}

/** A template file and its output. */
export interface TracedFile {
  /** The path starting with the chart's name: `web/templates/service.yaml`. */
  readonly path: string;
  /** Its whole output, before it is split into documents. */
  readonly text: string;
  /** All of its lines, computed on first use. */
  readonly lines: readonly ExplainedLine[];
  /** False conditions and empty lists for which nothing was written instead. */
  readonly leftOut: readonly ExplainedCondition[];
  /** These, and those for which the `else` branch was written, or vice versa. */
  readonly skipped: readonly SkippedBranch[];
}

/** The origins of a release's texts. */
export interface ReleaseTrace {
  /** The template files in execution order, including NOTES.txt. */
  readonly files: readonly TracedFile[];
  /** The sub-charts that values enable or disable, including disabled ones. */
  readonly subcharts: readonly DecidedSubchart[];
  /** Values tables that became `.Values`. */
  readonly moved: readonly MovedValues[];
  /** Returns every place that sets a value, the winning one first, for a path such as `image.tag`, or its steps. */
  setBy(path: string | readonly (string | number)[]): readonly Setter[];
}

/** The inputs of a release, for the places that set values. */
export interface TraceSources {
  /** The chart before its dependencies were processed. */
  readonly chart: Chart;
  /** The prefix of the chart's files in reports. Default: its name. */
  readonly folder?: string | undefined;
  /** Returns the places of the user. */
  readonly user: SettersOf;
  /** Returns the places that set an object other than values, such as `.Release.Name`; empty for `.Chart`. */
  readonly objects: (read: Read) => readonly Setter[];
}

/** A release whose trace is requested. */
export interface TracedOutcome {
  readonly chart: Chart;
  readonly values: GoMap;
  readonly trace: Trace;
}

/** Returns the table of the values that a release's explanations refer to. */
export function valuesOfRelease(
  { values, trace }: Pick<TracedOutcome, 'values' | 'trace'>,
  sources: TraceSources,
): ValueTable {
  const folder = sources.folder ?? sources.chart.metadata.name;
  return createValueTable({
    chart: sources.chart,
    values,
    moved: trace.moved,
    settersOf: settersOf(sources.chart, { folder, user: sources.user }),
    objectSetters: (read) => [...chartSetters(read, sources.chart, folder), ...sources.objects(read)],
  });
}

// `.Chart` and `.Files` are the chart's own files.
function chartSetters({ steps, chart = '', value }: Read, root: Chart, folder: string): Setter[] {
  const [object, name] = steps;
  if (object !== 'Chart' && (object !== 'Files' || name === undefined)) return [];
  const file = object === 'Chart' ? 'Chart.yaml' : name;
  const where = `${folder}${chart.slice(root.metadata.name.length)}/${file}`;
  return [{ kind: 'chart', where, path: `.${pathText(steps)}`, value: toJsonValue(value ?? null) }];
}

/** Returns the trace of a release as plain data. */
export function traceOf(outcome: TracedOutcome, sources: TraceSources): ReleaseTrace {
  const values = valuesOfRelease(outcome, sources);
  const folder = sources.folder ?? sources.chart.metadata.name;
  const subcharts = decidedSubcharts(sources.chart, folder, values);
  const around = (path: string): ExplainedCondition[] =>
    subcharts.filter((one) => path.startsWith(`${one.path}/`)).map(({ condition }) => condition);
  return {
    files: [...outcome.trace.files].map(([path, text]) => fileOf(path, text, { values, around: around(path) })),
    subcharts,
    moved: outcome.trace.moved,
    setBy: (path) => values.settersOf(typeof path === 'string' ? splitPath(path) : path),
  };
}

function fileOf(
  path: string,
  traced: TracedText,
  { values, around }: { readonly values: ValueTable; readonly around: readonly ExplainedCondition[] },
): TracedFile {
  const partsOf = (line: number): ExplainedPart[] => {
    const parts = explainLine(traced, line, values);
    return around.length === 0
      ? parts
      : parts.map((part) => ({ ...part, conditions: [...around, ...part.conditions] }));
  };
  let lines: readonly ExplainedLine[] | undefined;
  let leftOut: readonly ExplainedCondition[] | undefined;
  let skipped: readonly SkippedBranch[] | undefined;
  return {
    path,
    text: traced.text,
    get lines() {
      lines ??= traced.text.split('\n').map((text, at) => ({ line: at + 1, text, parts: partsOf(at + 1) }));
      return lines;
    },
    get leftOut() {
      leftOut ??= explainLeftOut(traced, values);
      return leftOut;
    },
    get skipped() {
      skipped ??= explainSkipped(traced, values);
      return skipped;
    },
  };
}
