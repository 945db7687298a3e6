// Numbers that JavaScript would round, kept as they were written: 64-bit integers, `1.0`, `1e400`. Such a number is a text with a
// mark before it while it is in the store, so that snapshots and files carry it as they carry any text.

import type { Json } from '../store/json.ts';

// A character for private use, which no text of a caller has a reason to begin with.
const mark = '\uf8ff#';

/** Returns a number as JSON writes it: as a number where that writes the same, or else as a text with the mark. */
function exactNumber(written: string): number | string {
  const number = Number(written);
  return String(number) === written ? number : mark + written;
}

/** Returns the value of a valid JSON text with the digits of every number. `value` is the text parsed with rounded numbers. */
export function keepDigits(text: string, value: Json): Json {
  const parts: string[] = [];
  let end = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '"') {
      at = endOfString(text, at);
      continue;
    }
    number.lastIndex = at;
    const token = number.exec(text)?.[0];
    if (token === undefined) continue;
    const exact = exactNumber(token);
    if (typeof exact === 'string') {
      parts.push(text.slice(end, at), JSON.stringify(exact));
      end = at + token.length;
    }
    at += token.length - 1;
  }
  return end === 0 ? value : (JSON.parse(parts.join('') + text.slice(end)) as Json);
}

const number = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** Returns the index of the quote that closes the string which opens at `start`. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}

/** Writes JSON, with the numbers that `keepDigits` kept as they were written. */
export function writeExact(value: Json): string {
  const text = JSON.stringify(value);
  return text.includes(mark) ? text.replace(/"\uf8ff#(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)"/g, '$1') : text;
}
