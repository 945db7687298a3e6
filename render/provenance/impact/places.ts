// The lines of rendered objects with their fields and explanations, and the changed part of a document.

import { stepsByLine } from '../../codec/yaml/members.ts';
import { catchGoError } from '../../core/catch.ts';
import { lazy, memo, memoBy } from '../../core/lazy.ts';
import { type Steps, splitPath } from '../../core/paths.ts';
import type { Manifest } from '../../manifest/sort.ts';
import { pathText } from '../../values/paths.ts';
import type { ExplainedPart, SkippedBranch, TemplatePlace } from '../trace/explain.ts';
import { documentLine, documentTitle, memberLines, type TracedObjects } from '../trace/explanation.ts';
import type { ExplainedValue, ValueWay } from '../trace/values.ts';

type Document = Pick<Manifest, 'path' | 'content'>;
type Parts = readonly ExplainedPart[];

export interface FieldLine {
  /** The line in the object, from 1. */
  readonly line: number;
  readonly text: string;
  /** The field that starts or continues on the line. */
  readonly steps: Steps;
  readonly parts: Parts;
}

export interface ObjectLines {
  /** `KIND/NAMESPACE/NAME`. */
  readonly title: string;
  /** The template file. */
  readonly source: string;
  readonly lines: readonly FieldLine[];
}

export function* objectLines(releases: readonly TracedObjects[]): Generator<ObjectLines> {
  for (const release of releases) {
    for (const document of release.documents) {
      yield { title: documentTitle(document, release), source: document.path, lines: impactedLines(document, release) };
    }
  }
}

/** Returns the lines of an object of a release; empty if its template was not traced. */
export function impactedLines(document: Document, objects: Pick<TracedObjects, 'trace'>): readonly FieldLine[] {
  const parts = partsByLine(document, objects);
  if (parts.length === 0) return [];
  const steps = stepsOf(document.content);
  return document.content.split('\n').map((text, at) => {
    return { line: at + 1, text, steps: steps[at] ?? [], parts: parts[at] ?? [] };
  });
}

/** Returns what wrote each line of an object of a release; empty if its template was not traced. */
export function partsByLine({ path, content }: Document, { trace }: Pick<TracedObjects, 'trace'>): readonly Parts[] {
  const file = trace.files.find((one) => one.path === path);
  if (file === undefined) return [];
  const start = documentLine(file, content) - 1;
  return content.split('\n').map((_, at) => file.lines[start + at]?.parts ?? []);
}

function stepsOf(content: string): readonly Steps[] {
  return catchGoError(
    () => stepsByLine(content),
    () => [],
  );
}

/** A part of a document that differs between the renderings. */
export interface ChangedPlace {
  readonly document: Document;
  /** The field; empty for the whole document. */
  readonly steps: Steps;
  /** The rendering that contains the document: `before` if it, or the field, was removed. */
  readonly side: 'before' | 'after';
  /** The field in the document of the other side; for a removed one, its parent there. Default: unknown. */
  readonly other?: Pick<ChangedPlace, 'document' | 'steps'> | undefined;
  /** For a multi-line text that is compared inside: the path of the change in it, or empty. */
  readonly inside?: string | undefined;
}

/** The objects of a rendering, and what is requested of them for every entry of a difference. */
export interface TracedSide {
  readonly objects?: TracedObjects | undefined;
  readonly partsOf: (document: Document) => DocumentParts;
  /** Returns the fields of the lines of an embedded text. */
  readonly stepsOf: (text: string) => readonly Steps[];
  /** Returns the lists and tables that a template file iterates over. */
  readonly walkedIn: (path: string) => readonly WalkedTable[];
}

interface DocumentParts {
  readonly lines: readonly Parts[];
  /** Returns what wrote some lines, from 1. */
  readonly between: (first: number, last: number) => RangeParts;
}

/** What wrote some lines, and the lists and tables around the values that they read. */
export interface RangeParts {
  readonly parts: Parts;
  readonly tables: () => readonly WalkedTable[];
}

