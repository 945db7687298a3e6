// Functions that wrap, truncate or abbreviate texts. They count bytes, even within a character.
// Mirrors: Masterminds/goutils, stringutils.go and wordutils.go, v1.1.1.

import { isSpace } from '../go/letters.ts';
import { byteText, ofByteText } from '../go/utf8.ts';
import { type FuncMap, func } from '../go/value.ts';

export const wrappingFuncs: FuncMap = new Map([
  ['abbrev', func(['int', 'string'], (width, text) => (width < 4 ? text : abbreviate(text, 0, width)))],
  ['abbrevboth', func(['int', 'int', 'string'], abbreviateBoth)],
  ['initials', func(['string'], initials)],
  ['nospace', func(['string'], deleteSpace)],
  ['wrap', func(['int', 'string'], (width, text) => wrap(text, { width, newLine: '\n', breakWords: false }))],
  ['wrapWith', func(['int', 'string', 'string'], wrapWith)],
]);

function abbreviateBoth(left: number, right: number, text: string): string {
  return right < 4 || (left > 0 && right < 7) ? text : abbreviate(text, left, right);
}

function abbreviate(text: string, offset: number, width: number): string {
  return ofByteText(abbreviateBytes(byteText(text), offset, width));
}

function abbreviateBytes(bytes: string, offset: number, width: number): string {
  if (bytes.length <= width) return bytes;
  const start = Math.min(offset, bytes.length, bytes.length - (width - 3));
  if (start <= 4) return `${bytes.slice(0, width - 3)}...`;
  if (start + width - 3 < bytes.length) return `...${abbreviateBytes(bytes.slice(start), 0, width - 3)}`;
  return `...${bytes.slice(bytes.length - (width - 3))}`;
}

// Each byte is treated as a character, so the result is Latin-1 interpreted as Unicode.
function initials(text: string): string {
  let result = '';
  let starts = true;
  for (const byte of byteText(text)) {
    if (isSpace(byte)) starts = true;
    else if (starts) {
      result += byte;
      starts = false;
    }
  }
  return result;
}

function deleteSpace(text: string): string {
  const bytes = byteText(text);
  const kept = Array.from(bytes).filter((byte) => !isSpace(byte));
  return kept.length === bytes.length ? text : kept.join('');
}

interface WrapOptions {
  readonly width: number;
  readonly newLine: string;
  readonly breakWords: boolean;
}

function wrapWith(width: number, separator: string, text: string): string {
  return wrap(text, { width, newLine: separator === '' ? '\n' : separator, breakWords: true });
}

function wrap(text: string, options: WrapOptions): string {
  const newLine = byteText(options.newLine);
  return ofByteText(breakLines(byteText(text), { ...options, width: Math.max(1, options.width) }).join(newLine));
}

function breakLines(bytes: string, options: WrapOptions): string[] {
  const lines: string[] = [];
  let offset = 0;
  const breakAt = (end: number, next: number): void => {
    lines.push(bytes.slice(offset, end));
    offset = next;
  };
  while (bytes.length - offset > options.width) {
    const end = offset + options.width;
    const space = bytes.slice(offset, end + 1).lastIndexOf(' ') + offset;
    if (bytes.charAt(offset) === ' ') offset++;
    else if (space >= offset) breakAt(space, space + 1);
    else if (options.breakWords) breakAt(end, end);
    else {
      const next = bytes.indexOf(' ', end);
      if (next < 0) break;
      breakAt(next, next + 1);
    }
  }
  return [...lines, bytes.slice(offset)];
}
