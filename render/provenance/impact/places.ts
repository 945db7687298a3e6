// The lines of rendered objects with their fields and explanations, and the changed part of a document.

import { stepsByLine } from '../../codec/yaml/members.ts';
import { catchGoError } from '../../core/catch.ts';
import { splitPath } from '../../core/paths.ts';
import type { Manifest } from '../../manifest/sort.ts';
import type { Steps } from '../../values/paths.ts';
import type { ExplainedPart, SkippedBranch, TemplatePlace } from '../trace/explain.ts';
import { documentLine, documentTitle, memberLines, type TracedObjects } from '../trace/explanation.ts';
import type { TracedFile } from '../trace/release-trace.ts';
import type { ValueWay } from '../trace/values.ts';

export interface FieldLine {
  /** The line in the object, from 1. */
  readonly line: number;
  readonly text: string;
  /** The field that starts or continues on the line. */
  readonly steps: Steps;
  readonly parts: readonly ExplainedPart[];
}

/** An object, line by line. */
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

export function impactedLines(
  { path, content }: Pick<Manifest, 'path' | 'content'>,
  { trace }: Pick<TracedObjects, 'trace'>,
): readonly FieldLine[] {
  const parts = partsByLine({ path, content }, { trace });
  if (parts.length === 0) return [];
  const steps = stepsOf(content);
  return content.split('\n').map((text, at) => {
    return { line: at + 1, text, steps: steps[at] ?? [], parts: parts[at] ?? [] };
  });
}

/**
 * Returns what wrote each line of an object of a release; empty if its template was not traced. `last` caches the answer, because one
 * document is queried many times in a row, once for each of its entries.
 */
export function partsByLine(
  { path, content }: Pick<Manifest, 'path' | 'content'>,
  { trace }: Pick<TracedObjects, 'trace'>,
  last: { document?: DocumentParts } = {},
): LineParts {
  const file = trace.files.find((one) => one.path === path);
  if (file === undefined) return [];
  const known = last.document;
  if (known?.file === file && known.content === content) return known.parts;
  const start = documentLine(file, content) - 1;
  const parts = content.split('\n').map((_, at) => file.lines[start + at]?.parts ?? []);
  last.document = { file, content, parts };
  return parts;
}

export type LineParts = readonly (readonly ExplainedPart[])[];

export interface DocumentParts {
  readonly file: TracedFile;
  readonly content: string;
  readonly parts: LineParts;
}

function stepsOf(content: string): readonly Steps[] {
  return catchGoError(
    () => stepsByLine(content),
    () => [],
  );
}

/** A part of a document that differs between the renderings. */
export interface ChangedPlace {
  readonly document: { readonly path: string; readonly content: string };
  /** The field; empty for the whole document. */
  readonly steps: Steps;
  /** The rendering that contains the document: `before` if it, or the field, was removed. */
  readonly side: 'before' | 'after';
  /** The field in the document of the other side; for a removed one, its parent there. Default: unknown. */
  readonly other?: Pick<ChangedPlace, 'document' | 'steps'> | undefined;
  /** For a multi-line text that is compared inside: the path of the change in it, or empty. */
  readonly inside?: string | undefined;
}

/** The objects of a rendering, and cached information about the last queried document. */
export interface TracedSide {
  readonly objects?: TracedObjects | undefined;
  readonly last: { document?: DocumentParts; range?: RangeParts; embedded?: EmbeddedSteps };
}

/** The fields of the lines of an embedded text. */
interface EmbeddedSteps {
  readonly text: string;
  readonly steps: readonly Steps[];
}

/** What wrote a range of lines. */
export interface RangeParts {
  readonly of: LineParts;
  readonly first: number;
  readonly last: number;
  readonly found: readonly ExplainedPart[];
  /** The lists and tables around the values that they read, computed on demand. */
  tables?: readonly WalkedTable[];
}

/** A list or table of the values that a template iterates over. */
export interface WalkedTable {
  readonly table: Steps;
  readonly isList: boolean;
  readonly how: ValueWay;
}

