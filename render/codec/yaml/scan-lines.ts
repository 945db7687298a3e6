// The lines that most YAML is made of, taken without tokens: `name:`, `- `, and a scalar that fills the rest of a line.
// Anything less simple is left to the full scanner; nothing fails here.

import { APOSTROPHE, BACKSLASH, COLON, HASH, LF, QUOTE, SPACE } from './chars.ts';
import type { YamlCursor } from './cursor.ts';
import { isString } from './scalar.ts';

// For each character of ASCII: 1 when it may stand in a simple name, 2 when it may begin one as well;
// and whether it may begin a plain scalar in any context.
const nameUnits = new Uint8Array(128);
const plainStarts = new Uint8Array(128);
for (let unit = 33; unit < 127; unit++) {
  const char = String.fromCharCode(unit);
  if (/[A-Za-z_/]/.test(char)) nameUnits[unit] = 2;
  else if (/[0-9.-]/.test(char)) nameUnits[unit] = 1;
  if (!'-?:,[]{}#&*!|>\'"%@`'.includes(char)) plainStarts[unit] = 1;
}

const longestName = 1000;

/** Takes `name:` before a space or the line's end, if the name is a string; gives the name, or undefined. */
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

/** Takes a quoted scalar that fills the rest of the line; the break stays. Returns its value, or undefined. */
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

/** Takes a plain scalar of ASCII that fills the rest of the line, with what indents the next text. Returns its value, or undefined. */
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

// From a line break goes to the next line that has a text. It must not be deeper than the open collection: the scalar would go on there.
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
