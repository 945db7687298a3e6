// Which items of a list among the values are gone: found where the earlier values are known by marks alone, too.

import { diffArrays } from 'diff';
import { parseYaml } from '../../codec/yaml/parse.ts';
import { GoError, type GoValue } from '../../go/value.ts';
import { pathText, type Steps } from '../../values/paths.ts';
import { memberLines } from '../trace/object.ts';
import { type KnownInputs, markedSteps } from './inputs.ts';

/** The values of both sides. */
export interface KnownSides {
  readonly before: KnownInputs;
  /** At hand. */
  readonly after: KnownInputs;
}

// Lists that share less are reported by the places that they lost at their end.
const maxEditLength = 500;

/** Returns the places (from 0) of the items of a list that the later one has no more, by the least edit; none where it is not a list. */
export function goneItems(table: Steps, { before, after }: KnownSides): readonly number[] {
  const { goneItems: known } = after.comparisonWith(before);
  const path = pathText(table);
  const found = known.get(path) ?? lostItems(table, { before, after });
  known.set(path, found);
  return found;
}

function lostItems(table: Steps, { before, after }: KnownSides): readonly number[] {
  const items = after.valueAt(table);
  if (table.length >= markedSteps || !Array.isArray(items)) return [];
  let count = 0;
  while (before.hasPath([...table, count])) count++;
  const places = [...Array(count).keys()];
  const parts = diffArrays(places, [...items.keys()], {
    comparator: (was, is) => before.hasValue([...table, was], items[is]!),
    maxEditLength,
  });
  if (parts === undefined) return places.slice(items.length);
  return parts.flatMap(({ removed, value }) => (removed ? value : []));
}

/** What was removed: a member of a document, or the document. */
interface Removed {
  readonly document: { readonly content: string };
  readonly steps: Steps;
}

/** Returns of the items that are gone the one that stood in what was removed; all of them where that cannot be known. */
export function goneItemOf(table: Steps, removed: Removed, sides: KnownSides): readonly number[] {
  const gone = goneItems(table, sides);
  if (gone.length < 2) return gone;
  const at = removed.steps.at(-1);
  const shown = shownValues(removed);
  const isShown = (place: number): boolean => {
    return shown.some((value) => isItem([...table, place], value, sides.before));
  };
  // Marks are short: of thousands of items one may pass for another. What is at the same place in the values comes first.
  if (typeof at === 'number' && isShown(at)) return [at];
  const found = gone.find(isShown);
  if (found !== undefined) return [found];
  return typeof at === 'number' && gone.includes(at) ? [at] : gone;
}

function isItem(path: Steps, value: GoValue, before: KnownInputs): boolean {
  return before.hasValue(path, value) || (typeof value === 'string' && before.hasValue([...path, 'name'], value));
}

function shownValues({ document: { content }, steps }: Removed): readonly GoValue[] {
  // An object that is made for an item bears its name.
  if (steps.length === 0) return partsOfName(content);
  const [first, last] = memberLines(content, steps.map(String)) ?? [1, 0];
  const lines = content.split('\n').slice(first - 1, last);
  try {
    const value = parseYaml(lines.join('\n'));
    const item = Array.isArray(value) && value.length === 1 ? value[0]! : value;
    // Of `--zone=east` also `east`.
    const pieces = typeof item === 'string' && item.length < longestText ? item.split(/[^\w.-]+/) : [];
    return [value, item, ...pieces.filter((piece) => piece !== '' && piece !== item)];
  } catch (error) {
    if (error instanceof GoError) return [];
    throw error;
  }
}

const longestText = 1000;
const mostParts = 12;

/** Returns the name of an object, and every run of the words in it: of `shop-east-1` also `east` and `east-1`. The longest first. */
export function partsOfName(content: string): readonly string[] {
  const [first] = memberLines(content, ['metadata', 'name']) ?? [];
  const line = first === undefined ? '' : (content.split('\n')[first - 1] ?? '');
  const name = /\bname:\s*["']?([\w.-]+)/.exec(line)?.[1] ?? '';
  const words = name.split('-').slice(0, mostParts);
  const runs = words.flatMap((_, from) => words.slice(from).map((__, more) => words.slice(from, from + more + 1)));
  return [name, ...runs.map((run) => run.join('-'))].sort((a, b) => b.length - a.length);
}
