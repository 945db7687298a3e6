// Definitions and references of values and named templates.

import { isSameSteps, pathText, type Steps } from '../values/paths.ts';
import type { ChartAnalysis } from './model.ts';
import type { TextSpan } from './template-nodes.ts';
import type { FileSpan } from './texts.ts';

/** A place in a file of the chart. */
export interface DocumentPlace {
  readonly path: string;
  readonly offset: number;
}

function isAt({ path, offset }: DocumentPlace): (span: FileSpan) => boolean {
  return (span) => span.path === path && span.start <= offset && offset <= span.end;
}

/** Returns the values that the name at a place refers to, and the span of the name, or undefined. */
export function valuesAtPlace(
  { keys, references }: ChartAnalysis,
  place: DocumentPlace,
): (TextSpan & { readonly values: readonly Steps[] }) | undefined {
  const key = keys.find(isAt(place));
  return key === undefined ? references.find(isAt(place)) : { ...key, values: [key.steps] };
}

/** Returns the definitions of the name at a place: the keys of a value, or of the nearest enclosing table, or a named template. */
export function definitionsAt(analysis: ChartAnalysis, place: DocumentPlace): readonly FileSpan[] {
  const call = analysis.calls.find(isAt(place));
  if (call !== undefined) return analysis.definitions.filter(({ name }) => name === call.name);
  const found = valuesAtPlace(analysis, place);
  return (found?.values ?? []).flatMap((steps) => {
    for (let length = steps.length; length > 0; length--) {
      const keys = analysis.keys.filter((key) => isSameSteps(key.steps, steps.slice(0, length)));
      if (keys.length > 0) return keys;
    }
    return [];
  });
}

/** Returns all references to the value or the named template at a place. */
export function referencesOf(analysis: ChartAnalysis, place: DocumentPlace): readonly FileSpan[] {
  const name = [...analysis.calls, ...analysis.definitions].find(isAt(place))?.name;
  if (name !== undefined) return [...analysis.definitions, ...analysis.calls].filter((one) => one.name === name);
  const paths = new Set((valuesAtPlace(analysis, place)?.values ?? []).map(pathText));
  if (paths.size === 0) return [];
  const keys = analysis.keys.filter(({ steps }) => paths.has(pathText(steps)));
  return [...keys, ...analysis.references.filter(({ values }) => values.some((steps) => paths.has(pathText(steps))))];
}
