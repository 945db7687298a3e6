// Texts of an Order in YAML and script comments.

/** Returns a text that is safe in a comment: one line, no control characters, and no end of a block comment. */
export function commentText(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Surrogate}]+/gu, ' ').replaceAll('#>', '# >');
}
