// Markdown for texts that may contain Markdown.

/** Returns a fence of backticks for a text: longer than any run of backticks in it, and at least `least`. */
export function backticksAround(text: string, least: number): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  return '`'.repeat(Math.max(longest + 1, least));
}