/** A list or table of the values that a template iterates over. */
export interface WalkedTable {
  readonly table: Steps;
  readonly isList: boolean;
  readonly how: ValueWay;
}

export function tracedSide(objects?: TracedObjects): TracedSide {
  const partsOf = memoBy(
    ({ path, content }: Document) => `${path}\n${content}`,
    (document): DocumentParts => {
      const lines = objects === undefined ? [] : partsByLine(document, objects);
      // Each entry of a list queries the same surrounding lines.
      const found = memo((range: string) => {
        const [first = 1, last = 0] = range.split('-').map(Number);
        return rangeOf(lines.slice(first - 1, last).flat());
      });
      return { lines, between: (first, last) => found(`${first}-${last}`) };
    },
  );
  return { objects, partsOf, stepsOf: memo(stepsOf), walkedIn: memo((path) => walkedTables(objects, path)) };
}

function rangeOf(parts: Parts): RangeParts {
  const read = (): ExplainedValue[] => parts.flatMap(({ values }) => values);
  return { parts, tables: lazy(() => tablesOf(read(), false)) };
}

// What the template iterates over, if it created an object for each item.
function walkedTables(objects: TracedObjects | undefined, path: string): readonly WalkedTable[] {
  const file = objects?.trace.files.find((one) => one.path === path);
  const parts = file?.lines.flatMap((line) => line.parts) ?? [];
  const ranges = parts.flatMap(({ conditions }) => conditions.filter(({ text }) => text.startsWith('range ')));
  const values = ranges.flatMap((range) => range.values);
  return tablesOf(values, true);
}

// Each once, because every item of a long list was read. Enclosing ones are iterated for members, not for whole objects.
function tablesOf(values: readonly ExplainedValue[], isNearest: boolean): readonly WalkedTable[] {
  const tables = new Map<string, WalkedTable>();
  for (const { steps, how } of values) {
    for (let at = isNearest ? Math.max(steps.length - 1, 0) : 0; at < steps.length; at++) {
      const table = steps.slice(0, at);
      const path = pathText(table);
      if (!tables.has(path)) tables.set(path, { table, isList: typeof steps[at] === 'number', how });
    }
  }
  return [...tables.values()];
}

/** Returns the template line that wrote a part of a document; undefined if it was not traced. */
export function writtenAt(side: TracedSide, place: ChangedPlace): TemplatePlace | undefined {
  if (place.steps.length === 0) return undefined;
  return partsAt(side, place)
    .flatMap(({ place: own, through }) => [own, ...through.toReversed()].find(isFile) ?? [])
    .at(-1);
}

/** Returns the template lines that wrote the first line of a field: the innermost, then each that includes it. */
export function writtenFrom(objects: TracedObjects, document: Document, steps: Steps): readonly TemplatePlace[] {
  const places = firstParts(tracedSide(objects), document, steps).map(({ place, through }) =>
    [place, ...through.toReversed()].filter(isFile),
  );
  return places.find(({ length }) => length > 0) ?? [];
}

export function firstParts(side: TracedSide, document: Document, steps: Steps): Parts {
  const [first] = memberLines(document.content, steps.map(String)) ?? [];
  return first === undefined ? [] : (side.partsOf(document).lines[first - 1] ?? []);
}

/** Returns what wrote a place; empty if it was not traced. */
export function partsAt(side: TracedSide, place: ChangedPlace): Parts {
  return rangeAt(side, place).parts;
}

/** Returns what wrote a place, with the lists and tables around it. */
export function rangeAt(side: TracedSide, place: ChangedPlace): RangeParts {
  const { document, steps, inside } = place;
  const { lines, between } = side.partsOf(document);
  if (lines.length === 0) return rangeOf([]);
  // The cause of a whole document is the conditions that all its lines share.
  if (steps.length === 0) return rangeOf(lines[0] ?? []);
  const [first, last] = memberLines(document.content, steps.map(String)) ?? [1, lines.length];
  if (inside === undefined) return between(first, last);
  return rangeOf(linesInside(place, [first, last], side.stepsOf).flatMap((line) => lines[line - 1] ?? []));
}

