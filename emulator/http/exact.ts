// Numbers that JavaScript would round, kept as they were written: 64-bit integers, `1.0`, `1e400`. Such a number is a text with a
// mark before it while it is in the store, so that snapshots and files carry it as they carry any text.

import type { Json } from '../store/json.ts';

// A character for private use, which no text of a caller has a reason to begin with.
const mark = '\uf8ff#';

/** Gives the value of a JSON text, which is known to be `value` when its numbers are rounded, with the digits of every number. */
export function keepDigits(text: string, value: Json): Json {
  const exact = text.replace(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g, (token) =>
    token.startsWith('"') || String(Number(token)) === token ? token : JSON.stringify(mark + token),
  );
  return exact === text ? value : (JSON.parse(exact) as Json);
}

/** Writes JSON, with the numbers that `keepDigits` kept as they were written. */
export function writeExact(value: Json): string {
  const text = JSON.stringify(value);
  return text.includes(mark) ? text.replace(/"\uf8ff#(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)"/g, '$1') : text;
}
