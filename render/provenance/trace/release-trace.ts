// The origins of a release's texts as plain data: each template file, line by line.

import { type Chart, type Dependency, nilList } from '../../chart/chart.ts';
import { findMember } from '../../codec/yaml/places.ts';
import { type Steps, splitPath } from '../../core/paths.ts';
import { decodeUtf8 } from '../../go/utf8.ts';
import type { TracedText } from '../../template/origin.ts';
import type { MovedValues } from '../../template/trace.ts';
import { valueAtSteps } from '../../values/paths.ts';
import {
  type ExplainedCondition,
  type ExplainedPart,
  explainLeftOut,
  explainLine,
  explainSkipped,
  type SkippedBranch,
} from './explain.ts';
import type { Setter } from './setters.ts';
import { type TracedValues, type TraceSources, type ValueTable, valuesOfRelease } from './values.ts';

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
  /** The subcharts that values enable or disable, including disabled ones. */
  readonly subcharts: readonly DecidedSubchart[];
  /** Values tables that became `.Values`. */
  readonly moved: readonly MovedValues[];
  /** Returns every place that sets a value, the winning one first, for a path such as `image.tag`, or its steps. */
  setBy(path: string | readonly (string | number)[]): readonly Setter[];
}

export function traceOf(outcome: TracedValues, sources: TraceSources): ReleaseTrace {
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

// Explains why a subchart is enabled or disabled: the condition or tags of its dependency entry.

/** A subchart that values enable or disable. */
interface DecidedSubchart {
  /** Its path, such as `web/charts/cache`, with its alias if it has one. */
  readonly path: string;
  readonly isEnabled: boolean;
  /** What decided it: a place in the parent's Chart.yaml. */
  readonly condition: ExplainedCondition;
}

/** Returns the subcharts, at all levels, with a condition or tags; those of disabled ones are left out. */
function decidedSubcharts(chart: Chart, folder: string, values: ValueTable): DecidedSubchart[] {
  const found: DecidedSubchart[] = [];
  const visit = (one: Chart, path: string, at: { readonly steps: Steps; readonly folder: string }): void => {
    const { dependencies } = one.metadata;
    for (const child of one.children) {
      const { name } = child.metadata;
      // Its files are below its own name.
      const inside = (known: string): typeof at => {
        return { steps: [...at.steps, known], folder: `${at.folder}/charts/${name}` };
      };
      const entries = dependencies.filter((entry) => entry.name === name);
      if (entries.length === 0) visit(child, `${path}/charts/${name}`, inside(name));
      for (const entry of entries) {
        const known = entry.alias || name;
        const decision = decisionOf(entry, at.steps, values);
        if (decision !== undefined) {
          const place = placeOf(one, at.folder, { at: dependencies.indexOf(entry), member: decision.member });
          const condition = { ...place, text: decision.text, isElse: false, values: decision.values };
          found.push({ path: `${path}/charts/${known}`, isEnabled: decision.isEnabled, condition });
        }
        if (decision?.isEnabled !== false) visit(child, `${path}/charts/${known}`, inside(known));
      }
    }
  };
  if (chart.metadata.dependencies !== nilList) visit(chart, chart.metadata.name, { steps: [], folder });
  return found;
}

interface Decision extends Pick<ExplainedCondition, 'text' | 'values'> {
  readonly isEnabled: boolean;
  readonly member: 'condition' | 'tags';
}

// The first condition that is true or false decides; without one, a single enabled tag is enough.
function decisionOf({ name, alias, condition, tags }: Dependency, at: Steps, values: ValueTable): Decision | undefined {
  const read = (steps: Steps): ExplainedCondition['values'][number] =>
    values.explain({ root: 'Values', steps }, 'decides');
  const subchart = `the subchart ${alias || name}`;
  for (const path of condition.split(',').map((word) => word.trim())) {
    const steps = [...at, ...path.split('.')];
    const value = valueAtSteps(values.root, steps);
    if (typeof value !== 'boolean') continue;
    return { isEnabled: value, member: 'condition', text: `${subchart}, by its condition`, values: [read(steps)] };
  }
  const set = tags.filter((tag) => typeof valueAtSteps(values.root, ['tags', tag]) === 'boolean');
  if (set.length === 0) return undefined;
  return {
    isEnabled: set.some((tag) => valueAtSteps(values.root, ['tags', tag]) === true),
    member: 'tags',
    text: `${subchart}, by its tags`,
    values: set.map((tag) => read(['tags', tag])),
  };
}

function placeOf(
  { dependenciesData }: Chart,
  folder: string,
  { at, member }: { readonly at: number; readonly member: string },
): Omit<ExplainedCondition, 'text' | 'isElse' | 'values'> {
  if (dependenciesData === undefined) return { file: `${folder}/Chart.yaml`, line: 1, column: 1, source: '' };
  const { name, data } = dependenciesData;
  const text = decodeUtf8(data);
  const { line, column } = findMember(text, ['dependencies', String(at), member]);
  return { file: `${folder}/${name}`, line, column, source: text.split('\n')[line - 1] ?? '' };
}
