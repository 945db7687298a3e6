// Settings that enable sub-charts that are disabled by default and vice versa; no template decides that.

import type { Chart } from '../chart/chart.ts';
import type { JsonObject } from '../order/order.ts';
import { withValue } from '../values/edit.ts';
import { type Steps, valueAtSteps } from '../values/paths.ts';

/** Returns values for each condition and tag of the dependencies of a chart and its sub-charts: enabled and disabled. */
export function dependencyValues(chart: Chart): JsonObject[] {
  return switchesOf(chart, [], {});
}

// `on` are the values that enable the enclosing charts.
function switchesOf(chart: Chart, place: Steps, on: JsonObject): JsonObject[] {
  return chart.metadata.dependencies.flatMap((dependency) => {
    const name = dependency.alias || dependency.name;
    const conditions = dependency.condition.split(',').filter((path) => path.trim() !== '');
    const switches = [
      ...conditions.map((path) => [...place, ...path.trim().split('.')]),
      ...dependency.tags.map((tag) => ['tags', tag]),
    ];
    // The first condition with a value decides, and conditions take precedence over tags.
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