// The changed lines (from 1) of a text: those of the named member that differ on the other side.
function linesInside(
  { document, other, inside = '' }: ChangedPlace,
  [first, last]: readonly [number, number],
  fieldsOf: TracedSide['stepsOf'] = stepsOf,
): readonly number[] {
  const all = Array.from({ length: last - first + 1 }, (_, at) => first + at);
  if (last === first) return all;
  const texts = document.content.split('\n');
  const [from = 1, to = 0] = (other && memberLines(other.document.content, other.steps.map(String))) ?? [];
  const others = new Set(
    other?.document.content
      .split('\n')
      .slice(from - 1, to)
      .map((line) => line.trim()),
  );
  const isChanged = (line: number): boolean => !others.has(texts[line - 1]!.trim());
  const within =
    inside === '' ? [] : linesOfMember(texts.slice(first, last), inside, fieldsOf).map((at) => first + 1 + at);
  const lists = [within.filter(isChanged), within, all.filter(isChanged)];
  return lists.find(({ length }) => length > 0) ?? all;
}

// The lines (from 0) of a member of a YAML or JSON text. Names such as `[name=web]` match any entry.
function linesOfMember(lines: readonly string[], path: string, fieldsOf: TracedSide['stepsOf']): readonly number[] {
  const wanted = splitPath(
    path.replace(/\[[^\]]*(?:\]|$)/g, (step) => (/^[^"=]*=/.test(step) && step.endsWith(']') ? '[0]' : step)),
  );
  const indent = Math.min(...lines.filter((line) => line.trim() !== '').map((line) => line.search(/\S/)));
  const fields = fieldsOf(lines.map((line) => line.slice(indent)).join('\n'));
  return [...fields.keys()].filter((at) => {
    const own = fields[at]!;
    return own.length >= wanted.length && wanted.every((step, i) => typeof own[i] === 'number' || own[i] === step);
  });
}

// For a removed part that was not traced: a condition that is false now left it out, or one that is true now replaced it.
/** Returns the conditions that may have left out the removed part. */
export function leftOutParts(objects: TracedObjects | undefined, place: ChangedPlace): Parts {
  const { document } = place;
  const file = objects?.trace.files.find(({ path }) => path === document.path);
  const subcharts = (objects?.trace.subcharts ?? []).filter(({ path }) => document.path.startsWith(`${path}/`));
  const skipped = branchesOf(file?.skipped ?? [], place);
  return [...subcharts.map(({ condition }) => condition), ...skipped].map((condition) => {
    return { text: '', place: condition, through: [], values: [], conditions: [condition] };
  });
}

// Branches that contain the removed part as it was in the document, as far as their own text shows: the first line, and most of the others.
// What they include is unknown.
function branchesOf(branches: readonly SkippedBranch[], place: ChangedPlace): readonly SkippedBranch[] {
  const { document, steps, inside } = place;
  const lines = document.content.split('\n').map((line) => line.trim());
  const [start, last] = memberLines(document.content, steps.length === 0 ? ['kind'] : steps.map(String)) ?? [1, 0];
  const within = inside === undefined ? undefined : linesInside(place, [start, last]);
  const first = within?.[0] ?? start;
  const own = within?.map((line) => lines[line - 1]!) ?? (steps.length === 0 ? lines : lines.slice(start - 1, last));
  const holds = ({ lines: within }: SkippedBranch, line: string): boolean =>
    within.has(line) || (line.includes(': ') && within.has(line.slice(0, line.indexOf(': ') + 1)));
  const beginning = branches.filter((branch) => holds(branch, lines[first - 1] ?? ''));
  const counts = beginning.map((branch) => own.filter((line) => line !== '' && holds(branch, line)).length);
  const most = Math.max(...counts);
  return beginning.length === 0 ? branches : beginning.filter((_, at) => counts[at] === most);
}

// A text executed by `tpl` is not in a file, and conditions of subcharts are not in a template.
export function isFile({ file }: TemplatePlace): boolean {
  return file !== 'gotpl' && !/\/(?:Chart|requirements)\.yaml$/.test(file);
}
