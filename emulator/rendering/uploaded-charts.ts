// Charts uploaded to a running emulator: they take precedence over all others, for any source in an Order.

import type { UploadedChart } from './renderer.ts';

/** The uploaded charts; of the same name and version the last one. */
export interface UploadedCharts {
  /** Lists the charts: first the provided ones, then those that were added. */
  list(): readonly UploadedChart[];
  /** Adds a chart; beyond a hundred the oldest is dropped. */
  add(chart: UploadedChart): void;
  /** Removes all charts added by `add`. Returns their number. */
  clear(): number;
  /** Sets the charts that `clear` keeps. An added chart hides one with the same name and version. */
  provide(charts: readonly UploadedChart[]): void;
}

const most = 100;

export function createUploadedCharts(): UploadedCharts {
  let provided: readonly UploadedChart[] = [];
  let added: readonly UploadedChart[] = [];
  const keyOf = ({ chart: { metadata } }: UploadedChart): string => `${metadata.name} ${metadata.version}`;
  const without = (charts: readonly UploadedChart[], hidden: readonly UploadedChart[]): readonly UploadedChart[] => {
    const keys = new Set(hidden.map(keyOf));
    return charts.filter((one) => !keys.has(keyOf(one)));
  };
  return {
    list: () => [...without(provided, added), ...added],
    add: (uploaded) => {
      added = [...without(added, [uploaded]), { ...uploaded, isDropped: true }].slice(-most);
    },
    clear: () => {
      const { length } = added;
      added = [];
      return length;
    },
    provide: (charts) => {
      provided = charts;
    },
  };
}
