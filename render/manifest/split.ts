// Splits a rendered file into documents.
// Mirrors: helm.sh/helm/v3/pkg/releaseutil, manifest.go, `SplitManifests`, v3.17.3; helm.sh/helm/v4/pkg/release/v1/util, manifest.go,
// v4.2.0 and v4.2.4.

import { trimSpace, trimStart } from '../go/trim.ts';
import type { Helm } from '../helm/helm.ts';

const separator = '---';

/**
 * Returns the documents of a text without empty ones. A separator is `---` at the start or after a newline; it need not fill its line. It
 * includes the surrounding white space or, with `lines kept`, only the spaces after it.
 */
export function splitManifests(text: string, form: Helm['documents'] = 'trimmed'): string[] {
  const keepsEnds = form !== 'trimmed';
  const trim = keepsEnds ? trimStart : trimSpace;
  const documents: string[] = [];
  for (const piece of form === 'lines kept' ? linePieces(trim(text)) : pieces(trim(text))) {
    // Helm 3 checks for emptiness before trimming: a piece of only Unicode white space remains as an empty document.
    if (keepsEnds ? trimSpace(piece) !== '' : piece !== '') documents.push(trim(piece));
  }
  return documents;
}

// Mirrors: `(?:^|\s*\n)---\s*`.
function* pieces(text: string): Generator<string> {
  let start = text.startsWith(separator) ? skipBlanks(text, separator.length) : 0;
  for (;;) {
    const newline = text.indexOf(`\n${separator}`, start);
    yield text.slice(start, newline < 0 ? undefined : beforeBlanks(text, newline, start));
    if (newline < 0) return;
    start = skipBlanks(text, newline + 1 + separator.length);
  }
}

// Mirrors: `(?m)^---[ \t]*`.
function* linePieces(text: string): Generator<string> {
  let start = 0;
  let at = text.startsWith(separator) ? 0 : text.indexOf(`\n${separator}`) + 1 || text.length;
  while (at < text.length) {
    yield text.slice(start, at);
    start = at + separator.length;
    while (text[start] === ' ' || text[start] === '\t') start++;
    at = text.indexOf(`\n${separator}`, start) + 1 || text.length;
  }
  yield text.slice(start);
}

// The white space of RE2's `\s`, without vertical tab and Unicode.
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
