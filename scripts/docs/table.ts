// Formats Markdown tables and code spans.

/** Returns a table. Bars and line breaks in cells are escaped. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells
      .map((cell) =>
        plain(cell)
          .replaceAll('|', '\\|')
          .replaceAll(/\s*\n\s*/g, ' '),
      )
      .join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

/** Returns a text in which brackets outside code spans are not HTML elements. */
export function plain(cell: string): string {
  return cell
    .split(/(`[^`]*`)/)
    .map((part, at) => (at % 2 === 1 ? part : part.replaceAll('<', '&lt;')))
    .join('');
}

/** Returns a text as a code span; empty stays empty. */
export function code(text: string): string {
  return text === '' ? '' : `\`${text}\``;
}
