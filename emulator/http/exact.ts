// Numbers that JavaScript would round, kept as they were written: 64-bit integers, `1.0`, `1e400`. Such a number is a text with a
// mark before it while it is in the store, so that snapshots and files carry it as they carry any text.

import { isObject, type Json } from '../store/json.ts';
import type { Steps } from '../store/steps.ts';

// A character for private use, which no text of a caller has a reason to begin with.
const mark = '\uf8ff#';

/** Gives a number as JSON writes it: as a number where that writes the same, or else as a text with the mark. */
export function exactNumber(written: string): number | string {
  const number = Number(written);
  return String(number) === written ? number : mark + written;
}

/** Gives the value of a JSON text, which is known to be `value` when its numbers are rounded, with the digits of every number. */
export function keepDigits(text: string, value: Json): Json {
  const parts: string[] = [];
  let end = 0;
  for (const { 0: token, index } of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g)) {
    const exact = token.startsWith('"') ? token : exactNumber(token);
    if (typeof exact === 'number' || exact === token) continue;
    parts.push(text.slice(end, index), JSON.stringify(exact));
    end = index + token.length;
  }
  return end === 0 ? value : (JSON.parse(parts.join('') + text.slice(end)) as Json);
}

/** Writes JSON, with the numbers that `keepDigits` kept as they were written. */
export function writeExact(value: Json): string {
  const text = JSON.stringify(value);
  return text.includes(mark) ? text.replace(/"\uf8ff#(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)"/g, '$1') : text;
}

// Few, as each may be of megabytes.
const itemsPerStep = 16;

/** Writes JSON with long lists as `writeExact` does, in steps, as the bytes of its text and a newline. */
export function* writingExact(value: Json): Steps<Uint8Array> {
  const pieces: Uint8Array[] = [];
  const encoder = new TextEncoder();
  for (const piece of piecesOf(value)) {
    pieces.push(encoder.encode(piece));
    yield;
  }
  pieces.push(encoder.encode('\n'));
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

function* piecesOf(value: Json): Generator<string> {
  if (Array.isArray(value)) {
    yield '[';
    for (let at = 0; at < value.length; at += itemsPerStep) {
      yield `${at === 0 ? '' : ','}${writeExact(value.slice(at, at + itemsPerStep)).slice(1, -1)}`;
    }
    yield ']';
  } else if (isObject(value)) {
    let before = '{';
    for (const [name, inner] of Object.entries(value)) {
      yield `${before}${JSON.stringify(name)}:`;
      yield* piecesOf(inner);
      before = ',';
    }
    yield before === '{' ? '{}' : '}';
  } else {
    yield writeExact(value);
  }
}
