// A chart as another Helm version reads it: values files and validation can differ.

import { defaultHelm } from '../core/helm-version.ts';
import { limitIn } from '../core/limits.ts';
import { decodeUtf8 } from '../go/utf8.ts';
import { GoError } from '../go/value.ts';
import type { Helm } from '../helm/helm.ts';
import type { Chart } from './chart.ts';
import { chartInvalid } from './load.ts';
import { checkName, isKnownVersion } from './metadata.ts';
import { readValues } from './values-file.ts';

/**
 * Returns a chart as a Helm version reads it; the chart itself if it was loaded for that version. Throws CHART_INVALID with the message of
 * that version.
 */
export function reloadFor(chart: Chart, helm: Helm): Chart {
  if (isReadBy(chart, helm)) return chart;
  try {
    const isRefused = helm.charts.detectsVersion && !isKnownVersion(chart.metadata.apiVersion);
    if (isRefused) throw new GoError('unsupported chart version', { place: { file: 'Chart.yaml' } });
    return readTree(chart, helm);
  } catch (error) {
    if (error instanceof GoError) throw chartInvalid(error);
    throw error;
  }
}

function isReadBy({ readBy = defaultHelm }: Chart, helm: Helm): boolean {
  return readBy === helm.name;
}

function readTree(chart: Chart, helm: Helm): Chart {
  checkName(chart.metadata.name, helm.charts.refusedNames);
  const children = chart.children.map((child) => readTree(child, helm));
  return { ...chart, values: valuesFor(chart, helm), children, readBy: helm.name };
}

function valuesFor(chart: Chart, helm: Helm): Chart['values'] {
  const { values, valuesData } = chart;
  if (valuesData === undefined || isReadBy(chart, helm)) return values;
  try {
    return readValues(decodeUtf8(valuesData), helm);
  } catch (error) {
    if (!(error instanceof GoError)) throw limitIn('values.yaml', error);
    const place = { ...error.place, file: 'values.yaml' };
    throw new GoError(`cannot load values.yaml: ${error.message}`, { cause: error, place, hint: error.hint });
  }
}
