// Numbers that JavaScript would round, kept as they were written: 64-bit integers, `1.0`, `1e400`. Such a number is a text with a
// mark before it while it is in the store, so that snapshots and files carry it as they carry any text.

import type { Json } from '../store/json.ts';
import { runSteps, type Steps } from '../store/steps.ts';

// A character for private use, which no text of a caller has a reason to begin with.
const mark = '\uf8ff#';

/** Gives the value of a JSON text, which is known to be `value` when its numbers are rounded, with the digits of every number. */
export function keepDigits(text: string, value: Json): Json {
  return runSteps(keepingDigits(text, value));
}

// How many texts and numbers are looked at in a step.
const tokensPerStep = 1000;

/** Gives the value as `keepDigits` does, in steps. */
export function* keepingDigits(text: string, value: Json): Steps<Json> {
  const parts: string[] = [];
  let [end, count] = [0, 0];
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g)) {
    if (++count % tokensPerStep === 0) yield;
    if (token.startsWith('"') || String(Number(token)) === token) continue;
    parts.push(text.slice(end, index), JSON.stringify(mark + token));
    end = index + token.length;
  }
  return end === 0 ? value : (JSON.parse(parts.join('') + text.slice(end)) as Json);
}

/** Writes JSON, with the numbers that `keepDigits` kept as they were written. */
export function writeExact(value: Json): string {
  const text = JSON.stringify(value);
  return text.includes(mark) ? text.replace(/"\uf8ff#(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)"/g, '$1') : text;
}
