// CaseSettings that turn sub-charts on which are off by default, and off which are on: no template decides that.

import type { Chart } from '../chart/chart.ts';
import type { JsonObject } from '../order/order.ts';
import { withValue } from '../values/edit.ts';
import { type Steps, valueAtSteps } from '../values/paths.ts';

/** Returns values for each condition and tag of the dependencies of a chart and its sub-charts: with it on, and with it off. */
export function dependencyValues(chart: Chart): JsonObject[] {
  return switchesOf(chart, [], {});
}

// `on` are the values that turn on the charts around.
function switchesOf(chart: Chart, place: Steps, on: JsonObject): JsonObject[] {
  return chart.metadata.dependencies.flatMap((dependency) => {
    const name = dependency.alias || dependency.name;
    const conditions = dependency.condition.split(',').filter((path) => path.trim() !== '');
    const switches = [
      ...conditions.map((path) => [...place, ...path.trim().split('.')]),
      ...dependency.tags.map((tag) => ['tags', tag]),
    ];
    // The first condition that has a value decides, and all conditions go before tags.
    const [first] = [
      ...switches.filter((path) => valueAtSteps(chart.values, path.slice(place.length)) !== undefined),
      ...switches,
    ];
    const child = chart.children.find(({ metadata }) => metadata.name === dependency.name);
    const enabled = first === undefined ? on : withValue(on, first, true, {});
    const own = first === undefined ? [] : [enabled, withValue(on, first, false, {})];
    return [...own, ...(child === undefined ? [] : switchesOf(child, [...place, name], enabled))];
  });
}
