// Trims Unicode white space.
// Mirrors: Go, strings, `TrimSpace` and `TrimLeftFunc`: U+0085 is removed, U+FEFF is not.

import { isSpace } from './letters.ts';

/** Returns the text without leading and trailing white space. */
export function trimSpace(text: string): string {
  const rest = trimStart(text);
  let end = rest.length;
  while (end > 0 && isSpace(rest[end - 1]!)) end--;
  return rest.slice(0, end);
}

/** Returns the text without leading white space. */
export function trimStart(text: string): string {
  let start = 0;
  while (start < text.length && isSpace(text[start]!)) start++;
  return text.slice(start);
}
