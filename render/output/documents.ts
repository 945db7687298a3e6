// Values and objects as text that YAML readers, Helm's and kubectl's among them, take for exactly what they are.

import { emitJson } from '../codec/json.ts';
import { emitYaml } from '../codec/yaml/emit.ts';
import { GoError, type GoMap, type GoValue } from '../go/value.ts';

// Legal in JSON text, refused or folded by YAML readers.
const notInYaml = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

// A line break of its own, which sigs.k8s.io/yaml writes so that it is read as a blank.
const folded = '\u0085';

function holdsFolded(value: GoValue): boolean {
  const open: GoValue[] = [value];
  for (let item = open.pop(); item !== undefined; item = open.pop()) {
    if (typeof item === 'string' ? item.includes(folded) : false) return true;
    if (item instanceof Map) for (const [key, member] of item) open.push(key, member);
    else if (Array.isArray(item)) for (const member of item) open.push(member);
  }
  return false;
}

/** Returns values as indented JSON with sorted keys and a final newline. */
export function formatValues(values: GoMap): string {
  const text = emitJson(values, { escapeHtml: false, indent: '  ' });
  return `${text.replace(notInYaml, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`;
}

/**
 * Returns an object as YAML, or as JSON, which is YAML too, if it holds characters that sigs.k8s.io/yaml
 * refuses to write or a key that would merge what is below it.
 */
export function formatObject(value: GoMap): string {
  const text = holdsFolded(value) ? undefined : yamlOf(value);
  return text === undefined || /^[ -]*<<:/m.test(text) ? formatValues(value) : text;
}

function yamlOf(value: GoMap): string | undefined {
  try {
    return emitYaml(value);
  } catch (error) {
    if (error instanceof GoError) return undefined;
    throw error;
  }
}
