// Finds the removed items of a list in the values, even if the earlier values are known by digests only.

import { diffArrays } from 'diff';
import { parseYaml } from '../../codec/yaml/parse.ts';
import { GoError, type GoValue } from '../../go/value.ts';
import { pathText, type Steps } from '../../values/paths.ts';
import { memberLines } from '../trace/object.ts';
import { type KnownInputs, markedSteps } from './inputs.ts';

/** The values of both sides. */
export interface KnownSides {
  readonly before: KnownInputs;
  /** Available in full. */
  readonly after: KnownInputs;
}

// Lists with less in common are reported by their missing indexes at the end.
const maxEditLength = 500;

/** Returns the indexes (from 0) of the items missing in the later list, by the shortest edit; empty if it is not a list. */
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

/** Returns the removed item that belongs to what was removed; all of them if that is unknown. */
export function goneItemOf(table: Steps, removed: Removed, sides: KnownSides): readonly number[] {
  const gone = goneItems(table, sides);
  if (gone.length < 2) return gone;
  const at = removed.steps.at(-1);
  const shown = shownValues(removed);
  const isShown = (place: number): boolean => {
    return shown.some((value) => isItem([...table, place], value, sides.before));
  };
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
  try {
    const value = parseYaml(lines.join('\n'));
    const item = Array.isArray(value) && value.length === 1 ? value[0]! : value;
    // For `--zone=east` also `east`.
    const pieces = typeof item === 'string' && item.length < longestText ? item.split(/[^\w.-]+/) : [];
    return [value, item, ...pieces.filter((piece) => piece !== '' && piece !== item)];
  } catch (error) {
    if (error instanceof GoError) return [];
    throw error;
  }
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
