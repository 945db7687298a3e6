// Finds edits of a template, or of a definition it uses, near what it wrote, and the removed items of a list in the values, even if the
// earlier values are known by digests only: for differences that no value and no line explains.

import { diffArrays } from 'diff';
import { parseYaml } from '../../codec/yaml/parse.ts';
import { catchGoError } from '../../core/catch.ts';
import { memo, memoBy } from '../../core/lazy.ts';
import type { Steps } from '../../core/paths.ts';
import type { GoValue } from '../../go/value.ts';
import { pathText } from '../../values/paths.ts';
import type { TemplatePlace } from '../trace/explain.ts';
import { memberLines } from '../trace/explanation.ts';
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
  readonly before: KnownInputs;
  readonly after: KnownInputs;
  /** Returns the edits of a file; undefined if it is not known on both sides, or has almost nothing in common. */
  readonly hunksOf: (file: string) => readonly Hunk[] | undefined;
  /** Returns the indexes (from 0) of the items missing in the later list, by the shortest edit; empty if it is not a list. */
  readonly goneItems: (table: Steps) => readonly number[];
}

export function inputEdits(before: KnownInputs, after: KnownInputs): InputEdits {
  return {
    before,
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
 * Returns the edits that may have caused a difference: in each file that wrote the place, the one nearest to its lines in the same
 * definition; and those in definitions called by these lines. `file` is the document's own.
 */
export function editsNear(file: string, places: readonly Place[], edits: InputEdits): readonly Edit[] {
  const byFile = new Map<string, Set<number>>([[file, new Set()]]);
  for (const place of places) {
    const lines = byFile.get(place.file);
    if (lines === undefined) byFile.set(place.file, new Set([place.line]));
    else lines.add(place.line);
  }
  const near = [...byFile].flatMap(([path, lines]) => nearest(path, [...lines], edits));
  return near.length > 0 ? near : calledEdits(places, edits);
}

function nearest(file: string, lines: readonly number[], edits: InputEdits): readonly Edit[] {
  const text = edits.after.textOf(file)?.split('\n') ?? [];
  const definition = (line: number): number => text.slice(0, line).findLastIndex((one) => definePattern.test(one));
  const own = new Set(lines.map(definition));
  const distance = ({ line }: Hunk): number =>
    lines.reduce((least, one) => Math.min(least, Math.abs(line - one)), Infinity);
  const fitting = (edits.hunksOf(file) ?? []).filter(({ line }) => lines.length === 0 || own.has(definition(line)));
  if (lines.length === 0) {
    // For a removed object its former place is unknown: edits that contain its name come first.
    const naming = fitting.filter(({ line, came }) => came > 0 && namePattern.test(text[line - 1] ?? ''));
    return (naming.length > 0 ? naming : fitting).map((hunk) => causeOf(file, hunk, text));
  }
  const [closest] = fitting.map(distance).sort((a, b) => a - b);
  return fitting.filter((hunk) => distance(hunk) === closest).map((hunk) => causeOf(file, hunk, text));
}

const namePattern = /^\s*(?:-\s+)?(?:kind|metadata|name|namespace):/;
const definePattern = /\{\{-?\s*define\s/;
const callPattern = /\b(?:include|template)\s+"([^"]+)"/g;

// For definitions that are called by name, and those that they call in turn.
function calledEdits(places: readonly Place[], edits: InputEdits): readonly Edit[] {
  const known = new Set<string>();
  const ahead = places.flatMap(({ source }) => callsIn(source));
  const causes: Edit[] = [];
  for (let name = ahead.pop(); name !== undefined; name = ahead.pop()) {
    if (known.has(name)) continue;
    known.add(name);
    const found = definitionOf(name, edits.after);
    if (found === undefined) continue;
    const { file, from, to, text } = found;
    for (const line of text.slice(from - 1, to)) ahead.push(...callsIn(line));
    const own = (edits.hunksOf(file) ?? []).filter(({ line }) => line >= from && line <= to);
    causes.push(...own.map((hunk) => causeOf(file, hunk, text)));
  }
  return causes;
}

function callsIn(text: string): string[] {
  return [...text.matchAll(callPattern)].map(([, name = '']) => name);
}

function definitionOf(
  name: string,
  { files, textOf }: KnownInputs,
): { readonly file: string; readonly from: number; readonly to: number; readonly text: readonly string[] } | undefined {
  for (const file of files) {
    if (!file.includes('/templates/')) continue;
    const text = textOf(file)?.split('\n') ?? [];
    const from = text.findIndex((line) => definePattern.test(line) && line.includes(`"${name}"`));
    if (from < 0) continue;
    const next = text.findIndex((line, at) => at > from && definePattern.test(line));
    return { file, from: from + 1, to: next < 0 ? text.length : next, text };
  }
  return undefined;
}

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

/** What was removed: a member of a document, or the document. */
interface Removed {
  readonly document: { readonly content: string };
  readonly steps: Steps;
}

/** Returns the removed item that belongs to what was removed; all of them if that is unknown. */
export function goneItemOf(table: Steps, removed: Removed, { goneItems, before }: InputEdits): readonly number[] {
  const gone = goneItems(table);
  if (gone.length < 2) return gone;
  const at = removed.steps.at(-1);
  const shown = shownValues(removed);
  const isShown = (place: number): boolean => shown.some((value) => isItem([...table, place], value, before));
  // Digests are short: among thousands of items two may be equal. The item at the same index in the values comes first.
  if (typeof at === 'number' && isShown(at)) return [at];
  const found = gone.find(isShown);
  if (found !== undefined) return [found];
  return typeof at === 'number' && gone.includes(at) ? [at] : gone;
}

function isItem(path: Steps, value: GoValue, before: KnownInputs): boolean {
  return before.hasValue(path, value) || (typeof value === 'string' && before.hasValue([...path, 'name'], value));
}

function shownValues({ document: { content }, steps }: Removed): readonly GoValue[] {
  // An object created for an item contains its name.
  if (steps.length === 0) return partsOfName(content);
  const [first, last] = memberLines(content, steps.map(String)) ?? [1, 0];
  const lines = content.split('\n').slice(first - 1, last);
  return catchGoError(
    () => {
      const value = parseYaml(lines.join('\n'));
      const item = Array.isArray(value) && value.length === 1 ? value[0]! : value;
      // For `--zone=east` also `east`.
      const pieces = typeof item === 'string' && item.length < longestText ? item.split(/[^\w.-]+/) : [];
      return [value, item, ...pieces.filter((piece) => piece !== '' && piece !== item)];
    },
    () => [],
  );
}

const longestText = 1000;
const mostParts = 12;

/** Returns the name of an object and all runs of its words: for `shop-east-1` also `east` and `east-1`. The longest first. */
export function partsOfName(content: string): readonly string[] {
  const [first] = memberLines(content, ['metadata', 'name']) ?? [];
  const line = first === undefined ? '' : (content.split('\n')[first - 1] ?? '');
  const name = /\bname:\s*["']?([\w.-]+)/.exec(line)?.[1] ?? '';
  const words = name.split('-').slice(0, mostParts);
  const runs = words.flatMap((_, from) => words.slice(from).map((__, more) => words.slice(from, from + more + 1)));
  return [name, ...runs.map((run) => run.join('-'))].sort((a, b) => b.length - a.length);
}
