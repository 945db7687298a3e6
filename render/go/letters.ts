// Go's unicode package for single characters: classes and simple case mappings (JavaScript's are the full ones).
// Mirrors: Go 1.23, unicode/{letter,digit,graphic,casetables}.go.

import { isPrint } from './unicode.ts';

// Unicode classes are written where they are used, because V8 expands them on first use.

/** Reports whether the character is white space (Unicode's White_Space: U+0085 and U+00A0 are, U+FEFF is not). */
export function isSpace(char: string): boolean {
  const code = char.charCodeAt(0);
  return code < 128 ? code === 32 || (code >= 9 && code <= 13) : /^\p{White_Space}$/u.test(char);
}

/** Reports whether the character is an upper-case letter (Lu). */
export function isUpper(char: string): boolean {
  const code = char.charCodeAt(0);
  return code < 128 ? code >= 65 && code <= 90 : /^\p{Lu}$/u.test(char) && isKnown(char);
}

/** Reports whether the character is a lower-case letter (Ll). */
export function isLower(char: string): boolean {
  const code = char.charCodeAt(0);
  // U+0295 was a lower-case letter until Unicode 17.
  return code < 128 ? code >= 97 && code <= 122 : code === 0x295 || (/^\p{Ll}$/u.test(char) && isKnown(char));
}

/** Reports whether the character is a title-case letter (Lt), such as `ǅ`. */
export function isTitle(char: string): boolean {
  return char.charCodeAt(0) >= 128 && /^\p{Lt}$/u.test(char) && isKnown(char);
}

/** Reports whether the character is a letter (L). */
export function isLetter(char: string): boolean {
  const code = char.charCodeAt(0);
  return code < 128 ? (code | 32) >= 97 && (code | 32) <= 122 : /^\p{L}$/u.test(char) && isKnown(char);
}

/** Reports whether the character is a decimal digit (Nd). */
export function isDigit(char: string): boolean {
  const code = char.charCodeAt(0);
  return code < 128 ? code >= 48 && code <= 57 : /^\p{Nd}$/u.test(char) && isKnown(char);
}

/** Returns where a run of letters (L), decimal digits (Nd) and underscores ends. */
export function lettersEnd(text: string, start: number): number {
  let at = start;
  for (const char of text.slice(start)) {
    if (char !== '_' && !isLetter(char) && !isDigit(char)) break;
    at += char.length;
  }
  return at;
}

/** Reports whether the character is a number of any kind (N). */
export function isNumberRune(char: string): boolean {
  const code = char.charCodeAt(0);
  return code < 128 ? code >= 48 && code <= 57 : /^\p{N}$/u.test(char) && isKnown(char);
}

/** Reports whether the character is punctuation (P). */
export function isPunct(char: string): boolean {
  return /^\p{P}$/u.test(char) && isKnown(char);
}

/** Returns the upper case of a character, always one character: `ß` stays `ß`. */
export function toUpper(char: string): string {
  const upper = char.toUpperCase();
  if (char.charCodeAt(0) < 128) return upper;
  if (isOneCodePoint(upper)) return ifKnown(upper, char);
  // The full mapping of a Greek letter with iota subscript is two letters, the simple one is its title case.
  return greekTitles.get(char) ?? char;
}

/** Returns the lower case of a character, always one character: `İ` becomes `i`. */
export function toLower(char: string): string {
  const lower = char.toLowerCase();
  if (char.charCodeAt(0) < 128) return lower;
  return char === '\u0130' ? 'i' : ifKnown(lower, char);
}

/** Returns the title case of a character: the upper case, except for digraphs and Georgian letters. */
export function toTitle(char: string): string {
  const isGeorgian = char >= '\u10d0' && char <= '\u10ff';
  return digraphTitles.get(char) ?? (isGeorgian ? char : toUpper(char));
}

function isOneCodePoint(text: string): boolean {
  return text.length === 1 || (text.length === 2 && (text.codePointAt(0) ?? 0) > 0xffff);
}

function ifKnown(mapped: string, char: string): string {
  return mapped === char || (isKnown(mapped) && isKnown(char)) ? mapped : char;
}

// Letters, numbers and punctuation are printable unless they are newer than Go's Unicode version.
function isKnown(char: string): boolean {
  return isPrint(char.codePointAt(0) ?? 0);
}

const digraphTitles = new Map(
  ['Ǆǅǆ', 'Ǉǈǉ', 'Ǌǋǌ', 'Ǳǲǳ'].flatMap((row) => [...row].map((char): [string, string] => [char, row.charAt(1)])),
);

const greekTitles = new Map<string, string>();
for (const first of [0x1f80, 0x1f90, 0x1fa0]) {
  for (let i = 0; i < 8; i++) greekTitles.set(String.fromCharCode(first + i), String.fromCharCode(first + i + 8));
}
for (const lower of [0x1fb3, 0x1fc3, 0x1ff3]) {
  greekTitles.set(String.fromCharCode(lower), String.fromCharCode(lower + 9));
}
