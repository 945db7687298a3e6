// Charts that somebody hands over while the emulator runs: they stand before all others, whatever an Order says of their source.

import type { Renderer, ShelvedChart } from './renderer.ts';

/** The charts that were handed over; of the same name and version the last one. */
export interface UploadedCharts {
  readonly charts: readonly ShelvedChart[];
  /** Takes a chart; of more than a hundred the oldest goes. */
  add(chart: ShelvedChart): void;
  /** Forgets every chart that came by `add`. Returns how many they were. */
  clear(): number;
}

const most = 100;

/** Returns a shelf that holds nothing but charts of its own, which stay. */
export function createUploadedCharts(own: readonly ShelvedChart[] = []): UploadedCharts {
  const added: ShelvedChart[] = [];
  const charts: ShelvedChart[] = [...own];
  const keyOf = ({ chart: { metadata } }: ShelvedChart): string => `${metadata.name} ${metadata.version}`;
  // What was added hides its like among those of its own.
  const show = (): void => {
    const hidden = new Set(added.map(keyOf));
    charts.splice(0, charts.length, ...own.filter((one) => !hidden.has(keyOf(one))), ...added);
  };
  return {
    charts,
    add: (shelved) => {
      const known = added.findIndex((one) => keyOf(one) === keyOf(shelved));
      if (known >= 0) added.splice(known, 1);
      added.push(shelved);
      if (added.length > most) added.shift();
      show();
    },
    clear: () => {
      const { length } = added;
      added.length = 0;
      show();
      return length;
    },
  };
}

const shelves = new WeakMap<Renderer, UploadedCharts>();

/** Returns where a renderer finds what is handed over. */
export function keepShelf(renderer: Renderer, shelf: UploadedCharts): void {
  shelves.set(renderer, shelf);
}

/** Returns the shelf of a renderer; undefined for one that somebody else made. */
export function shelfOf(renderer: Renderer): UploadedCharts | undefined {
  return shelves.get(renderer);
}
