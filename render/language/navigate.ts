// From a name to the others that mean the same: values, and named templates.

import { pathText, type Steps, startsWith } from '../values/paths.ts';
import type { ChartAnalysis } from './model.ts';
import type { Span } from './template-nodes.ts';
import type { FileSpan } from './texts.ts';

/** A place in a file of the chart. */
interface Place {
  readonly path: string;
  readonly offset: number;
}

function isAt({ path, offset }: Place): (span: FileSpan) => boolean {
  return (span) => span.path === path && span.start <= offset && offset <= span.end;
}

function isSame(a: Steps, b: Steps): boolean {
  return a.length === b.length && startsWith(a, b);
}

/** Returns the values whose name stands at a place, and the part of the text that is the name; undefined where none is. */
export function valuesAt(
  { keys, references }: ChartAnalysis,
  place: Place,
): (Span & { readonly values: readonly Steps[] }) | undefined {
  const key = keys.find(isAt(place));
  return key === undefined ? references.find(isAt(place)) : { ...key, values: [key.steps] };
}

/** Returns where what is named at a place is defined: the keys of a value, the nearest table around it, or a named template. */
export function definitionsOf(analysis: ChartAnalysis, place: Place): readonly FileSpan[] {
  const call = analysis.calls.find(isAt(place));
  if (call !== undefined) return analysis.definitions.filter(({ name }) => name === call.name);
  const found = valuesAt(analysis, place);
  return (found?.values ?? []).flatMap((steps) => {
    for (let length = steps.length; length > 0; length--) {
      const keys = analysis.keys.filter((key) => isSame(key.steps, steps.slice(0, length)));
      if (keys.length > 0) return keys;
    }
    return [];
  });
}

/** Returns every place that names the same value, or the same template, as a place does. */
export function referencesOf(analysis: ChartAnalysis, place: Place): readonly FileSpan[] {
  const name = [...analysis.calls, ...analysis.definitions].find(isAt(place))?.name;
  if (name !== undefined) return [...analysis.definitions, ...analysis.calls].filter((one) => one.name === name);
  const paths = new Set((valuesAt(analysis, place)?.values ?? []).map(pathText));
  if (paths.size === 0) return [];
  const keys = analysis.keys.filter(({ steps }) => paths.has(pathText(steps)));
  return [...keys, ...analysis.references.filter(({ values }) => values.some((steps) => paths.has(pathText(steps))))];
}
