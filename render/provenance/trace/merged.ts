// The values that templates received, each with the places that set it.

import type { JsonObject, JsonValue } from '../../order/order.ts';
import { leafPaths } from '../../values/edit.ts';
import { pathText, type Steps } from '../../values/paths.ts';
import type { Setter, SetterKind } from './setters.ts';

/** A value that templates received: a text, a number, a whole list, or an empty table. */
export interface MergedValue {
  /** For example `image.tag`; for a sub-chart, from the root chart. */
  readonly path: string;
  readonly steps: readonly (string | number)[];
  readonly value: JsonValue;
  /** Every place that sets it, the winning one first. */
  readonly setBy: readonly Setter[];
  /** Whether a user set it, rather than a chart. */
  readonly isGiven: boolean;
  /** Whether the user's value differs from the chart's default. */
  readonly isChanged: boolean;
}

const defaults: ReadonlySet<SetterKind> = new Set<SetterKind>(['chart', 'parent-chart', 'import-values']);

/** Returns values in order of their paths. Global values are listed once, where they are set, not in every sub-chart. */
export function mergedValues(values: JsonObject, setBy: (steps: Steps) => readonly Setter[]): MergedValue[] {
  return leafPaths(values).flatMap(({ steps, value }) => {
    const places = setBy(steps);
    if (steps.indexOf('global') > 0 && places[0]?.path.startsWith('global')) return [];
    const isGiven = places[0] !== undefined && !defaults.has(places[0].kind);
    const own = places.find(({ kind }) => defaults.has(kind));
    const isChanged = isGiven && JSON.stringify(own?.value) !== JSON.stringify(value);
    return [{ path: pathText(steps), steps, value, setBy: places, isGiven, isChanged }];
  });
}
