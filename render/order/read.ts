// Before step 1: the text of an Order file to JSON, with the place of every member for error messages.

import { plainValue } from '../codec/plain.ts';
import { mergeProblem } from '../codec/yaml/cursor.ts';
import { documentsProblem, parseDocument } from '../codec/yaml/parse.ts';
import { type PlaceFinder, placeFinder } from '../codec/yaml/places.ts';
import { checkArguments, having, oneOf, text } from '../core/arguments.ts';
import { type Issue, type Place, RenderError } from '../core/errors.ts';
import { limitIn } from '../core/limits.ts';
import { splitPath } from '../core/paths.ts';
import { GoError } from '../go/value.ts';

/** The content of an Order file. */
export interface OrderText {
  /** The JSON value, not yet validated. */
  readonly value: unknown;
  /** Returns the place of a path such as `spec.packages[0].chart.name`, or of its nearest parent that exists. */
  placeOf(path: string): Place;
}

/**
 * Reads an Order in JSON or YAML. Values mean what the same text means to `helm -f`: `yes` is a boolean, `0o755` a number,
 * `22:22` a string. `fileName` is used in errors. Throws ORDER_INVALID with the place of the first syntax error; a key
 * that occurs twice is one, and so is a second document. Throws LIMIT_REACHED, ARGUMENT_INVALID.
 * @example
 * const { value, placeOf } = readOrder(await readFile('order.yaml', 'utf8'), 'order.yaml');
 */
export function readOrder(content: string, fileName: string): OrderText {
  checkArguments('readOrder', ['text', content, text], ['fileName', fileName, text]);
  const source = content.replace(/^\ufeff/, '');
  try {
    return withPlaces(plainValue(parseDocument(source)), fileName, source);
  } catch (error) {
    if (!(error instanceof GoError)) throw limitIn(fileName, error);
    throw syntaxError(error, fileName);
  }
}

function withPlaces(value: unknown, file: string, source: string): OrderText {
  let find: PlaceFinder | undefined;
  return {
    value,
    placeOf: (path) => {
      checkArguments('placeOf', ['path', path, text]);
      find ??= placeFinder(source);
      const { line, column } = find(splitPath(path));
      return { file, line, column };
    },
  };
}

/** How a go-yaml error begins, what to do about it, and its message where go-yaml's own would not help. */
interface SyntaxHelp {
  readonly problem: string;
  readonly hint: string;
  readonly message?: string;
}

const help: readonly SyntaxHelp[] = [
  { problem: documentsProblem, hint: 'Keep one Order to a file.' },
  { problem: mergeProblem, hint: 'Name the anchor of a mapping after <<, or quote << if it is a name.' },
  {
    problem: 'yaml: invalid map key',
    message: 'a list or a mapping cannot be a key',
    hint: 'Quote text that begins with "{" or "[".',
  },
  {
    problem: 'yaml: unsupported map key',
    message: 'null and integers of more than 64 bits cannot be keys',
    hint: 'Quote the key.',
  },
  {
    problem: 'yaml: unknown anchor',
    hint: 'Define the anchor before its alias, or quote the text if no alias is meant.',
  },
  { problem: 'yaml: document contains excessive aliasing', hint: 'Write out what the aliases stand for.' },
  {
    problem: 'mapping values are not allowed',
    hint: 'Indent what belongs below the key, or quote the text: it contains ": ".',
  },
  {
    problem: 'found character that cannot start any token',
    hint: 'Indent with spaces, and quote text that begins with %, @ or `.',
  },
  { problem: 'found unknown escape character', hint: 'Write a backslash twice, or use single quotes.' },
  { problem: 'found unexpected end of stream', hint: 'Close the quotes that are open.' },
  { problem: "did not find expected ','", hint: 'Add the missing comma, or close the bracket that is open.' },
  { problem: 'did not find expected node content', hint: 'Close the bracket that is open, or quote the text.' },
  { problem: 'did not find expected key', hint: 'Correct the indentation, or quote the text.' },
  { problem: 'json: unsupported value', hint: 'Quote the text: JSON has no such number.' },
];

function syntaxError({ problem, place, hint: known }: GoError, file: string): RenderError {
  const found = help.find((item) => problem.startsWith(item.problem));
  const hint = known ?? found?.hint ?? 'Quote the text if it is not meant as YAML syntax.';
  const message = found?.message ?? problem.replace(/^yaml: /, '');
  const issue: Issue = { path: '', message, severity: 'error', hint };
  return new RenderError('ORDER_INVALID', message, { place: { ...place, file }, issues: [issue], hint });
}

const wholeIssue = having<Issue>('an issue', {
  path: text,
  message: text,
  severity: oneOf(['error', 'warning', 'note']),
});
const wholePlace = having<Place>('a place', { file: text });

/**
 * Returns an issue for a person, as one line where its message is one: `FILE:LINE:COLUMN: error: PATH MESSAGE. MEND`.
 * Throws ARGUMENT_INVALID.
 * @example
 * for (const issue of error.issues) console.log(formatIssue(issue, placeOf(issue.path)));
 */
export function formatIssue(issue: Issue, place: Place): string {
  checkArguments('formatIssue', ['issue', issue, wholeIssue], ['place', place, wholePlace]);
  const where = [place.file, place.line, place.column].filter((part) => part !== undefined).join(':');
  return `${where}: ${issue.severity}: ${issueText(issue)}`;
}

/** Returns what an issue says, without its place and severity: its path, the message, how to fix it. */
export function issueText(issue: Pick<Issue, 'path' | 'message' | 'hint'>): string {
  const subject = issue.path === '' ? '' : `${issue.path}: `;
  const message = issue.message.trimEnd();
  // Helm's words may go over several lines, and some messages end with a question.
  const gap = message.includes('\n') ? '\n' : message.endsWith('?') ? ' ' : '. ';
  const hint = issue.hint === undefined ? '' : `${gap}${issue.hint}`;
  return `${subject}${message}${hint}`;
}
