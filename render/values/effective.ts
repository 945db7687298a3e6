// Computes a package's values: chart defaults, then the values file of the chart, then the Order's `values`, then its `valuesPatch`. Every
// output of an Order uses this result.

import type { Chart } from '../chart/chart.ts';
import { mergeMaps, readValues } from '../chart/values-file.ts';
import { convertGoError } from '../core/catch.ts';
import { RenderError } from '../core/errors.ts';
import { copyTree } from '../go/copy-tree.ts';
import { deepEqual } from '../go/deep-equal.ts';
import { decodeUtf8 } from '../go/utf8.ts';
import { type GoMap, sortedKeys } from '../go/value.ts';
import type { Helm } from '../helm/helm.ts';
import { helmOf } from '../helm/versions.ts';
import type { ChartSelection } from '../order/order.ts';
import { copyValue, isTable } from './lookup.ts';
import { applyPatch, valueOfJson } from './patch.ts';

/** The values of a package of an Order. */
export interface EffectiveValues {
  /** The complete values of the root chart. A null in the Order removes a key of a subchart. */
  readonly values: GoMap;
  /**
   * The overrides of the chart's defaults that lead to these values, for Helm. A removed key is a null. Helm interprets an empty document
   * as "the values of the last release", so if nothing differs one default is restated; the overrides are empty only if there is no simple
   * default to restate.
   */
  readonly overlay: GoMap;
}

/**
 * Returns the effective values of a chart for a Helm profile. Throws VALUES_INVALID if the values file is missing or not a YAML map, or if
 * a patch operation cannot be applied.
 */
export function effectiveValues(chart: Chart, selection: ChartSelection, helm: Helm = helmOf()): EffectiveValues {
  let merged = chart.values;
  if (selection.valuesFile !== '') merged = mergeMaps(merged, readValuesFile(chart, selection.valuesFile, helm));
  merged = mergeMaps(merged, valueOfJson(selection.values) as GoMap);
  if (selection.valuesPatch.length > 0) merged = applyPatch(merged, selection.valuesPatch);
  // JSON and YAML read -0 as different numbers: an integer has no negative zero.
  const values = copyTree(merged, (scalar) => (scalar === 0 ? 0 : scalar)) as GoMap;
  const overlay = difference(chart.values, values);
  if (overlay.size === 0) restateDefault(chart, overlay);
  return { values, overlay };
}

function readValuesFile(chart: Chart, name: string, helm: Helm): GoMap {
  if (name === 'values.yaml') return new Map();
  const file = chart.files.find((candidate) => candidate.name === name);
  const title = `chart ${chart.metadata.name} ${chart.metadata.version}`;
  if (file === undefined) {
    const others = chart.files
      .map((candidate) => candidate.name)
      .filter((name) => !name.includes('/') && name.includes('values') && /\.ya?ml$/.test(name));
    throw new RenderError('VALUES_INVALID', `${title} has no values file ${name}`, {
      member: 'valuesFile',
      hint:
        others.length === 0 ? 'The chart has values.yaml alone: leave valuesFile out.' : `It has ${others.join(', ')}.`,
    });
  }
  return convertGoError(
    () => readValues(decodeUtf8(file.data), helm),
    (error) =>
      new RenderError('VALUES_INVALID', `${title}: failed to parse ${name}: ${error.message}`, {
        place: { file: name, ...error.place },
        cause: error,
        member: 'valuesFile',
        hint: 'Correct the YAML of the values file.',
      }),
    name,
  );
}

// Helm merges the result over the same defaults again: equal parts are omitted, removed keys are null, and a list or a scalar is included
// entirely.
function difference(defaults: GoMap, values: GoMap): GoMap {
  const overlay: GoMap = new Map();
  for (const [key, value] of values) {
    const below = defaults.get(key);
    if (isTable(below) && isTable(value)) {
      const inner: GoMap = difference(below, value);
      if (inner.size > 0) overlay.set(key, inner);
    } else if (below === undefined || !deepEqual(below, value)) {
      overlay.set(key, value);
    }
  }
  for (const key of defaults.keys()) if (!values.has(key)) overlay.set(key, null);
  return overlay;
}

// The first simple default, which changes nothing else. Imported values override defaults and are overridden by the user's, so a chart with
// imports is left alone.
function restateDefault(chart: Chart, overlay: GoMap): void {
  if (chart.metadata.dependencies.some((dependency) => dependency.importValues.length > 0)) return;
  for (const [key, value] of firstPlain(chart.values)) overlay.set(key, value);
}

function firstPlain(defaults: GoMap): GoMap {
  const keys = sortedKeys(defaults);
  for (const key of keys) {
    const value = defaults.get(key) ?? null;
    if (value !== null && !isTable(value)) return new Map([[key, copyValue(value)]]);
  }
  for (const key of keys) {
    const value = defaults.get(key) ?? null;
    const inner: GoMap | undefined = isTable(value) ? firstPlain(value) : undefined;
    if (inner !== undefined && inner.size > 0) return new Map([[key, inner]]);
  }
  return new Map();
}
