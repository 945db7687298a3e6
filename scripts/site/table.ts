// Markdown tables and code spans of what is made from data.

/** Gives a table. Bars and line breaks in cells are made harmless. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll(/\s*\n\s*/g, ' ')).join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

/** Gives a text as a code span; empty stays empty. */
export function code(text: string): string {
  return text === '' ? '' : `\`${text}\``;
}