/** Returns the template line that wrote a part of a document; undefined if it was not traced. */
export function writtenAt(side: TracedSide, place: ChangedPlace): TemplatePlace | undefined {
  if (place.steps.length === 0) return undefined;
  return partsAt(side, place)
    .flatMap(({ place: own, through }) => [own, ...through.toReversed()].find(isFile) ?? [])
    .at(-1);
}

/** Returns the template lines that wrote the first line of a field: the innermost, then each that includes it. */
export function writtenFrom(
  objects: TracedObjects,
  document: ChangedPlace['document'],
  steps: Steps,
): readonly TemplatePlace[] {
  const [part] = firstParts({ objects, last: {} }, document, steps).filter(({ place, through }) =>
    [place, ...through].some(isFile),
  );
  return part === undefined ? [] : [part.place, ...part.through.toReversed()].filter(isFile);
}

export function firstParts(
  { objects, last }: TracedSide,
  document: ChangedPlace['document'],
  steps: Steps,
): readonly ExplainedPart[] {
  const [first] = memberLines(document.content, steps.map(String)) ?? [];
  return first === undefined || objects === undefined ? [] : (partsByLine(document, objects, last)[first - 1] ?? []);
}

/** Returns what wrote a place; empty if it was not traced. */
export function partsAt({ objects, last: known }: TracedSide, place: ChangedPlace): readonly ExplainedPart[] {
  if (objects === undefined) return [];
  const { document, steps, inside } = place;
  const parts = partsByLine(document, objects, known);
  // The cause of a whole document is the conditions that all its lines share.
  if (steps.length === 0) return parts[0] ?? [];
  const [first, last] = memberLines(document.content, steps.map(String)) ?? [1, parts.length];
  if (inside !== undefined) return linesInside(place, [first, last], known).flatMap((line) => parts[line - 1] ?? []);
  // Each entry of a list queries the same surrounding lines.
  const { range } = known;
  if (range?.of === parts && range.first === first && range.last === last) return range.found;
  const found = parts.slice(first - 1, last).flat();
  if (found.length >= manyParts) known.range = { of: parts, first, last, found };
  return found;
}

const manyParts = 100;

// The changed lines (from 1) of a text: those of the named member that differ on the other side.
function linesInside(
  { document, other, inside = '' }: ChangedPlace,
  [first, last]: readonly [number, number],
  known: TracedSide['last'] = {},
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
    inside === '' ? [] : linesOfMember(texts.slice(first, last), inside, known).map((at) => first + 1 + at);
  const lists = [within.filter(isChanged), within, all.filter(isChanged)];
  return lists.find(({ length }) => length > 0) ?? all;
}

// The lines (from 0) of a member of a YAML or JSON text. Names such as `[name=web]` match any entry.
function linesOfMember(lines: readonly string[], path: string, known: TracedSide['last']): readonly number[] {
  const wanted = splitPath(
    path.replace(/\[[^\]]*(?:\]|$)/g, (step) => (/^[^"=]*=/.test(step) && step.endsWith(']') ? '[0]' : step)),
  );
  const indent = Math.min(...lines.filter((line) => line.trim() !== '').map((line) => line.search(/\S/)));
  return catchGoError(
    () => {
      const text = lines.map((line) => line.slice(indent)).join('\n');
      const { steps } = known.embedded?.text === text ? known.embedded : { steps: stepsByLine(text) };
      known.embedded = { text, steps };
      return [...steps.keys()].filter((at) => {
        const own = steps[at]!;
        return own.length >= wanted.length && wanted.every((step, i) => typeof own[i] === 'number' || own[i] === step);
      });
    },
    () => [],
  );
}

// For a removed part that was not traced: a condition that is false now left it out, or one that is true now replaced it.
/** Returns the conditions that may have left out the removed part. */
export function leftOutParts(objects: TracedObjects | undefined, place: ChangedPlace): readonly ExplainedPart[] {
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
/** Reports whether a place is in a template file. */
export function isFile({ file }: TemplatePlace): boolean {
  return file !== 'gotpl' && !/\/(?:Chart|requirements)\.yaml$/.test(file);
}
