// Recognizes results of Helm that differ only because of go-yaml's handling of byte order marks: if its buffer begins with one, the
// first character of a line is skipped. Mirrors: go-yaml v2 (sigs.k8s.io/yaml 1.4.0), yamlprivateh.go, `is_bom`.

import { unquote } from '../../render/go/number.ts';
import { GoError } from '../../render/go/value.ts';
import { quoted } from './words.ts';

const literal = /"(?:\\.|[^"\\])*"|`[^`]*`/gs;
const lineBreak = /\r\n|[\n\r\u0085\u2028\u2029]/g;
const lineEnd = /[\n\r]$/;
// The maximum number of lines that are tried.
const maxLines = 40;

/**
 * Reports whether the result is `want` for a template in which some consecutive characters at the start of lines are replaced by a space: a
 * skipped character keeps its column, like a space.
 */
export function isSkippedMark(template: string, want: string, answer: (template: string) => string): boolean {
  if (!/fromYaml/i.test(template)) return false;
  for (const found of template.matchAll(literal)) {
    const text = unquoted(found[0]);
    if (!text?.includes('\ufeff')) continue;
    const templateWith = (other: string): string =>
      `${template.slice(0, found.index)}${quoted(other)}${template.slice(found.index + found[0].length)}`;
    for (const other of withSkips(text)) if (answer(templateWith(other)) === want) return true;
  }
  return false;
}

function unquoted(source: string): string | undefined {
  try {
    return unquote(source);
  } catch (error) {
    if (error instanceof GoError) return undefined;
    throw error;
  }
}

function* withSkips(text: string): Generator<string> {
  // The first mark is the encoding and not part of the text.
  const start = text.startsWith('\ufeff') ? 1 : 0;
  const starts = [start, ...[...text.matchAll(lineBreak)].map(({ 0: found, index }) => index + found.length)];
  const places = starts.filter((at) => at < text.length).slice(0, maxLines);
  for (let from = 0; from < places.length; from++) {
    for (let to = from + 1; to <= places.length; to++) {
      const some = new Set(places.slice(from, to));
      yield skipAt(text, some, false);
      yield skipAt(text, some, true);
    }
  }
}

// With `ends`, a comment ends the plain scalar of the previous line.
function skipAt(text: string, places: ReadonlySet<number>, ends: boolean): string {
  let result = '';
  for (let at = 0; at < text.length; at++) {
    const isEnd = places.has(at + 1) && lineEnd.test(text.slice(at - 1, at + 1));
    if (ends && isEnd) result = result.replace(/\r?$/, ' #$&');
    result += places.has(at) ? ' ' : text.charAt(at);
  }
  return result;
}
