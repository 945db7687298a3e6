// Values as YAML.

import { emitYaml } from '../codec/yaml/emit.ts';
import { checkArguments, jsonObject } from '../core/arguments.ts';
import type { JsonObject } from '../order/order.ts';
import { valueOfJson } from '../values/patch.ts';

/**
 * Returns values as YAML, as Helm writes them: keys are sorted. Throws ARGUMENT_INVALID.
 * @example
 * const text = formatValues({ replicaCount: 2 }); // 'replicaCount: 2\n'
 */
export function formatValues(values: JsonObject): string {
  checkArguments('formatValues', ['values', values, jsonObject]);
  return emitYaml(valueOfJson(values));
}
