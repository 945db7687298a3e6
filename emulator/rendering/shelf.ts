// Charts that somebody hands over while the emulator runs: they stand before all others, whatever an Order says of their source.

import type { Renderer, ShelvedChart } from './renderer.ts';

/** The charts that were handed over; of the same name and version the last one. */
export interface ChartShelf {
  readonly charts: readonly ShelvedChart[];
  /** Takes a chart; of more than a hundred the oldest goes. */
  add(chart: ShelvedChart): void;
}

const most = 100;

/** Gives an empty shelf. */
export function createShelf(): ChartShelf {
  const charts: ShelvedChart[] = [];
  const keyOf = ({ chart: { metadata } }: ShelvedChart): string => `${metadata.name} ${metadata.version}`;
  return {
    charts,
    add: (shelved) => {
      const known = charts.findIndex((one) => keyOf(one) === keyOf(shelved));
      if (known >= 0) charts.splice(known, 1);
      charts.push(shelved);
      if (charts.length > most) charts.shift();
    },
  };
}

const shelves = new WeakMap<Renderer, ChartShelf>();

/** Says where a renderer finds what is handed over. */
export function keepShelf(renderer: Renderer, shelf: ChartShelf): void {
  shelves.set(renderer, shelf);
}

/** Gives the shelf of a renderer; undefined for one that somebody else made. */
export function shelfOf(renderer: Renderer): ChartShelf | undefined {
  return shelves.get(renderer);
}
