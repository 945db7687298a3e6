// Charts uploaded to a running emulator: they take precedence over all others, for any source in an Order.

import type { Renderer, UploadedChart } from './renderer.ts';

/** The uploaded charts; of the same name and version the last one. */
export interface UploadedCharts {
  readonly charts: readonly UploadedChart[];
  /** Adds a chart; beyond a hundred the oldest is dropped. */
  add(chart: UploadedChart): void;
  /** Removes all charts added by `add`. Returns their number. */
  clear(): number;
}

const most = 100;

/** Returns uploads with permanent charts. */
export function createUploadedCharts(own: readonly UploadedChart[] = []): UploadedCharts {
  const added: UploadedChart[] = [];
  const charts: UploadedChart[] = [...own];
  const keyOf = ({ chart: { metadata } }: UploadedChart): string => `${metadata.name} ${metadata.version}`;
  // An added chart hides a permanent one with the same name and version.
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

/** A renderer that supports uploaded charts. */
export interface UploadRenderer extends Renderer {
  readonly uploads: UploadedCharts;
}

/** Returns a renderer that carries its uploaded charts. */
export function withUploads(renderer: Renderer, uploads: UploadedCharts): UploadRenderer {
  const render: Renderer = (job) => renderer(job);
  return Object.assign(render, { uploads });
}
