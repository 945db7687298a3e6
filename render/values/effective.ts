// Computes a package's values: chart defaults, then the values file of the chart, then the Order's `values`, then its `valuesPatch`. Every
// output of an Order uses this result.

import type { Chart } from '../chart/chart.ts';
import { readValues } from '../chart/values-file.ts';
import { RenderError } from '../core/errors.ts';
import { limitIn } from '../core/limits.ts';
import { deepEqual } from '../go/deep-equal.ts';
import { decodeUtf8 } from '../go/utf8.ts';
import { GoError, type GoMap, type GoValue, sortedKeys } from '../go/value.ts';
import type { Helm } from '../helm/helm.ts';
import { helmOf } from '../helm/versions.ts';
import type { ChartSelection } from '../order/order.ts';
import { copyValue, isTable } from './lookup.ts';
import { applyPatch, valueOfJson } from './patch.ts';

/** The values of a package of an Order. */
export interface EffectiveValues {
  /** The complete values of the root chart. A null in the Order removes a key of a sub-chart. */
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
  let values = copyValue(chart.values);
  if (selection.valuesFile !== '') layOver(values, readValuesFile(chart, selection.valuesFile, helm));
  layOver(values, valueOfJson(selection.values) as GoMap);
  if (selection.valuesPatch.length > 0) values = applyPatch(values, selection.valuesPatch);
  unsignZeros(values);
  const overlay = difference(chart.values, values);
  if (overlay.size === 0) restateDefault(chart, overlay);
  return { values, overlay };
}

// JSON and YAML read -0 as different numbers: an integer has no negative zero.
function unsignZeros(values: GoMap): void {
  const left: (GoMap | GoValue[])[] = [values];
  for (let value = left.pop(); value !== undefined; value = left.pop()) {
    for (const [key, item] of value.entries()) {
      if (item instanceof Map || Array.isArray(item)) left.push(item);
      else if (item !== 0) continue;
      else if (value instanceof Map) value.set(key as string, 0);
      else value[key as number] = 0;
    }
  }
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
  try {
    return readValues(decodeUtf8(file.data), helm);
  } catch (error) {
    if (!(error instanceof GoError)) throw limitIn(name, error);
    throw new RenderError('VALUES_INVALID', `${title}: failed to parse ${name}: ${error.message}`, {
      place: { file: name, ...error.place },
      cause: error,
      member: 'valuesFile',
      hint: 'Correct the YAML of the values file.',
    });
  }
}

// Merges like Helm's values files: tables merge, everything else replaces, nulls are kept. The layer is not shared.
function layOver(base: GoMap, layer: GoMap): void {
  const left: [base: GoMap, layer: GoMap][] = [[base, layer]];
  for (let pair = left.pop(); pair !== undefined; pair = left.pop()) {
    const [under, over] = pair;
    for (const [key, value] of over) {
      const below = under.get(key);
      if (isTable(below) && isTable(value)) left.push([below, value]);
      else under.set(key, value);
    }
  }
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
