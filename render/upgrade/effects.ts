// The effects of changed values on objects, in a form that can be compared between two versions of a chart.

import type { JsonObject, JsonValue } from '../order/order.ts';

/** Fields with their texts and counts: `Deployment spec.replicas=3`. */
export type ChangedFields = ReadonlyMap<string, number>;

/**
 * Returns the fields of objects, without the names of objects and list indexes, which differ between versions; a multi-line text counts
 * line by line.
 */
export function fieldsOf(objects: readonly JsonObject[]): ChangedFields {
  const fields = new Map<string, number>();
  const visit = (value: JsonValue, path: string): void => {
    if (Array.isArray(value)) for (const item of value) visit(item, `${path}[]`);
    else if (typeof value === 'object' && value !== null) {
      for (const [key, item] of Object.entries(value)) visit(item ?? null, `${path}.${key}`);
    } else {
      for (const line of typeof value === 'string' ? value.split('\n') : [JSON.stringify(value)]) {
        const field = `${path}=${line.trim()}`;
        fields.set(field, (fields.get(field) ?? 0) + 1);
      }
    }
  };
  for (const object of objects) visit(object, String(object.kind));
  return fields;
}

/** A text that no chart contains, to find a value in template output. */
export const marker = 'drydock-probe';

/**
 * Returns the effect of a probe between two renderings: the fields that contain its text, with adjacent characters, or, if there are none,
 * the removed (`-`) and added (`+`) fields.
 */
export function effectOf(before: ChangedFields, after: ChangedFields, probe: JsonValue): ReadonlySet<string> {
  const marked = [...after.keys()].filter((field) => field.includes(marker));
  if (marked.length > 0) return new Set(marked.map((field) => placeIn(field, String(probe))));
  const effect = new Set<string>();
  for (const [field, count] of after) if (count > (before.get(field) ?? 0)) effect.add(`+${field}`);
  for (const [field, count] of before) if (count > (after.get(field) ?? 0)) effect.add(`-${field}`);
  return effect;
}

// An image tag has a colon before it, a repository has one after it: both are in one field.
function placeIn(field: string, probe: string): string {
  const text = field.includes(probe) ? probe : marker;
  const at = field.indexOf(text);
  const around = [field[at - 1] ?? '', field[at + text.length] ?? ''].map((char) => (/\w/.test(char) ? 'w' : char));
  return `${field.slice(0, field.indexOf('='))} ${around.join(' ')}`;
}

/** Returns the similarity of two effects, from 0 to 1; 0 if one is empty. */
export function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 || b.size === 0) return 0;
  const common = [...a].filter((field) => b.has(field)).length;
  return common / (a.size + b.size - common);
}
