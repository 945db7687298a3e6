// What a change of values does to objects, in a form that two versions of a chart can be compared by.

import type { JsonObject, JsonValue } from '../order/order.ts';

/** Fields and the texts they hold, each with how often there is one: `Deployment spec.replicas=3`. */
export type Fields = ReadonlyMap<string, number>;

/**
 * Returns the fields of objects. The names of objects and the places in lists are left out, for these differ from version to
 * version; a text of several lines counts line by line.
 */
export function fieldsOf(objects: readonly JsonObject[]): Fields {
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

/** A text that no chart has, by which a value is found in what a template made of it. */
export const marker = 'drydock-probe';

/**
 * Returns the effect of a probe from one rendering to another: the fields that contain its text, with the characters next to it, or, if
 * there are none, the fields that were removed (`-`) and added (`+`).
 */
export function effectOf(before: Fields, after: Fields, probe: JsonValue): ReadonlySet<string> {
  const marked = [...after.keys()].filter((field) => field.includes(marker));
  if (marked.length > 0) return new Set(marked.map((field) => placeIn(field, String(probe))));
  const effect = new Set<string>();
  for (const [field, count] of after) if (count > (before.get(field) ?? 0)) effect.add(`+${field}`);
  for (const [field, count] of before) if (count > (after.get(field) ?? 0)) effect.add(`-${field}`);
  return effect;
}

// The tag of an image has a colon in front, its repository one behind: both are in one field.
function placeIn(field: string, probe: string): string {
  const text = field.includes(probe) ? probe : marker;
  const at = field.indexOf(text);
  const around = [field[at - 1] ?? '', field[at + text.length] ?? ''].map((char) => (/\w/.test(char) ? 'w' : char));
  return `${field.slice(0, field.indexOf('='))} ${around.join(' ')}`;
}

/** Returns how much two effects have in common, from 0 to 1; 0 where either is none. */
export function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 || b.size === 0) return 0;
  const common = [...a].filter((field) => b.has(field)).length;
  return common / (a.size + b.size - common);
}
