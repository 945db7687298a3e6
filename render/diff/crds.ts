// What custom resource definitions among the objects say about custom resources: how lists merge, and which members are immutable.

import type { GoMap, GoValue } from '../go/value.ts';
import { member, textMember } from '../manifest/objects.ts';
import type { ListKind } from './lists.ts';

/** The schema at a path of a custom resource; null if there is none. */
export type CrdSchema = GoValue;

/** Returns the schema of a kind from the definitions among objects, the later ones first; null if there is none. */
export function schemaOf(definitions: readonly GoMap[], group: string, kind: string, version: string): CrdSchema {
  for (const definition of definitions.toReversed()) {
    const spec = member(definition, 'spec');
    if (textMember(spec, 'group') !== group || textMember(member(spec, 'names'), 'kind') !== kind) continue;
    const versions = member(spec, 'versions');
    const listed = Array.isArray(versions) ? versions : [];
    const found = listed.find((item) => textMember(item, 'name') === version) ?? listed[0] ?? null;
    const schema = member(member(found, 'schema'), 'openAPIV3Schema');
    return schema ?? member(member(spec, 'validation'), 'openAPIV3Schema');
  }
  return null;
}

/** Returns the schema of a member of a map. */
export function schemaOfMember(schema: CrdSchema, name: string): CrdSchema {
  return member(member(schema, 'properties'), name) ?? member(schema, 'additionalProperties');
}

/** Returns the merge strategy of a list in a schema, or undefined. */
export function listKindOf(schema: CrdSchema): ListKind | undefined {
  const type = textMember(schema, 'x-kubernetes-list-type');
  if (type === 'set') return { type, keys: [], isOrdered: false };
  if (type === 'atomic') return { type, keys: [], isOrdered: true };
  const keys = member(schema, 'x-kubernetes-list-map-keys');
  if (type !== 'map' || !Array.isArray(keys)) return undefined;
  return { type, keys: keys.map(String), isOrdered: false };
}

/** Reports whether a schema makes the member immutable: it has a rule that it equals its old value. */
export function isFixed(schema: CrdSchema): boolean {
  const rules = member(schema, 'x-kubernetes-validations');
  return (
    Array.isArray(rules) &&
    rules.some((rule) => /^\s*(?:self\s*==\s*oldSelf|oldSelf\s*==\s*self)\s*$/.test(textMember(rule, 'rule')))
  );
}
