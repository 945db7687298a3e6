// A line of Go's structured log, as Helm 4 writes it, without the time.
// Mirrors: Go, log/slog, text_handler.go, 1.26.

import { isSpace } from '../go/letters.ts';
import { quote } from '../go/number.ts';
import { isPrint, runeOf } from '../go/unicode.ts';

/** Formats a level, a message and attributes. */
export function slogLine(
  level: 'INFO' | 'WARN' | 'ERROR',
  message: string,
  pairs: Readonly<Record<string, string>> = {},
): string {
  const attributes = Object.entries({ msg: message, ...pairs }).map(
    ([name, text]) => `${name}=${needsQuotes(text) ? quote(text) : text}`,
  );
  return [`level=${level}`, ...attributes].join(' ');
}

function needsQuotes(text: string): boolean {
  if (text === '' || /[ "=]/.test(text)) return true;
  for (const char of text) if (isSpace(char) || char === '\ufffd' || !isPrint(runeOf(char))) return true;
  return false;
}
