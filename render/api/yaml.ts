// Values and documents as YAML.

import { stringify } from 'yaml';
import { helmYaml } from '../codec/yaml/document-options.ts';
import { emitYaml } from '../codec/yaml/emit.ts';
import { checkArguments, either, jsonObject, listOf } from '../core/arguments.ts';
import { convertGoError } from '../core/catch.ts';
import { RenderError } from '../core/errors.ts';
import type { JsonObject } from '../order/order.ts';
import { valueOfJson } from '../values/patch.ts';

/**
 * Returns values as YAML, as Helm writes them: keys are sorted. Throws VALUES_INVALID for a text that YAML cannot hold, ARGUMENT_INVALID.
 * @example
 * const text = formatValues({ replicaCount: 2 }); // 'replicaCount: 2\n'
 */
export function formatValues(values: JsonObject): string {
  checkArguments('formatValues', ['values', values, jsonObject]);
  return convertGoError(
    () => emitYaml(valueOfJson(values)),
    (cause) => new RenderError('VALUES_INVALID', cause.message, { cause }),
  );
}

const documentArgument = either((value) => Array.isArray(value), listOf(jsonObject), jsonObject);

/**
 * Returns a document, such as an Order, as YAML. The order of keys is preserved, and texts that YAML 1.1 reads as another type are quoted.
 * Throws ARGUMENT_INVALID.
 */
export function formatDocument(document: object): string {
  checkArguments('formatDocument', ['document', document, documentArgument]);
  return stringify(document, { ...helmYaml, lineWidth: 0 });
}
