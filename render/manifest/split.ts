// Step 5 of the walk, first half: a rendered file to its documents, kept in order.
// Mirrors: helm.sh/helm/v3/pkg/releaseutil, manifest.go, `SplitManifests`, v3.17.3.

import { trimSpace, trimStart } from '../go/trim.ts';

const separator = '---';

/**
 * Gives the documents of a text, without outer white space or, with `keepsEnds`, with that behind them, as in Helm 4, but
 * for a newline that a separator took. A separator is `---` at the very start or after a newline, together with the white
 * space around it; it need not fill its line. Empty documents are left out.
 */
export function splitManifests(text: string, keepsEnds = false): string[] {
  const trim = keepsEnds ? trimStart : trimSpace;
  const trimmed = trim(text);
  const documents: string[] = [];
  let start = trimmed.startsWith(separator) ? skipBlanks(trimmed, separator.length) : 0;
  for (;;) {
    const newline = trimmed.indexOf(`\n${separator}`, start);
    const piece = trimmed.slice(start, newline < 0 ? undefined : beforeBlanks(trimmed, newline, start));
    // Helm 3 asks for emptiness before it trims: a piece of Unicode blanks alone stays, as an empty document.
    if (keepsEnds ? trimSpace(piece) !== '' : piece !== '') documents.push(trim(piece));
    if (newline < 0) return documents;
    start = skipBlanks(trimmed, newline + 1 + separator.length);
  }
}

// The white space of the separator's regular expression: `\s` of RE2, which knows no vertical tab and no Unicode.
function isBlank(unit: number): boolean {
  return unit === 0x20 || unit === 0x0a || unit === 0x09 || unit === 0x0d || unit === 0x0c;
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (isBlank(text.charCodeAt(at))) at++;
  return at;
}

function beforeBlanks(text: string, from: number, floor: number): number {
  let at = from;
  while (at > floor && isBlank(text.charCodeAt(at - 1))) at--;
  return at;
}
