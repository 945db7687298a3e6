// Fast paths for the most frequent lines of YAML, without tokens: `name:`, `- `, and a scalar that fills the rest of a line. Anything else
// is left to the full scanner; nothing fails here.

import { APOSTROPHE, BACKSLASH, COLON, HASH, LF, QUOTE, SPACE } from './chars.ts';
import type { YamlCursor } from './cursor.ts';
import { isString } from './scalar.ts';

// Classes of ASCII characters: 1 if valid in a simple name, 2 if also valid at its start; and whether it can start a plain scalar in any
// context.
const nameUnits = new Uint8Array(128);
const plainStarts = new Uint8Array(128);
for (let unit = 33; unit < 127; unit++) {
  const char = String.fromCharCode(unit);
  if (/[A-Za-z_/]/.test(char)) nameUnits[unit] = 2;
  else if (/[0-9.-]/.test(char)) nameUnits[unit] = 1;
  if (!'-?:,[]{}#&*!|>\'"%@`'.includes(char)) plainStarts[unit] = 1;
}

const longestName = 1000;

/** Reads `name:` before a space or the end of the line, if the name is a string; returns the name, or undefined. */
export function takeName(cursor: YamlCursor): string | undefined {
  const { text, pos } = cursor;
  if (nameUnits[text.charCodeAt(pos)] !== 2) return undefined;
  let end = pos + 1;
  while (nameUnits[text.charCodeAt(end)]! > 0) end++;
  if (text.charCodeAt(end) !== COLON || end - pos > longestName) return undefined;
  const next = text.charCodeAt(end + 1);
  if (next !== SPACE && next !== LF) return undefined;
  const name = text.slice(pos, end);
  if (!isString(name)) return undefined;
  cursor.pos = end + 1;
  return name;
}

/** Reads a quoted scalar that fills the rest of the line, without the line break. Returns its value, or undefined. */
export function takeQuoted(cursor: YamlCursor): string | undefined {
  const { text } = cursor;
  const quote = text.charCodeAt(cursor.pos);
  const start = cursor.pos + 1;
  let end = start;
  for (;;) {
    const unit = text.charCodeAt(end);
    if (unit === quote) break;
    if (unit < SPACE || unit > 126 || unit === BACKSLASH) return undefined;
    end++;
  }
  if (text.charCodeAt(end + 1) !== LF) return undefined;
  cursor.pos = end + 1;
  return text.slice(start, end);
}

/** Reads an ASCII plain scalar that fills the rest of the line, and the indentation of the next text. Returns its value, or undefined. */
export function takePlain(cursor: YamlCursor): string | undefined {
  const { text } = cursor;
  const start = cursor.pos;
  if (plainStarts[text.charCodeAt(start)] !== 1) return undefined;
  let end = start;
  for (;;) {
    const unit = text.charCodeAt(end);
    if (unit === LF) break;
    if (unit < SPACE || unit > 126) return undefined;
    if (unit === COLON) {
      const next = text.charCodeAt(end + 1);
      if (next === SPACE || next === LF) return undefined;
    } else if (unit === HASH && text.charCodeAt(end - 1) === SPACE) return undefined;
    end++;
  }
  const next = nextText(cursor, end);
  if (!next) return undefined;
  while (text.charCodeAt(end - 1) === SPACE) end--;
  return text.slice(start, end);
}

// Moves from a line break to the next line with text. It must not be deeper than the open collection, where the scalar would continue.
function nextText(cursor: YamlCursor, lineBreak: number): boolean {
  const { text } = cursor;
  let line = cursor.line;
  let lineStart = lineBreak;
  let at: number;
  let unit: number;
  do {
    line++;
    at = ++lineStart;
    do unit = text.charCodeAt(at++);
    while (unit === SPACE);
    at--;
    if (unit === LF) lineStart = at;
  } while (unit === LF);
  if (unit < SPACE || unit > 126 || at - lineStart > cursor.indent) return false;
  cursor.pos = at;
  cursor.line = line;
  cursor.lineStart = lineStart;
  return true;
}

/** Reports whether the code unit is a quotation mark. */
export function isQuote(unit: number): boolean {
  return unit === QUOTE || unit === APOSTROPHE;
}
