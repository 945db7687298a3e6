// Markdown around texts that may contain Markdown.

/** Returns the backticks to put around a text as code: more than it has in a row, and at least `least`. */
export function backticksAround(text: string, least: number): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  return '`'.repeat(Math.max(longest + 1, least));
}
