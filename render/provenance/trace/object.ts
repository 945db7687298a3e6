// The lines of an object and its members, in the document and in its template's output.

import { type PlaceFinder, placeFinder } from '../../codec/yaml/places.ts';

interface KnownText {
  readonly content: string;
  readonly find: PlaceFinder;
  readonly lines: readonly string[];
}

// The members of one document, or of its two sides, are queried in a row.
const mostKnown = 4;
const known: KnownText[] = [];

function knownText(content: string): KnownText {
  const at = known.findIndex((one) => one.content === content);
  const found = known[at] ?? { content, find: placeFinder(content), lines: content.split('\n') };
  if (at >= 0) known.splice(at, 1);
  known.unshift(found);
  known.length = Math.min(known.length, mostKnown);
  return found;
}

/** Returns the first and the last line (from 1) of a member of a document, or undefined. */
export function memberLines(
  content: string,
  steps: readonly string[],
): readonly [first: number, last: number] | undefined {
  const { find, lines } = knownText(content);
  const { isWhole, line, column } = find(steps);
  if (!isWhole) return undefined;
  // The members of an entry are in the column of its first.
  const least = /-\s+$/.test(lines[line - 1]?.slice(0, column - 1) ?? '') ? column - 1 : column;
  let last = line;
  for (let at = line; at < lines.length; at++) {
    const text = lines[at]!;
    const indent = text.search(/\S/);
    // The entries of a list can be in the column of its key.
    const isInner = indent >= least || (indent === column - 1 && text.startsWith('-', indent) && !isItem(lines, line));
    if (indent >= 0 && !isInner) break;
    if (indent >= 0) last = at + 1;
  }
  return [line, last];
}

function isItem(lines: readonly string[], line: number): boolean {
  return !/:\s*(?:#.*)?$/s.test(lines[line - 1] ?? '');
}

/** Returns the line (from 1) of a template's output at which one of its documents starts. */
export function documentLine({ text }: { readonly text: string }, content: string): number {
  const finished = `\n${text.replaceAll('<no value>', '')}`;
  // A document starts with its first line, unless white space before it was removed.
  const whole = finished.indexOf(`\n${content}`);
  const at = whole >= 0 ? whole : Math.max(finished.indexOf(content) - 1, 0);
  return finished.slice(0, at + 1).split('\n').length - 1;
}
