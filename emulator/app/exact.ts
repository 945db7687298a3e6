// Numbers that JavaScript would round, kept as they were written: 64-bit integers, `1.0`, `1e400`. Such a number is a text with a
// mark before it while it is in the store, so that snapshots and files carry it as they carry any text. A text of a caller that begins
// with the mark gets another one before it.

import type { Json } from '../store/json.ts';

// A character for private use, which hardly any text of a caller begins with.
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
      const close = endOfString(text, at);
      if (beginsWithMark(text, at, close)) {
        parts.push(text.slice(end, at), JSON.stringify(mark + (JSON.parse(text.slice(at, close + 1)) as string)));
        end = close + 1;
      }
      at = close;
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

// The first character, unchanged or as an escape.
function beginsWithMark(text: string, open: number, close: number): boolean {
  if (text[open + 1] !== mark[0] && text[open + 1] !== '\\') return false;
  return /^(?:\uf8ff|\\uf8ff)(?:#|\\u0023)/i.test(text.slice(open + 1, Math.min(close, open + 13)));
}

/** Returns the index of the quote that closes the string which opens at `start`. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}

/** Writes JSON, with the numbers that `keepDigits` kept as they were written. */
export function writeExact(value: Json): string {
  const text = JSON.stringify(value);
  if (!text.includes(mark)) return text;
  // A quote that opens a text is at the start, or after what can stand before a value or a name.
  const marked = /(?<![^[{,:])"\uf8ff#(?:(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)"|(?=\uf8ff#))/g;
  return text.replace(marked, (_, digits: string | undefined) => digits ?? '"');
}
