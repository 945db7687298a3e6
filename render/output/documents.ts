// Values and objects as text that YAML readers, including Helm's and kubectl's, read back unchanged.

import { emitJson } from '../codec/json.ts';
import { emitYaml } from '../codec/yaml/emit.ts';
import { orUndefined } from '../core/catch.ts';
import type { GoMap, GoValue } from '../go/value.ts';

// Valid in JSON, refused or folded by YAML readers.
const notInYaml = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

// A line break that sigs.k8s.io/yaml writes so that it is read back as a space.
const folded = '\u0085';

function holdsFolded(value: GoValue): boolean {
  const open: GoValue[] = [value];
  for (let item = open.pop(); item !== undefined; item = open.pop()) {
    if (typeof item === 'string' && item.includes(folded)) return true;
    if (item instanceof Map) for (const [key, member] of item) open.push(key, member);
    else if (Array.isArray(item)) for (const member of item) open.push(member);
  }
  return false;
}

/** Returns values as indented JSON with sorted keys and a final newline. */
export function formatValuesJson(values: GoMap): string {
  const text = emitJson(values, { escapeHtml: false, indent: '  ' });
  return `${text.replace(notInYaml, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`;
}

/** Returns an object as YAML, or as JSON (also valid YAML) if it contains characters that sigs.k8s.io/yaml cannot write or a merge key. */
export function formatObject(value: GoMap): string {
  const text = holdsFolded(value) ? undefined : orUndefined(() => emitYaml(value));
  return text === undefined || /^[ -]*<<:/m.test(text) ? formatValuesJson(value) : text;
}
