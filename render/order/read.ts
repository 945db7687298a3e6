// Before step 1: the text of an Order file to JSON, with the place of every member for error messages.
// It and syntax.ts know the `yaml` package: it keeps positions, which plain-reader.ts, asked first, does not.

import {
  type Alias,
  type Document,
  LineCounter,
  parseDocument,
  type Scalar,
  visit,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { checkArguments, having, maxDepth, oneOf, text } from '../arguments.ts';
import { type Issue, type Place, RenderError } from '../errors.ts';
import { mostOddLevels } from './levels.ts';
import { mostAliased, type PlainFault } from './plain-grammar.ts';
import { mostOdd, placesOfPlainOrder, readPlainOrder } from './plain-reader.ts';
import { readOptions } from './read-options.ts';
import {
  anchorFault,
  collectionFault,
  findFault,
  mergeFault,
  type SyntaxFault,
  strayFault,
  syntaxMend,
  twinFault,
  unfoldsFault,
} from './syntax.ts';
import { YamlPlaces } from './yaml-places.ts';

/** The content of an Order file. */
export interface OrderText {
  /** The JSON value, not yet validated. */
  readonly value: unknown;
  /** Gives the place of a path such as `spec.packages[0].chart.name`, or of its nearest parent that exists. */
  placeOf(path: string): Place;
}

/**
 * Reads an Order in JSON or YAML. YAML is taken as Kubernetes takes it: version 1.1, `yes` and `on` are booleans.
 * `fileName` is what errors call it. Throws ORDER_INVALID with the place of the first syntax fault; duplicate keys are
 * one, and nesting without end. Throws ARGUMENT_INVALID.
 * @example
 * const { value, placeOf } = readOrder(await readFile('order.yaml', 'utf8'), 'order.yaml');
 */
export function readOrder(content: string, fileName: string): OrderText {
  checkArguments('readOrder', ['text', content, text], ['fileName', fileName, text]);
  const source = content.replace(/^\ufeff/, '');
  const plain = readPlainOrder(source);
  if (plain === undefined) return readSlowly(source, fileName);
  if ('line' in plain) {
    const { message, mend } = plainFault(plain);
    throw syntaxError(message, { file: fileName, line: plain.line, column: plain.column }, mend);
  }
  return withPlaces(plain.value, fileName, () => placesOfPlainOrder(source) ?? parsePlaced(source).places);
}

function plainFault({ fault, name }: PlainFault): Pick<SyntaxFault, 'message' | 'mend'> {
  if (fault === 'twin') return twinFault(name);
  if (fault === 'no-anchor') return anchorFault(name);
  return fault === 'syntax' ? { message: name, mend: syntaxMend } : faults[fault];
}

const faults = {
  unfolds: unfoldsFault,
  'collection-key': collectionFault,
  merge: mergeFault,
  deep: { message: `is nested more than ${maxDepth} levels deep`, mend: 'Close the brackets that are open.' },
  'odd-deep': {
    message: `an Order that nests more than ${mostOddLevels} levels deep holds YAML that few people write`,
    mend: 'Write it as most do, in UTF-8 with the line breaks of files, or give it as JSON.',
  },
  odd: {
    message: `an Order of more than ${mostOdd / 1_000_000} million characters holds YAML that few people write`,
    mend: 'Write it as most do, in UTF-8 with the line breaks of files, or give it as JSON.',
  },
};

// Each fault in words of its own.
function readSlowly(source: string, fileName: string): OrderText {
  const { document, lines, places } = parsePlaced(source);
  const fail = ({ offset, message, mend }: SyntaxFault): RenderError => {
    const { line, col } = lines.linePos(offset);
    return syntaxError(message, { file: fileName, line, column: col }, mend);
  };
  const stray = resolveAliases(document);
  const fault = findFault(document) ?? (stray === undefined ? undefined : strayFault(stray));
  if (fault !== undefined) throw fail(fault);
  return withPlaces(readValue(document, fail), fileName, () => places);
}

// Places are looked for where something is wrong, and only then.
function withPlaces(value: unknown, file: string, find: () => Pick<YamlPlaces, 'find'>): OrderText {
  let places: Pick<YamlPlaces, 'find'> | undefined;
  return {
    value,
    placeOf: (path) => {
      checkArguments('placeOf', ['path', path, text]);
      places ??= find();
      return { file, ...places.find(segmentsOf(path)) };
    },
  };
}

interface Placed {
  readonly document: Document.Parsed;
  readonly lines: LineCounter;
  readonly places: YamlPlaces;
}

function parsePlaced(source: string): Placed {
  const lines = new LineCounter();
  const document = parseDocument(source, { ...readOptions, lineCounter: lines });
  return { document, lines, places: new YamlPlaces(document, lines) };
}

function readValue(document: Document.Parsed, fail: (fault: SyntaxFault) => RenderError): unknown {
  const value: unknown = document.toJS({ maxAliasCount: -1 });
  const sizes = new Map<object, number>();
  if (unfoldedSize(value, sizes, 0) - sizes.size > mostAliased) throw fail({ offset: 0, ...unfoldsFault });
  return value;
}

// An alias looks through all aliases and anchors before it, which takes a minute for a hundred thousand of them: each is told
// its own node. Gives the first that names nothing before it.
function resolveAliases(document: Document.Parsed): Alias | undefined {
  let stray: Alias | undefined;
  const named = new Map<string, Scalar | YAMLMap | YAMLSeq>();
  visit(document, {
    Alias: (_key, alias) => {
      const node = named.get(alias.source);
      alias.resolve = () => node;
      if (node === undefined) stray ??= alias;
    },
    Value: (_key, node) => {
      if (node.anchor !== undefined) named.set(node.anchor, node);
    },
  });
  return stray;
}

// Counts the collections in a value, those that aliases name as often as they are named.
function unfoldedSize(value: unknown, sizes: Map<object, number>, depth: number): number {
  if (typeof value !== 'object' || value === null) return 0;
  const known = sizes.get(value);
  if (known !== undefined) return known;
  // Aliases of aliases may nest without end, and so may what holds itself; either is told when the value is looked at.
  if (depth > mostOddLevels) return 1;
  let size = 1;
  for (const item of Object.values(value)) size += unfoldedSize(item, sizes, depth + 1);
  sizes.set(value, size);
  return size;
}

const wholeIssue = having<Issue>('an issue', {
  path: text,
  message: text,
  severity: oneOf(['error', 'warning', 'note']),
});
const wholePlace = having<Place>('a place', { file: text });

/**
 * Gives an issue for a person, as one line where its message is one: `FILE:LINE:COLUMN: error: PATH MESSAGE. MEND`.
 * Throws ARGUMENT_INVALID.
 * @example
 * for (const issue of error.issues) console.log(formatIssue(issue, placeOf(issue.path)));
 */
export function formatIssue(issue: Issue, place: Place): string {
  checkArguments('formatIssue', ['issue', issue, wholeIssue], ['place', place, wholePlace]);
  const where = [place.file, place.line, place.column].filter((part) => part !== undefined).join(':');
  return `${where}: ${issue.severity}: ${issueText(issue)}`;
}

/** Gives what an issue says, without its place and severity: its path, the message, how to mend it. */
export function issueText(issue: Pick<Issue, 'path' | 'message' | 'mend'>): string {
  const subject = issue.path === '' ? '' : `${issue.path}: `;
  const message = issue.message.trimEnd();
  // Helm's words may go over several lines, and some messages end with a question.
  const gap = message.includes('\n') ? '\n' : message.endsWith('?') ? ' ' : '. ';
  const mend = issue.mend === undefined ? '' : `${gap}${issue.mend}`;
  return `${subject}${message}${mend}`;
}

function syntaxError(message: string, place: Place, mend: string): RenderError {
  const issue: Issue = { path: '', message, severity: 'error', mend };
  return new RenderError('ORDER_INVALID', message, { place, issues: [issue], mend });
}

/** Splits a path into its members: `a["b c"][0]` gives `a`, `b c`, `0`. */
function segmentsOf(path: string): string[] {
  const segments: string[] = [];
  for (const [, name, index, quoted] of path.matchAll(/([^.[\]]+)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/g)) {
    segments.push(quoted === undefined ? (name ?? index ?? '') : (JSON.parse(quoted) as string));
  }
  return segments;
}
