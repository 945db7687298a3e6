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
  const objects = data.objects.flatMap(({ title, source }, object) =>
    wanted === '' || isWanted(title) || isWanted(source) ? [{ object, line: 0, text: title }] : [],
  );
  const found = [{ name: 'Objects' as const, hits: objects, more: 0 }];
  if (wanted === '') return found;
  return [...found, values(data, isWanted), lines(data, isWanted)];
}

// Every line that a value affects, except those where it only decides.
function values(data: ReportData, isWanted: (text: string) => boolean): Hits {
  const paths = new Set(data.values.flatMap(({ path }, at) => (isWanted(path) ? [at] : [])));
  const hits = new Hitlist();
  data.objects.forEach(({ title, parts }, object) => {
    parts.forEach((own, line) => {
      const value = own.flatMap(([, , , read]) => read).find(([at, how]) => how < 2 && paths.has(at));
      if (value !== undefined)
        hits.add({ object, line, text: `${data.values[value[0]]?.path} in ${title}:${line + 1}` });
    });
  });
  return { name: 'Values', ...hits.all() };
}

function lines(data: ReportData, isWanted: (text: string) => boolean): Hits {
  const hits = new Hitlist();
  data.objects.forEach((one, object) => {
    one.lines.forEach((text, line) => {
      if (isWanted(text)) hits.add({ object, line, text: `${text.trim().slice(0, 120)} in ${one.title}:${line + 1}` });
    });
  });
  return { name: 'Lines', ...hits.all() };
}

class Hitlist {
  readonly #hits: Hit[] = [];
  #more = 0;

  add(hit: Hit): void {
    if (this.#hits.length < maxHits) this.#hits.push(hit);
    else this.#more++;
  }

  all(): Pick<Hits, 'hits' | 'more'> {
    return { hits: this.#hits, more: this.#more };
  }
}
