// Finds an object of a manifest that contains what a test expects, or the differences of the nearest one.

import { plainValue } from '../codec/plain.ts';
import { parseYamlExact } from '../codec/yaml/parse.ts';
import { diffObjects } from '../diff/difference.ts';
import { differenceText } from '../diff/text.ts';
import { splitManifests } from '../manifest/split.ts';
import type { JsonObject, JsonValue } from '../order/order.ts';
import { isObject, memberOf, objectAt, textAt } from '../order/shape.ts';

/** Returns the objects of a manifest as JSON. Throws GoError for a document that is not YAML. */
function objectsIn(manifest: string): readonly JsonObject[] {
  return splitManifests(manifest)
    .map((document) => plainValue(parseYamlExact(document)))
    .filter(isObject);
}

/** Returns why no object contains the expected members; undefined if one does. */
export function missingIn(manifest: string, expected: JsonObject): string | undefined {
  const objects = objectsIn(manifest);
  if (objects.some((object) => holds(object, expected))) return undefined;
  const [nearest] = objects
    .map((object) => ({ object, likeness: likenessOf(object, expected) }))
    .sort((a, b) => b.likeness - a.likeness);
  if (nearest === undefined || nearest.likeness === 0) {
    const names = objects.map(nameOf);
    return `no object is like it; there are: ${names.length === 0 ? 'none' : names.join(', ')}`;
  }
  const { object } = nearest;
  const difference = diffObjects(
    { documents: JSON.stringify(object) },
    { documents: JSON.stringify(laid(expected, object)) },
    { all: true },
  );
  return `the nearest is ${nameOf(object)}; it would have to change so:\n\n${differenceText(difference)}`;
}

// Every item of an expected list must match a different item, in any position.
function holds(actual: JsonValue | undefined, expected: JsonValue): boolean {
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual)) return false;
    const left = [...actual];
    return expected.every((item) => {
      const at = left.findIndex((other) => holds(other, item));
      if (at >= 0) left.splice(at, 1);
      return at >= 0;
    });
  }
  if (!isObject(expected)) return actual === expected;
  return isObject(actual) && Object.entries(expected).every(([key, value]) => holds(actual[key], value));
}

function nameOf(object: JsonObject): string {
  return `${textAt(object, 'kind')}/${textAt(objectAt(object, 'metadata'), 'name')}`;
}

// One of the same kind, if a kind is specified; among those, one with the same name.
function likenessOf(object: JsonObject, expected: JsonObject): number {
  if (expected.kind !== undefined && expected.kind !== object.kind) return 0;
  const [wanted, own] = [expected, object].map((one) => memberOf(objectAt(one, 'metadata'), 'name'));
  const isNamed = wanted !== undefined && wanted === own;
  const held = Object.entries(expected).filter(([key, value]) => holds(object[key], value));
  return 1 + held.length + (isNamed ? 1000 : 0);
}

// The object with the expected members merged into it. List items are matched by name, or else by index.
function laid(expected: JsonValue, actual: JsonValue | undefined): JsonValue {
  if (Array.isArray(expected)) {
    const items = Array.isArray(actual) ? [...actual] : [];
    expected.forEach((item, i) => {
      if (items.some((other) => holds(other, item))) return;
      const name = isObject(item) ? memberOf(item, 'name') : undefined;
      const isSame = (other: JsonValue): boolean => isObject(other) && memberOf(other, 'name') === name;
      const same = name === undefined ? i : items.findIndex(isSame);
      const at = same >= 0 && same < items.length ? same : items.length;
      items[at] = laid(item, items[at]);
    });
    return items;
  }
  if (!isObject(expected)) return expected;
  const base = isObject(actual) ? actual : {};
  const members = Object.entries(expected).map(([key, value]) => [key, laid(value, memberOf(base, key))]);
  return { ...base, ...Object.fromEntries(members) };
}
