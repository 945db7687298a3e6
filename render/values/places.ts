// Finds the file, line and column of a value that a schema refuses. Called only after rendering has failed.

import { type Chart, childPath } from '../chart/chart.ts';
import { findMember } from '../codec/yaml/places.ts';
import { type Issue, type Place, RenderError } from '../core/errors.ts';
import { decodeUtf8 } from '../go/utf8.ts';
import type { GoMap, GoValue } from '../go/value.ts';
import type { ValuesFile } from './user.ts';

/** The sources of the values. */
export interface ValuesSources {
  readonly chart: Chart;
  /** In order; later files override earlier ones. */
  readonly files: readonly ValuesFile[];
  /** Overrides without a place in a file: `values` and the `set` options. */
  readonly others: () => GoMap;
}

/** Returns an error with the places of its issues where they can be found; other errors unchanged. */
export function withPlaces(error: unknown, sources: ValuesSources): unknown {
  if (!(error instanceof RenderError) || error.code !== 'VALUES_INVALID' || error.place !== undefined) return error;
  const issues = error.issues.map((issue): Issue => ({ ...issue, place: placeOf(issue.path, sources) }));
  const { message, hint, cause } = error;
  return new RenderError(error.code, message, { issues, hint, cause, place: issues[0]?.place });
}

function placeOf(path: string, { chart, files, others }: ValuesSources): Place | undefined {
  const steps = path === '' ? [] : path.split('.');
  if (steps.length > 0 && holds(others(), steps)) return undefined;
  for (const { name, text } of files.toReversed()) {
    const { isWhole, ...place } = findMember(text, steps);
    if (isWhole) return { file: name, ...place };
  }
  return inChart(chart, chart.metadata.name, steps);
}

function holds(values: GoValue | undefined, [step, ...rest]: readonly string[]): boolean {
  if (step === undefined) return values !== undefined;
  if (values instanceof Map) return holds(values.get(step), rest);
  return Array.isArray(values) && holds(values[Number(step)], rest);
}

// The values.yaml of the chart comes before those of its sub-charts, whose sections it may contain.
function inChart(chart: Chart, path: string, steps: readonly string[]): Place | undefined {
  const { valuesData } = chart;
  const found = valuesData === undefined ? undefined : findMember(decodeUtf8(valuesData), steps);
  const place = found && { file: `${path}/values.yaml`, line: found.line, column: found.column };
  if (found?.isWhole === true) return place;
  const child = chart.children.find(({ metadata }) => metadata.name === steps[0]);
  return (child && inChart(child, childPath(path, child), steps.slice(1))) ?? place;
}
