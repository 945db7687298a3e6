// When two values are equal for JSON Schema: numbers by value, whatever they were written as.
// Mirrors: github.com/santhosh-tekuri/jsonschema/v6, util.go, v6.0.2.

import { quoteJson } from '../../../codec/json.ts';
import { type GoValue, sortedEntries } from '../../../go/value.ts';
import { decimalText, isLaterNumber } from './numbers.ts';

/** Tells whether two values are equal. */
export function isEqual(a: GoValue, b: GoValue): boolean {
  if (typeof a === 'string' || typeof b === 'string') return a === b;
  return equalityText(a) === equalityText(b);
}

/** Says which items of a list are equal, if any are. */
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

/** What stands between values in a text of them. */
class Mark {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

// Gives a text that is the same for equal values. Values may nest deeper than calls can.
function equalityText(value: GoValue): string {
  const parts: string[] = [];
  const left: (GoValue | Mark)[] = [value];
  while (left.length > 0) {
    const item = left.pop() as GoValue | Mark;
    if (item instanceof Mark) parts.push(item.text);
    else if (typeof item === 'string') parts.push(quoteJson(item, false));
    else if (isLaterNumber(item)) parts.push(decimalText(item));
    else if (Array.isArray(item)) {
      left.push(new Mark(']'));
      for (let i = item.length - 1; i >= 0; i--) left.push(new Mark(','), item[i] as GoValue);
      parts.push('[');
    } else if (item instanceof Map) {
      left.push(new Mark('}'));
      for (const [key, member] of sortedEntries(item)) {
        left.push(new Mark(','), member, new Mark(`${quoteJson(key, false)}:`));
      }
      parts.push('{');
    } else parts.push(String(item));
  }
  return parts.join('');
}
