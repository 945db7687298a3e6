// Before step 1: the text of an Order file to JSON, with the place of every member for error messages.
// The one file that knows the `yaml` package: it keeps positions, which the exact reader of codec/ does not.

import { isCollection, isMap, isNode, isScalar, Lexer, LineCounter, type Node, parseDocument } from 'yaml';
import { type Issue, type Place, RenderError } from '../errors.ts';
import { maxDepth } from './fields.ts';

/** Is the content of an Order file. */
export interface OrderText {
  /** The JSON value, not yet validated. */
  readonly value: unknown;
  /** Gives the place of a path such as `spec.packages[0].chart.name`, or of its nearest parent that exists. */
  placeOf(path: string): Place;
}

/**
 * Reads an Order in JSON or YAML. YAML is taken as Kubernetes takes it: version 1.1, `yes` and `on` are booleans.
 * Throws `ORDER_INVALID` with the place of the first syntax fault; duplicate keys are one, and nesting without end.
 */
export function readOrder(text: string, fileName: string): OrderText {
  const source = text.replace(/^\ufeff/, '');
  const lines = new LineCounter();
  const deep = findTooDeep(source);
  if (deep !== undefined) throw syntaxFault(`is nested more than ${maxDepth} levels deep`, { file: fileName, ...deep });
  const document = parseDocument(source, {
    version: '1.1',
    lineCounter: lines,
    prettyErrors: false,
    // Dates and binary stay text: JSON has neither.
    customTags: (tags) =>
      tags.filter((tag) => typeof tag === 'string' || !/timestamp|binary|set|omap|pairs/.test(String(tag.tag))),
  });
  const [fault] = document.errors;
  if (fault !== undefined) {
    const { line, col } = lines.linePos(fault.pos[0]);
    throw syntaxFault(fault.message, { file: fileName, line, column: col });
  }
  const placeAt = (node: Node | null | undefined): Place => {
    const { line, col } = lines.linePos(node?.range?.[0] ?? 0);
    return { file: fileName, line, column: col };
  };
  return {
    value: document.toJS({ maxAliasCount: 100 }) as unknown,
    placeOf: (path) => placeAt(nodeAt(document.contents, segmentsOf(path))),
  };
}

// The parser recurses, and dies of what is too deep; so the tokens are looked at before: brackets, and what opens several
// levels on one line, as in `- - - x`.
function findTooDeep(source: string): { line: number; column: number } | undefined {
  let brackets = 0;
  let openers = 0;
  let offset = 0;
  for (const token of new Lexer().lex(source)) {
    if (token === '{' || token === '[') brackets++;
    if (token === '}' || token === ']') brackets--;
    if (brackets === 0 && /^[-?:]$/.test(token)) openers++;
    else if (!/^[ \t]+$/.test(token)) openers = 0;
    if (brackets + openers > maxDepth) {
      const before = source.slice(0, offset);
      return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
    }
    // Marks of the lexer stand for nothing in the text.
    if (!/^[\x02\x18\x1f]$/.test(token)) offset += token.length;
  }
  return undefined;
}

/** Gives an issue as one line for a person: `FILE:LINE:COLUMN: error: PATH MESSAGE. MEND`. */
export function formatIssue(issue: Issue, place: Place): string {
  const where = [place.file, place.line, place.column].filter((part) => part !== undefined).join(':');
  const subject = issue.path === '' ? '' : `${issue.path}: `;
  return `${where}: ${issue.severity}: ${subject}${issue.message}${issue.mend === undefined ? '' : `. ${issue.mend}`}`;
}

function syntaxFault(message: string, place: Place): RenderError {
  const issue: Issue = { path: '', message, severity: 'error', mend: 'Mend the JSON or YAML syntax at this place.' };
  return new RenderError('ORDER_INVALID', message, { place, issues: [issue], mend: issue.mend as string });
}

/** Splits a path into its members: `a["b c"][0]` gives `a`, `b c`, `0`. */
function segmentsOf(path: string): string[] {
  const segments: string[] = [];
  for (const [, name, index, quoted] of path.matchAll(/([^.[\]]+)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/g)) {
    segments.push(quoted === undefined ? (name ?? index ?? '') : (JSON.parse(quoted) as string));
  }
  return segments;
}

// The key of a member where there is one (a fault is shown where it is named), the value otherwise.
function nodeAt(root: unknown, segments: readonly string[]): Node | null {
  let node: unknown = root;
  let found: Node | null = isNode(root) ? root : null;
  for (const segment of segments) {
    if (!isCollection(node)) break;
    if (isMap(node)) {
      const pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === segment);
      if (pair === undefined) break;
      found = isNode(pair.key) ? pair.key : found;
      node = pair.value;
    } else {
      node = node.items[Number(segment)];
      if (!isNode(node)) break;
      found = node;
    }
  }
  return found;
}
