// Trims Unicode white space.
// Mirrors: Go, strings, `TrimSpace` and `TrimLeftFunc`: U+0085 is removed, U+FEFF is not.

/** Returns the text without leading and trailing white space. */
export function trimSpace(text: string): string {
  const rest = trimStart(text);
  let end = rest.length;
  while (end > 0 && isSpaceAt(rest, end - 1)) end--;
  return rest.slice(0, end);
}

/** Returns the text without leading white space. */
export function trimStart(text: string): string {
  let start = 0;
  while (start < text.length && isSpaceAt(text, start)) start++;
  return text.slice(start);
}

function isSpaceAt(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  if (unit < 0x80) return unit === 0x20 || (unit >= 0x09 && unit <= 0x0d);
  return /^\p{White_Space}$/u.test(text.charAt(at));
}
