// Finds edits of a template, or of helpers, near what it wrote, and the removed items of a list in the values, even if the earlier ones are
// known by digests only: for differences that no value and no line explains.

import { diffArrays } from 'diff';
import { memo, memoBy } from '../../core/lazy.ts';
import type { Steps } from '../../core/paths.ts';
import { pathText } from '../../values/paths.ts';
import type { TemplatePlace } from '../trace/explain.ts';
import { type KnownFile, type KnownInputs, linesOfText, markedSteps } from './inputs.ts';

/** A range of differing lines. */
interface Hunk {
  /** The line (from 1) of the later file at which it starts, or before which lines were removed. */
  readonly line: number;
  readonly gone: number;
  readonly came: number;
}

/** The edits between the inputs of two renderings, of which the later ones are available in full. */
export interface InputEdits {
  readonly after: KnownInputs;
  /** Returns the edits of a file; undefined if it is not known on both sides, or has almost nothing in common. */
  readonly hunksOf: (file: string) => readonly Hunk[] | undefined;
  /** Returns the indexes (from 0) of the items missing in the later list, by the shortest edit; empty if it is not a list. */
  readonly goneItems: (table: Steps) => readonly number[];
}

export function inputEdits(before: KnownInputs, after: KnownInputs): InputEdits {
  return {
    after,
    hunksOf: memo((file) => findHunks(...marksOfBoth(file, before, after))),
    goneItems: memoBy(pathText, (table) => lostItems(table, before, after)),
  };
}

export interface Edit {
  readonly text: string;
  readonly file: string;
  /** Line, from 1. */
  readonly line: number;
}

// Files with almost nothing in common are different files.
const maxEditLength = 600;

// A long file is recorded as a whole; if both texts are available, their lines are compared.
function marksOfBoth(
  file: string,
  before: KnownInputs,
  after: KnownInputs,
): readonly [KnownFile | undefined, KnownFile | undefined] {
  const [was, is] = [before.textOf(file), after.textOf(file)];
  if (was === undefined || is === undefined) return [before.fileOf(file), after.fileOf(file)];
  return [linesOfText(was), linesOfText(is)];
}

function findHunks(was: KnownFile | undefined, is: KnownFile | undefined): readonly Hunk[] | undefined {
  if (was === undefined || is === undefined || is.numbers.length === 0) return undefined;
  const parts = diffArrays([...was.marks], [...is.marks], { maxEditLength });
  if (parts === undefined) return undefined;
  const hunks: Hunk[] = [];
  let at = 0;
  let open: { at: number; gone: number; came: number } | undefined;
  const settle = (): void => {
    // What is missing at the end is reported for the last line.
    if (open) hunks.push({ ...open, line: is.numbers[Math.min(open.at, is.numbers.length - 1)] ?? 1 });
    open = undefined;
  };
  for (const { removed, added, count = 0 } of parts) {
    if (!removed && !added) settle();
    else {
      open ??= { at, gone: 0, came: 0 };
      open = removed ? { ...open, gone: open.gone + count } : { ...open, came: open.came + count };
    }
    if (!removed) at += count;
  }
  settle();
  return hunks;
}

/** A place in a template; its column is ignored. */
type Place = Pick<TemplatePlace, 'file' | 'line' | 'source'>;

/**
 * Returns the edits that may have caused a difference: in each file that wrote the place, the one nearest to its lines, or else those in
 * helper files. `file` is the document's own.
 */
export function editsNear(file: string, places: readonly Place[], edits: InputEdits): readonly Edit[] {
  const byFile = new Map<string, Set<number>>([[file, new Set()]]);
  for (const place of places) {
    const lines = byFile.get(place.file);
    if (lines === undefined) byFile.set(place.file, new Set([place.line]));
    else lines.add(place.line);
  }
  const near = [...byFile].flatMap(([path, lines]) => nearest(path, [...lines], edits));
  const isHelper = (path: string): boolean =>
    path.includes('/templates/') && path.startsWith('_', path.lastIndexOf('/') + 1);
  const helpers = [...edits.after.files].filter(isHelper);
  return near.length > 0 ? near : helpers.flatMap((path) => nearest(path, [], edits));
}

function nearest(file: string, lines: readonly number[], edits: InputEdits): readonly Edit[] {
  const text = edits.after.textOf(file)?.split('\n') ?? [];
  const hunks = edits.hunksOf(file) ?? [];
  // For a removed object its former place is unknown: edits that contain its name come first.
  const naming = hunks.filter(({ line, came }) => came > 0 && namePattern.test(text[line - 1] ?? ''));
  const distance = ({ line }: Hunk): number => Math.min(...lines.map((one) => Math.abs(line - one)));
  const least = Math.min(...hunks.map(distance));
  const near = lines.length === 0 && naming.length > 0 ? naming : hunks.filter((hunk) => distance(hunk) === least);
  return near.map((hunk) => causeOf(file, hunk, text));
}

const namePattern = /^\s*(?:-\s+)?(?:kind|metadata|name|namespace):/;

const maxLine = 200;

/** Returns a template line for the description of a cause: long lines, such as those of dashboards, are truncated. */
export function shownLine(source: string): string {
  const text = source.trim();
  if (text.length <= maxLine) return text;
  return `${text.slice(0, maxLine).replace(/[\ud800-\udbff]$/, '')}… (${text.length} characters)`;
}

function causeOf(file: string, { line, gone, came }: Hunk, text: readonly string[]): Edit {
  const place = `${file}:${line}`;
  const change =
    came > 0 ? `: ${shownLine(text[line - 1] ?? '')}` : `, with ${gone === 1 ? 'a line' : `${gone} lines`} removed`;
  return { text: `${place}${change}`, file, line };
}

// Lists with less in common are reported by their missing indexes at the end.
const maxItemEdits = 500;

function lostItems(table: Steps, before: KnownInputs, after: KnownInputs): readonly number[] {
  const items = after.valueAt(table);
  if (table.length >= markedSteps || !Array.isArray(items)) return [];
  let count = 0;
  while (before.hasPath([...table, count])) count++;
  const places = [...Array(count).keys()];
  const parts = diffArrays(places, [...items.keys()], {
    comparator: (was, is) => before.hasValue([...table, was], items[is]!),
    maxEditLength: maxItemEdits,
  });
  if (parts === undefined) return places.slice(items.length);
  return parts.flatMap(({ removed, value }) => (removed ? value : []));
}
