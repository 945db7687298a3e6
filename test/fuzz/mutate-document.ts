// Mutations of a rendered document: each changes one scalar or one line of a string.

import { type Document, isAlias, isMap, isScalar, isSeq, type Node, parseAllDocuments, type Scalar } from 'yaml';

/** A document with one change. */
export interface Mutation {
  readonly text: string;
  /** The path of the change in the document. */
  readonly steps: readonly (string | number)[];
  /** The kind of change, such as `integer` or `line of a string`. */
  readonly what: string;
  /** The new value. */
  readonly value: string;
}

/** Returns every mutation of a document, as functions that make them. */
export function mutationsOf(text: string): readonly (() => Mutation)[] {
  const document = parseDocument(text);
  if (document === undefined) return [];
  const isSecret = document.get('kind') === 'Secret';
  const mutations: (() => Mutation)[] = [];
  visit(document.contents as Node, [], (node, steps) => {
    const isData = isSecret && steps[0] === 'data' && steps.length === 2;
    const [from, to] = node.range!;
    const isBlock = node.type === 'BLOCK_LITERAL' || node.type === 'BLOCK_FOLDED';
    for (const { make, what } of isData ? changedData(node.value) : changedValues(node.value, node.source ?? '')) {
      mutations.push(() => {
        const value = make();
        const written = typeof value === 'string' ? JSON.stringify(value) : String(value);
        const rest = isBlock ? `\n${text.slice(to)}` : text.slice(to);
        return { text: `${text.slice(0, from)}${written}${rest}`, steps, what, value: String(value) };
      });
    }
  });
  return mutations;
}

function parseDocument(text: string): Document | undefined {
  const [document, ...more] = parseAllDocuments(text, { version: '1.1', uniqueKeys: false, logLevel: 'silent' });
  if (document === undefined || !('errors' in document) || more.length > 0 || document.errors.length > 0)
    return undefined;
  return isMap(document.contents) ? (document as Document) : undefined;
}

function visit(
  node: Node | null,
  steps: readonly (string | number)[],
  onScalar: (node: Scalar, steps: readonly (string | number)[]) => void,
): void {
  if (node === null || isAlias(node)) return;
  if (isMap(node))
    for (const { key, value } of node.items) visit(value as Node | null, [...steps, String(key)], onScalar);
  else if (isSeq(node))
    for (const [at, item] of node.items.entries()) visit(item as Node | null, [...steps, at], onScalar);
  // An empty node has no position in the text.
  else if (isScalar(node) && node.range && (node.source ?? '') !== '') onScalar(node, steps);
}

// Long enough not to be a common substring of random words.
const added = 'xyz';

interface Changed {
  readonly make: () => string | bigint | boolean;
  readonly what: string;
}

function changedValues(value: unknown, source: string): Changed[] {
  if (typeof value === 'boolean') return [{ make: () => !value, what: 'boolean' }];
  if (value === null) return [{ make: () => 'x', what: 'null' }];
  if (typeof value === 'number' || typeof value === 'bigint') {
    if (/^[-+]?\d+$/.test(source) && !/^[-+]?0\d/.test(source))
      return [{ make: () => BigInt(source) + 1n, what: 'integer' }];
    return [{ make: () => `x${source}`, what: 'number' }];
  }
  return typeof value === 'string' ? changedStrings(value) : [];
}

function changedStrings(text: string): Changed[] {
  if (!text.trimEnd().includes('\n')) return [{ make: () => `${text}${added}`, what: 'string' }];
  const lines = text.split('\n');
  const changed = (at: number, line: string): string =>
    [...lines.slice(0, at), line, ...lines.slice(at + 1)].join('\n');
  const changes = lines.flatMap((line, at): Changed[] => {
    if (at === lines.length - 1 && line === '') return [];
    const comment = /^\s*[#;]/.test(line) ? 'comment in a string' : 'line of a string';
    return [
      { make: () => changed(at, `${line}${added}`), what: comment },
      { make: () => [...lines.slice(0, at), ...lines.slice(at + 1)].join('\n'), what: 'line removed from a string' },
    ];
  });
  return [...changes, ...changedEmbedded(text)];
}

// Changes the scalars of a document within a string.
function changedEmbedded(text: string): Changed[] {
  const isJson = /^\s*[[{]/.test(text);
  if (!isJson && !/^[\w"'-][^\n]*:(?: |\n)/m.test(text)) return [];
  return mutationsOf(text).map((make) => ({ make: () => make().text, what: 'scalar of an embedded document' }));
}

function changedData(value: unknown): Changed[] {
  if (typeof value !== 'string') return [];
  const bytes = Buffer.from(value, 'base64');
  const text = bytes.toString('utf8');
  if (!Buffer.from(text).equals(bytes)) {
    const make = (): string => Buffer.concat([bytes.subarray(0, -1), Buffer.of(bytes.at(-1)! ^ 1)]).toString('base64');
    return [{ make, what: 'bytes of a Secret' }];
  }
  return changedStrings(text).map(({ make, what }) => ({
    make: () => Buffer.from(String(make())).toString('base64'),
    what: `${what} of a Secret`,
  }));
}
