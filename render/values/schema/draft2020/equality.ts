// Equality of values in JSON Schema: numbers by value, not by notation.
// Mirrors: github.com/santhosh-tekuri/jsonschema/v6, util.go, v6.0.2.

import { quoteJson } from '../../../codec/json.ts';
import { type GoValue, sortedEntries } from '../../../go/value.ts';
import { decimalText, isDraft2020Number } from './numbers.ts';

/** Reports whether two values are equal. */
export function isEqual(a: GoValue, b: GoValue): boolean {
  if (typeof a === 'string' || typeof b === 'string') return a === b;
  return equalityText(a) === equalityText(b);
}

/** Returns the indexes of two equal items of a list, if any. */
export function checkDuplicates(items: readonly GoValue[]): string | undefined {
  const seen = new Map<string, number>();
  for (const [i, item] of items.entries()) {
    const text = equalityText(item);
    const first = seen.get(text);
    if (first !== undefined) return `items at ${first} and ${i} are equal`;
    seen.set(text, i);
  }
  return undefined;
}

// Returns the same text for equal values.
function equalityText(value: GoValue): string {
  if (typeof value === 'string') return quoteJson(value, { escapeHtml: false });
  if (isDraft2020Number(value)) return decimalText(value);
  if (Array.isArray(value)) return `[${value.map(equalityText).join()}]`;
  if (!(value instanceof Map)) return String(value);
  return `{${sortedEntries(value)
    .map(([key, member]) => `${quoteJson(key, { escapeHtml: false })}:${equalityText(member)}`)
    .join()}}`;
}
