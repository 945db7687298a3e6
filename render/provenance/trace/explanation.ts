// Answers a query about a rendering: finds the lines of an object or a member, and explains each of them.

import { parseYamlExact } from '../../codec/yaml/parse.ts';
import { type PlaceFinder, placeFinder } from '../../codec/yaml/places.ts';
import { RenderError } from '../../core/errors.ts';
import { splitPath } from '../../core/paths.ts';
import { suggest } from '../../core/suggest.ts';
import type { GoMap } from '../../go/value.ts';
import type { Manifest } from '../../manifest/sort.ts';
import { formatSource } from '../../manifest/source.ts';
import type { JsonValue } from '../../order/order.ts';
import { valueAtSteps } from '../../values/paths.ts';
import type { ExplainedLine, ReleaseTrace } from './release-trace.ts';
import { toJsonValue } from './setters.ts';

/** What to explain: an object, a part of it, or a line. */
export interface ExplainQuestion {
  /** `KIND/NAME` or `KIND/NAMESPACE/NAME`. */
  readonly object?: string | undefined;
  /** A path in the object, such as `spec.containers[0].image`. Default: all of it. */
  readonly path?: string | undefined;
  /** Instead of an object: a line (from 1) of the output of `template` without options. */
  readonly line?: number | undefined;
}

/** The explanation of a part of an object. */
export interface Explanation {
  /** `KIND/NAMESPACE/NAME`, with the namespace of the release if the object has none. */
  readonly object: string;
  /** The template file of the object. */
  readonly source: string;
  /** The current value; undefined if a line was requested. */
  readonly value: JsonValue | undefined;
  /** The requested lines of the object. */
  readonly lines: readonly ObjectLine[];
}

export interface ObjectLine extends ExplainedLine {
  /** The line (from 1) of the output of `template` without options; for an Order, of the package's output. */
  readonly outputLine: number;
}

/** A traced rendering of one release. */
export interface TracedObjects {
  readonly namespace: string;
  /** Manifests, then hooks, in the order of `template`. */
  readonly documents: readonly Manifest[];
  readonly trace: ReleaseTrace;
}

/** A traced rendering of an Order or a chart on disk, as `traceInput` returns it. */
export interface TracedInput {
  /** One for a chart; one for each package of an Order. */
  readonly releases: readonly TracedObjects[];
  /** The texts of templates and values files, by their names in explanations. */
  readonly files: ReadonlyMap<string, string>;
}

/** Answers a query. Throws MANIFEST_INVALID if the object does not exist, or if there are several. */
export function explainObjects(releases: readonly TracedObjects[], question: ExplainQuestion): Explanation {
  const { line, object = '', path } = question;
  const found = line === undefined ? findObject(releases, object) : findLine(releases, line);
  const { document, release } = found;
  const file = release.trace.files.find((one) => one.path === document.path);
  if (file === undefined) throw new Error(`${document.path} was not traced`);
  const content = document.content.split('\n');
  const steps = path === undefined ? undefined : splitPath(path);
  const [first, last] = found.line === undefined ? linesOf(document, steps, path) : [found.line, found.line];
  const start = documentLine(file, document.content);
  const before = release.documents.slice(0, release.documents.indexOf(document)).reduce(countLines, 0);
  const lines = content.slice(first - 1, last).map((text, at): ObjectLine => {
    const inObject = first + at;
    const parts = file.lines[start + inObject - 2]?.parts ?? [];
    return { line: inObject, outputLine: before + 2 + inObject, text, parts };
  });
  const value =
    found.line === undefined ? toJsonValue(valueAtSteps(readObject(document), steps ?? []) ?? null) : undefined;
  return { object: documentTitle(document, release), source: document.path, value, lines };
}

// A document is printed after a separator and a line with its source.
function countLines(sum: number, document: Manifest): number {
  return sum + formatSource(document).split('\n').length - 1;
}

function readObject({ content }: Manifest): GoMap {
  const object = parseYamlExact(`${content}\n`, () => true);
  return object instanceof Map ? object : new Map();
}

/** Returns the title of an object of a release: `KIND/NAMESPACE/NAME`. */
export function documentTitle(document: Manifest, { namespace }: Pick<TracedObjects, 'namespace'>): string {
  const own = valueAtSteps(readObject(document), ['metadata', 'namespace']);
  return `${document.kind}/${typeof own === 'string' && own !== '' ? own : namespace}/${document.name}`;
}

interface Found {
  readonly release: TracedObjects;
  readonly document: Manifest;
  /** The line in the document, from 1. */
  readonly line?: number;
}

function findObject(releases: readonly TracedObjects[], word: string): Found {
  const all = releases.flatMap((release) =>
    release.documents.map((document) => {
      return { release, document, names: [documentTitle(document, release), `${document.kind}/${document.name}`] };
    }),
  );
  if (all.length === 0) throw refusal(`nothing rendered is called ${word}`, 'No objects are rendered.');
  const wanted = word.toLowerCase();
  const found = all.filter(({ names }) => names.some((name) => name.toLowerCase() === wanted));
  const [first] = found;
  if (found.length === 1 && first !== undefined) return first;
  const titles = (found.length === 0 ? all : found).map(({ names }) => names[0]).join(', ');
  if (found.length > 1)
    throw refusal(`${found.length} objects are called ${word}`, `Name one of them in full: ${titles}.`);
  const names = all.flatMap((one) => one.names);
  const meant = suggest(word, names);
  throw refusal(
    `nothing rendered is called ${word}`,
    meant === undefined ? `The objects are ${titles}.` : `Did you mean ${meant}?`,
  );
}

function findLine(releases: readonly TracedObjects[], line: number): Found {
  let before = 0;
  for (const release of releases) {
    for (const document of release.documents) {
      const count = countLines(0, document);
      const at = line - before - 2;
      if (line <= before + count) {
        if (at >= 1) return { release, document, line: at };
        throw refusal(`line ${line} names the source of a document: ${document.path}`, `Ask for line ${before + 3}.`);
      }
      before += count;
    }
  }
  throw refusal(
    `there are ${before} lines, and no line ${line}`,
    'Lines are counted in what `drydock template` prints.',
  );
}

function linesOf(
  { content }: Manifest,
  steps: readonly string[] | undefined,
  path: string | undefined,
): readonly [first: number, last: number] {
  if (steps === undefined) return [1, content.split('\n').length];
  const lines = memberLines(content, steps);
  if (lines !== undefined) return lines;
  throw refusal(
    `the object has no ${path}`,
    'Write a path as in spec.containers[0].image or metadata.annotations["example.com/a"].',
  );
}

function refusal(message: string, hint: string): RenderError {
  return new RenderError('MANIFEST_INVALID', message, { hint });
}

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
