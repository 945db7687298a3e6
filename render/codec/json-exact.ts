// JSON with all digits of its numbers.

import { copyTree } from '../go/copy-tree.ts';
import { GoError, type GoValue, int64 } from '../go/value.ts';
import { isSameDecimal } from './decimal.ts';
import { JsonNumber, prefixOfJson } from './json.ts';

/**
 * Parses JSON: integers are `Int`, other numbers floats, and a number with more digits than either can represent is a `JsonNumber`. Throws
 * GoError.
 */
export function parseJsonExact(text: string): GoValue {
  const { value, text: read } = prefixOfJson(text, { keepNumbers: true });
  if (/[^ \t\r\n]/.test(text.slice(read.length))) throw new GoError('text after top-level value');
  return copyTree(value, (item) => (item instanceof JsonNumber ? exactValue(item) : item));
}

function exactValue(number: JsonNumber): GoValue {
  const { text } = number;
  if (/^-?\d{1,18}$/.test(text)) return int64(BigInt(text));
  const value = Number(text);
  return Number.isFinite(value) && isSameDecimal(text, String(value)) && !/^-?\d+$/.test(text) ? value : number;
}
