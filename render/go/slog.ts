// Go's structured log.

import { isSpace } from './letters.ts';
import { quote } from './number.ts';
import { isPrint, runeOf } from './unicode.ts';

/**
 * Formats a line of Go's structured log without the time: a level, a message and attributes.
 * Mirrors: Go, log/slog, text_handler.go, 1.26.
 */
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
