// Values that a chart's values.schema.json names for a value: its enumeration, constant and examples.

import type { Chart } from '../chart/chart.ts';
import { parseJson } from '../codec/json.ts';
import { plainValue } from '../codec/plain.ts';
import { decodeUtf8 } from '../go/utf8.ts';
import { GoError } from '../go/value.ts';
import type { JsonValue } from '../order/order.ts';
import type { Steps } from '../values/paths.ts';
import { isJsonMap } from './edit.ts';

/** Returns what the schema names for a path; nothing where it has none, or names none. */
export function schemaWords({ schema }: Chart, path: Steps): JsonValue[] {
  if (schema === undefined) return [];
  let node = rootOf(schema);
  for (const step of path) {
    const inner = typeof step === 'number' ? member(node, 'items') : member(member(node, 'properties'), step);
    if (inner === undefined) return [];
    node = inner;
  }
  const lists = [member(node, 'enum'), member(node, 'examples')].filter(Array.isArray).flat() as JsonValue[];
  const constant = member(node, 'const');
  return constant === undefined ? lists : [constant, ...lists];
}

const roots = new WeakMap<Uint8Array, JsonValue>();

function rootOf(schema: Uint8Array): JsonValue {
  const known = roots.get(schema);
  if (known !== undefined) return known;
  const root = readJson(schema);
  roots.set(schema, root);
  return root;
}

function readJson(schema: Uint8Array): JsonValue {
  try {
    return plainValue(parseJson(decodeUtf8(schema))) as JsonValue;
  } catch (error) {
    if (error instanceof GoError) return null;
    throw error;
  }
}

function member(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isJsonMap(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
