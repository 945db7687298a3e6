// Finds where an Order sets a value: the operations of its patch, its values, and its values file.

import type { Chart } from '../../chart/chart.ts';
import { joinPath } from '../../core/paths.ts';
import { deepEqual } from '../../go/deep-equal.ts';
import { decodeUtf8 } from '../../go/utf8.ts';
import type { GoMap } from '../../go/value.ts';
import type { PackageSelection, PatchOperation } from '../../order/order.ts';
import { effectiveValues } from '../../values/effective.ts';
import { valueOfJson } from '../../values/patch.ts';
import { pathText, type Steps, valueAtSteps } from '../../values/paths.ts';
import { fileSetters, type Setter, type SettersOf, toJsonValue } from './setters.ts';

/**
 * Returns a function that finds the places of a package's selection that set a value, the winning one first. `where` is a path in the
 * Order.
 */
export function orderSetters({ chart: chosen, path: at }: PackageSelection, chart: Chart): SettersOf {
  const member = joinPath(at, 'chart');
  const values = valueOfJson(chosen.values) as GoMap;
  const file = chart.files.find(({ name }) => name === chosen.valuesFile);
  const name = `${chart.metadata.name}/${chosen.valuesFile}`;
  const inFile = file === undefined ? undefined : fileSetters({ name, text: decodeUtf8(file.data) }, 'values-file');
  const states = new Map<number, GoMap>();
  // The values after a number of operations.
  const stateAfter = (count: number): GoMap => {
    const valuesPatch = chosen.valuesPatch.slice(0, count);
    const state = states.get(count) ?? effectiveValues(chart, { ...chosen, valuesPatch }).values;
    states.set(count, state);
    return state;
  };
  return (steps) => {
    const path = pathText(steps);
    const patches = chosen.valuesPatch.flatMap((operation, index): Setter[] => {
      if (operation.op === 'test') return [];
      const after = valueAtSteps(stateAfter(index + 1), steps);
      const before = valueAtSteps(stateAfter(index), steps);
      const isSame = after === before || (after !== undefined && before !== undefined && deepEqual(after, before));
      if (isSame && (after === undefined || !leadsTo(operation, steps))) return [];
      const where = joinPath(joinPath(member, 'valuesPatch'), index);
      return [{ kind: 'patch', where, path, value: toJsonValue(after ?? null) }];
    });
    const given = valueAtSteps(values, steps);
    const where = steps.reduce<string>(joinPath, joinPath(member, 'values'));
    const own: Setter[] = given === undefined ? [] : [{ kind: 'order', where, path, value: toJsonValue(given) }];
    return [...patches.reverse(), ...own, ...(inFile?.(steps) ?? []).map((setter) => ({ ...setter, path }))];
  };
}

function leadsTo({ op, path: pointer }: PatchOperation, steps: Steps): boolean {
  if (op === 'remove') return false;
  const tokens = pointer.split('/').slice(1);
  return tokens.every((token, at) => token.replaceAll('~1', '/').replaceAll('~0', '~') === String(steps[at]));
}
