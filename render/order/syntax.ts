// What is wrong with the text of an Order before it is looked at as one, in words that say how to mend it.

import {
  type Alias,
  type Document,
  type ErrorCode,
  isAlias,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Scalar,
  visit,
  type YAMLMap,
} from 'yaml';

/** A fault of syntax: where it starts in the text, what it is, how to mend it. */
export interface SyntaxFault {
  readonly offset: number;
  readonly message: string;
  readonly mend: string;
}

const words: Readonly<Partial<Record<ErrorCode, { readonly message?: string; readonly mend: string }>>> = {
  BAD_ALIAS: { mend: 'Name an anchor, or put the text in quotes.' },
  BAD_DQ_ESCAPE: { mend: 'Write a backslash twice, or use single quotes.' },
  BAD_INDENT: { mend: 'Close the bracket that is open here, or correct the indentation.' },
  BLOCK_AS_IMPLICIT_KEY: { mend: 'Indent what belongs below the key, or put the text in quotes: it holds ": ".' },
  MISSING_CHAR: { mend: 'Add the missing character, or put the text in quotes.' },
  MULTIPLE_DOCS: { message: 'the file holds more than one document', mend: 'Keep one Order to a file.' },
  TAB_AS_INDENT: { mend: 'Indent with blanks.' },
  UNEXPECTED_TOKEN: { mend: 'Remove it, or close what is open before it.' },
};

/** What helps where nothing better is known. */
export const syntaxMend = 'Mend the JSON or YAML syntax at this place.';

/** Gives the first fault that the parser found, or that reading the value would meet; undefined where there is none. */
export function findFault(document: Document.Parsed): SyntaxFault | undefined {
  const [error] = document.errors;
  if (error !== undefined) {
    const { message = error.message, mend = syntaxMend } = words[error.code] ?? {};
    return { offset: error.pos[0], message, mend };
  }
  return findKeyFault(document);
}

/** Gives the fault of an alias that names nothing. */
export function strayFault(alias: Alias): SyntaxFault {
  return { offset: startOf(alias), ...anchorFault(alias.source) };
}

/** Says that an alias names nothing that stands before it. */
export function anchorFault(name: string): Pick<SyntaxFault, 'message' | 'mend'> {
  return {
    message: `there is no anchor &${name} before its alias`,
    mend: 'Put the text in quotes if no alias is meant.',
  };
}

// The parser compares every key with every other, which takes a minute for a hundred thousand of them; and to it a key may be
// a collection, which JSON does not know: mostly a template's braces without quotes.
function findKeyFault(document: Document.Parsed): SyntaxFault | undefined {
  let found: SyntaxFault | undefined;
  visit(document, {
    Map: (_key, map: YAMLMap) => {
      const known = new Set<unknown>();
      for (const { key, value } of map.items) {
        const node = isAlias(key) ? key.resolve(document) : key;
        if (isCollection(node)) {
          found = { offset: startOf(key as Node), ...collectionFault };
          return visit.BREAK;
        }
        if (!isScalar(key)) continue;
        if (isMergeKey(key) && !canBeMerged(value, document)) {
          found = { offset: startOf(key), ...mergeFault };
          return visit.BREAK;
        }
        if (key.value !== '<<' && known.has(key.value)) {
          found = { offset: startOf(key), ...twinFault(key.value) };
          return visit.BREAK;
        }
        known.add(key.value);
      }
      return undefined;
    },
  });
  return found;
}

function isMergeKey({ value, type }: Scalar): boolean {
  return value === '<<' && type === 'PLAIN';
}

function canBeMerged(value: unknown, document: Document.Parsed): boolean {
  const source = isAlias(value) ? value.resolve(document) : value;
  const items = isSeq(source) ? source.items : [source];
  return items.every((item) => isMap(isAlias(item) ? item.resolve(document) : item));
}

/** Says that what shall be merged is no object. */
export const mergeFault: Pick<SyntaxFault, 'message' | 'mend'> = {
  message: 'what stands behind << is no object, nor a list of objects',
  mend: 'Name an anchor of an object there, or put << in quotes if it is a name.',
};

/** Says that a key is no text. */
export const collectionFault: Pick<SyntaxFault, 'message' | 'mend'> = {
  message: 'a list or an object stands where a key must be text',
  mend: 'Put a text that begins with "{" or "[" in quotes.',
};

/** Says that aliases bring too much. */
export const unfoldsFault: Pick<SyntaxFault, 'message' | 'mend'> = {
  message: 'aliases of aliases unfold to more than can be read',
  mend: 'Write out what the aliases stand for.',
};

/** Says that a key stands in an object a second time, and how to mend it. */
export function twinFault(key: unknown): Pick<SyntaxFault, 'message' | 'mend'> {
  const message = `the key ${JSON.stringify(typeof key === 'boolean' ? String(key) : key)} stands here a second time`;
  const isWord = /^(?:true|false)$/.test(String(key));
  const word = isWord ? ' YAML takes y, yes and on for true, n, no and off for false: put a name in quotes.' : '';
  return { message, mend: `Remove one of the two.${word}` };
}

function startOf(node: Node): number {
  return node.range?.[0] ?? 0;
}
