// The seal of a package: what its chart and its values are, as digests, so that nothing else is rendered in their stead.

import type { Chart } from '../../chart/chart.ts';
import { digestBytes, digestChart } from '../../chart/digest.ts';
import { emitJson } from '../../codec/json.ts';
import { RenderError } from '../../core/errors.ts';
import { encodeUtf8 } from '../../go/utf8.ts';
import type { GoMap } from '../../go/value.ts';
import type { ChartSeal } from '../../order/order.ts';

/** Returns the seal of a chart with its values: the part of it that any copy of the chart can be checked by. */
export function sealOf(chart: Chart, values: GoMap): Pick<ChartSeal, 'content' | 'values'> {
  return { content: digestChart(chart), values: digestBytes(encodeUtf8(emitJson(values))) };
}

/** Checks a chart and its values against a seal. Throws CHART_INVALID, VALUES_INVALID. */
export function checkSeal(seal: ChartSeal | undefined, chart: Chart, values: GoMap): void {
  if (seal === undefined) return;
  const { name, version } = chart.metadata;
  const is = sealOf(chart, values);
  const hint = 'Use the pinned chart and values, or pin the Order again: `drydock pin ORDER`.';
  if (seal.content !== '' && seal.content !== is.content) {
    const message = `chart ${name} ${version} is not the one that the Order pins: it has ${is.content}`;
    throw new RenderError('CHART_INVALID', message, { member: 'seal.content', hint });
  }
  if (seal.values !== '' && seal.values !== is.values) {
    const message = `the values of chart ${name} ${version} are not those that the Order pins: they have ${is.values}`;
    throw new RenderError('VALUES_INVALID', message, { member: 'seal.values', hint });
  }
}
