// Charts that somebody hands over while the emulator runs: they come before all others, for any source that an Order names.

import type { Renderer, UploadedChart } from './renderer.ts';

/** The charts that were handed over; of the same name and version the last one. */
export interface UploadedCharts {
  readonly charts: readonly UploadedChart[];
  /** Takes a chart; of more than a hundred the oldest goes. */
  add(chart: UploadedChart): void;
  /** Forgets every chart that came by `add`. Returns how many they were. */
  clear(): number;
}

const most = 100;

/** Returns a uploads that holds nothing but charts of its own, which stay. */
export function createUploadedCharts(own: readonly UploadedChart[] = []): UploadedCharts {
  const added: UploadedChart[] = [];
  const charts: UploadedChart[] = [...own];
  const keyOf = ({ chart: { metadata } }: UploadedChart): string => `${metadata.name} ${metadata.version}`;
  // What was added hides its like among those of its own.
  const show = (): void => {
    const hidden = new Set(added.map(keyOf));
    charts.splice(0, charts.length, ...own.filter((one) => !hidden.has(keyOf(one))), ...added);
  };
  return {
    charts,
    add: (uploaded) => {
      const known = added.findIndex((one) => keyOf(one) === keyOf(uploaded));
      if (known >= 0) added.splice(known, 1);
      added.push({ ...uploaded, isDropped: true });
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

/** A renderer that renders uploaded charts, too. */
export interface UploadRenderer extends Renderer {
  readonly uploads: UploadedCharts;
}

/** Returns a renderer as a function of its own that carries the charts uploaded for it. */
export function withUploads(renderer: Renderer, uploads: UploadedCharts): UploadRenderer {
  const render: Renderer = (job) => renderer(job);
  return Object.assign(render, { uploads });
}
