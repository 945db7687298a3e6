// Formats counts and lists of names.

/** Returns a count with a noun, such as `1 file` or `2 files`. */
export function counted(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** Returns the plural of a noun, such as `policies` or `ingresses`. */
export function pluralOf(noun: string): string {
  if (/[^aeiou]y$/.test(noun)) return `${noun.slice(0, -1)}ies`;
  return /(?:s|x|ch)$/.test(noun) ? `${noun}es` : `${noun}s`;
}

/** Returns a list of names: the first ones, and how many more there are. */
export function listNames(names: readonly string[], most = 6): string {
  const rest = names.length - most;
  return rest < 2 ? names.join(', ') : `${names.slice(0, most).join(', ')} and ${rest} more`;
}

/** Returns a remark on further items that are not listed, such as ` (and 2 more)`; empty if there are none. */
export function andMore(count: number): string {
  return count > 0 ? ` (and ${count} more)` : '';
}

/** Returns the beginning of a text with an ellipsis, without splitting a character; a short text unchanged. */
export function cutText(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most).replace(/[\ud800-\udbff]$/, '')}…`;
}
