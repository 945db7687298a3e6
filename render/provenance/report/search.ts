// Search in a report: objects by title, values by path, lines by text.

import type { ReportData } from './data.ts';

/** A match: a line (from 0) of an object. */
export interface Hit {
  readonly object: number;
  readonly line: number;
  readonly text: string;
}

export interface Hits {
  readonly name: 'Objects' | 'Values' | 'Lines';
  readonly hits: readonly Hit[];
  /** Number of further matches. */
  readonly more: number;
}

const maxHits = 200;

/** Searches without case sensitivity. An empty query matches all objects. */
export function search(data: ReportData, words: string): readonly Hits[] {
  const wanted = words.trim().toLowerCase();
  const isWanted = (text: string): boolean => text.toLowerCase().includes(wanted);
  const titles = data.objects.map(({ title }, object): Hit => ({ object, line: 0, text: title }));
  if (wanted === '') return [{ name: 'Objects', hits: titles, more: 0 }];
  const objects = titles.filter(({ object, text }) => isWanted(text) || isWanted(data.objects[object]!.source));
  // Every line that a value affects, except those where it only decides.
  const paths = new Map(data.values.flatMap(({ path }, at) => (isWanted(path) ? [[at, path]] : [])));
  const values = data.objects.flatMap(({ title, parts }, object) =>
    parts.flatMap((own, line): Hit[] => {
      const [value] = own.flatMap(([, , , read]) => read).find(([at, how]) => how < 2 && paths.has(at)) ?? [];
      return value === undefined ? [] : [{ object, line, text: `${paths.get(value)} in ${title}:${line + 1}` }];
    }),
  );
  const lines = data.objects.flatMap((one, object) =>
    one.lines.flatMap((text, line): Hit[] => {
      const shown = `${text.trim().slice(0, 120)} in ${one.title}:${line + 1}`;
      return isWanted(text) ? [{ object, line, text: shown }] : [];
    }),
  );
  return [{ name: 'Objects', hits: objects, more: 0 }, first('Values', values), first('Lines', lines)];
}

function first(name: Hits['name'], hits: readonly Hit[]): Hits {
  return { name, hits: hits.slice(0, maxHits), more: Math.max(hits.length - maxHits, 0) };
}
