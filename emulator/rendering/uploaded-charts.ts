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
  /** Sets the function that is called after each change by `add` and `clear`. */
  onChange(listener: () => void): void;
}

const most = 100;

/** Returns an empty list of uploaded charts. */
export function createUploadedCharts(): UploadedCharts {
  let provided: readonly UploadedChart[] = [];
  let added: readonly UploadedChart[] = [];
  let changed = (): void => {};
  const keyOf = ({ chart: { metadata } }: UploadedChart): string => `${metadata.name} ${metadata.version}`;
  const without = (charts: readonly UploadedChart[], hidden: readonly UploadedChart[]): readonly UploadedChart[] => {
    const keys = new Set(hidden.map(keyOf));
    return charts.filter((one) => !keys.has(keyOf(one)));
  };
  return {
    list: () => [...without(provided, added), ...added],
    add: (uploaded) => {
      added = [...without(added, [uploaded]), { ...uploaded, isDropped: true }].slice(-most);
      changed();
    },
    clear: () => {
      const { length } = added;
      added = [];
      changed();
      return length;
    },
    provide: (charts) => {
      provided = charts;
    },
    onChange: (listener) => {
      changed = listener;
    },
  };
}
