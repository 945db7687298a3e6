// Values on their way to Helm: one JSON document that YAML readers, Helm's among them, take for exactly the same values.

import { emitJson } from '../codec/json.ts';
import type { GoMap } from '../go/value.ts';

// Legal in JSON text, refused or folded by YAML readers.
const notInYaml = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

/** Gives values as JSON, indented, keys sorted, ending in a newline. */
export function formatValues(values: GoMap): string {
  const text = emitJson(values, { escapeHtml: false, indent: '  ' });
  return `${text.replace(notInYaml, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`;
}
