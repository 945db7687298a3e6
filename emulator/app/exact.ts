// Numbers that JavaScript would round, kept as written: 64-bit integers, `1.0`, `1e400`. In the store such a number is a text with a
// marker, so that snapshots and files preserve it. A caller's text that begins with the marker gets another one before it.

import type { Json } from '../store/json.ts';

// A private-use character, with which hardly any text begins.
const mark = '\uf8ff#';

/** Returns a number as in JSON: as a number if that preserves it, or else as a text with the marker. */
function exactNumber(written: string): number | string {
  const number = Number(written);
  return String(number) === written ? number : mark + written;
}

/** Returns the value of a valid JSON text with all digits of its numbers. `value` is the text parsed with rounded numbers. */
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

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}

/** Formats JSON, with the numbers that `keepDigits` preserved. */
export function writeExact(value: Json): string {
  const text = JSON.stringify(value);
  if (!text.includes(mark)) return text;
  // An opening quote is at the start, or after what can precede a value or a name.
  const marked = /(?<![^[{,:])"\uf8ff#(?:(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)"|(?=\uf8ff#))/g;
  return text.replace(marked, (_, digits: string | undefined) => digits ?? '"');
}
