// Groups entries of a definition that make the same change in several places, because a schema repeats what it uses often.

import type { DiffEntry, ObjectChange } from './difference.ts';

/** Entries with the same change. */
export interface AlikeEntries {
  /** The first of them, and its index among the entries of its object. */
  readonly entry: DiffEntry;
  readonly at: number;
  /** The paths of the others, in order. */
  readonly others: readonly string[];
}

/** Returns the entries of an object, with those of a CustomResourceDefinition grouped. */
export function alikeEntries({ kind, entries }: Pick<ObjectChange, 'kind' | 'entries'>): readonly AlikeEntries[] {
  if (kind !== 'CustomResourceDefinition') return entries.map((entry, at) => ({ entry, at, others: [] }));
  const groups = new Map<string, { entry: DiffEntry; at: number; others: string[] }>();
  for (const [at, entry] of entries.entries()) {
    const key = contentOf(entry);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { entry, at, others: [] });
    else group.others.push(entry.path);
  }
  return [...groups.values()];
}

// The template line differs for each place.
function contentOf({ path, steps: _, place: __, causes = [], ...content }: DiffEntry): string {
  const made = causes.map(({ kind, file, text }) => (kind === 'template' ? [kind, file] : [kind, text]));
  return JSON.stringify([wordsOf(path).at(-1), content, made]);
}

const mostShown = 20;

/** Returns a phrase for where else the same change occurs, or for the value in between. */
export function elsewhereText({ entry, others }: AlikeEntries): string {
  const paths = [entry.path, ...others].map(wordsOf);
  const shared = (side: (path: readonly string[], at: number) => string | undefined, most: number): number => {
    let count = 0;
    while (count < most && paths.every((path) => side(path, count) === side(paths[0]!, count))) count++;
    return count;
  };
  const shortest = Math.min(...paths.map(({ length }) => length));
  const from = shared((path, at) => path[at], shortest - 1);
  const left = shared((path, at) => path.at(-1 - at), shortest - 1 - from);
  const [own = '', ...rest] = paths.map((path) => middleText(path.slice(from, path.length - left)));
  const shown = rest.length > mostShown ? [...rest.slice(0, mostShown), `and ${rest.length - mostShown} more`] : rest;
  const count = rest.length === 1 ? 'once' : `${rest.length} times`;
  return `and ${count} more, in place of ${own}: ${shown.join(', ')}`;
}

function wordsOf(path: string): readonly string[] {
  return path.match(/\["(?:[^"\\]|\\.)*"\]|\[[^\]]*(?:\]|$)|[^.[\]]+/g) ?? [];
}

// Parts that every schema has at each level are omitted.
function middleText(words: readonly string[]): string {
  const specific = words.filter((word) => word !== 'properties' && word !== 'items');
  return (specific.length > 0 ? specific : words).join('.').replaceAll('.[', '[');
}
