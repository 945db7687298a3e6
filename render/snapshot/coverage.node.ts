// The coverage of the charts in a run, counted while their cases are rendered.

import { CoverageCounter } from '../api/coverage.ts';
import type { Chart } from '../chart/chart.ts';
import { folderPrefix } from '../core/paths.node.ts';
import type { PlacedCoverage } from '../coverage/formats.ts';

type Count = CoverageCounter['count'];

/** Counts for all charts of a run. */
export interface SnapshotCoverage {
  /** Returns a counter for the renderings of the chart at a path. */
  readonly counterFor: (path: string, chart: Chart) => Count;
  /** Returns the counts as plain data; undefined if nothing is counted. */
  readonly data: () => readonly PlacedCoverage[] | undefined;
}

export const noCoverage: SnapshotCoverage = {
  counterFor: () => (_name, render) => render({}),
  data: () => undefined,
};

/** Returns counts for charts, whose files are named relative to a folder. */
export function createCoverage(cwd: string): SnapshotCoverage {
  const counters = new Map<string, CoverageCounter>();
  return {
    counterFor: (path, chart) => {
      const counter = counters.get(path) ?? new CoverageCounter(chart, { subcharts: false });
      counters.set(path, counter);
      return (name, render) => counter.count(name, render);
    },
    data: () =>
      [...counters].map(([path, counter]) => ({ coverage: counter.coverage(), folder: folderPrefix(path, cwd) })),
  };
}
