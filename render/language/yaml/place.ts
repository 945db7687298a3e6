// The path at a position of a YAML text that is being typed.

import { isCollection, isMap, isNode, isPair, isScalar, isSeq, type Pair, parseAllDocuments, visit } from 'yaml';
import { helmYaml } from '../../codec/yaml/document-options.ts';
import { pairKey } from './parts.ts';

/** A place in a text: a name being written, or the value after one. */
export interface YamlPlace {
  /** `key` also stands for a single word on a line, which may become a name. */
  readonly kind: 'key' | 'value';
  /** For a key: the path of its parent. For a value: its own path. */
  readonly path: readonly (string | number)[];
  /** The whole word including quotes. */
  readonly word: string;
  /** Its range in the text. */
  readonly from: number;
  readonly to: number;
  /** Whether a colon follows a key. */
  readonly hasColon: boolean;
  /** Within braces or brackets: the other names in the same braces. */
  readonly taken?: readonly string[];
}

// A letter that no text contains. A scalar with it is at the cursor.
const mark = '\uE000';
// With `compat`, the package fails on braces that are not closed.
const options = { ...helmYaml, compat: null };

/** Returns the place at an offset; undefined in comments and multi-line texts. */
export function placeAt(text: string, at: number): YamlPlace | undefined {
  const base = startOfMember(text, at);
  const before = text.slice(base, at);
  // What follows the line does not change its path, and may not fit to it yet.
  const [rest = ''] = /^[^\n]*/.exec(text.slice(at)) ?? [];
  if (/(?:^|\n)[ \t]*$/.test(before) && /^(?:\s+\S|-\s|#)/.test(rest)) return undefined;
  const inserted = before.endsWith(':') && /^(?:\s|$)/.test(rest) ? ` ${mark}` : mark;
  const marked = before + inserted + rest;
  let place: YamlPlace | undefined;
  for (const document of parseAllDocuments(marked, options)) {
    visit(document, (role, node, parents) => {
      if (!isScalar(node)) return;
      const [start = 0, end = 0] = node.range ?? [];
      const source = marked.slice(start, end);
      const word = source.replace(mark, '').trim();
      if (!source.includes(mark) || /\n|^[[{|>&*!]/.test(word)) return;
      const range = { from: Math.min(base + start, at), to: base + end - inserted.length };
      place = { ...placeOf(role, start, parents, marked), ...range, word };
    });
  }
  return place;
}

// Returns the start of the member of the whole text that contains an offset, so that the members before it are not parsed.
function startOfMember(text: string, at: number): number {
  let start = text.slice(0, at).lastIndexOf('\n') + 1;
  while (start > 0 && /[\s#\]}-]/.test(text[start] ?? ' '))
    start = start < 2 ? 0 : text.lastIndexOf('\n', start - 2) + 1;
  return start;
}

function placeOf(
  role: unknown,
  start: number,
  parents: readonly unknown[],
  text: string,
): Pick<YamlPlace, 'kind' | 'path' | 'hasColon' | 'taken'> {
  const around = parents.findLast((parent) => isMap(parent) || isSeq(parent));
  const pair = parents.at(-1);
  const isName = isPair(pair) && role === 'key';
  const isBesideName = isPair(pair) && role === 'value' && !text.slice(endOfKey(pair), start).includes('\n');
  const path = parents.flatMap((parent, index): (string | number)[] => {
    const child = parents[index + 1];
    if (isSeq(parent)) return [child === undefined ? Number(role) : parent.items.indexOf(child)];
    return isPair(parent) && (parent !== pair || !isName) ? [pairKey(parent)] : [];
  });
  const isFlow = isCollection(around) && around.flow === true;
  const members = isMap(around) ? around.items : [];
  return {
    kind: isBesideName || (isFlow && !isName) ? 'value' : 'key',
    path,
    hasColon: isName && pair.value !== null,
    ...(isFlow && { taken: members.filter((member) => member !== pair).map(pairKey) }),
  };
}

function endOfKey({ key }: Pair): number {
  return isNode(key) ? (key.range?.[1] ?? 0) : 0;
}
