// Reports which parts of a chart's templates are executed in any number of renderings.

import type { Chart } from '../chart/chart.ts';
import { chartArgument } from '../chart/check.ts';
import { checkArguments, flag, having, listOf, membersOf, oneOf, optionsOf, text } from '../core/arguments.ts';
import { RenderError } from '../core/errors.ts';
import { type Host, hostArgument, realHost } from '../core/host.ts';
import { unreadDefaults } from '../coverage/defaults.ts';
import { type Coverage, type CoveredCase, type MeasureOptions, measure, totalsOf } from '../coverage/measure.ts';
import { type CoverageFormat, formatCoverageReport } from '../coverage/report.ts';
import type { RenderedRelease } from '../engine/release.ts';
import { WatchedRuns } from '../template/runs.ts';
import { unreadPaths } from '../validation/checks/unread.ts';
import { Reads } from '../values/reads.ts';
import { type ReleaseOptions, releaseChecks, renderWith } from './chart.ts';

/** A rendering to count. */
export interface CoverageCase extends ReleaseOptions {
  /** The name in reports, such as that of its values file. */
  readonly name: string;
}

/** Options of `coverChart`. */
export interface CoverageOptions {
  /** The renderings. Default: one, with the chart's defaults. */
  readonly cases?: readonly CoverageCase[] | undefined;
  /** Whether the templates of subcharts count. Default false. */
  readonly subcharts?: boolean | undefined;
}

const coverageOptions = optionsOf<CoverageOptions>({
  cases: listOf(membersOf<CoverageCase>({ ...releaseChecks, name: text }, ['name'])),
  subcharts: flag,
});

/** Counters that a rendering receives as options. */
interface CoverageWatches {
  readonly runs?: WatchedRuns;
  readonly reads?: Reads;
}

export class CoverageCounter {
  readonly #chart: Chart;
  readonly #options: MeasureOptions;
  readonly #runs = new WatchedRuns();
  readonly #cases: CoveredCase[] = [];
  readonly #unread: ReturnType<typeof unreadPaths>[] = [];

  constructor(chart: Chart, options: MeasureOptions) {
    this.#chart = chart;
    this.#options = options;
  }

  /** Calls a function that renders with the given counters. Returns and throws what the function does. */
  count(name: string, render: (watches: CoverageWatches) => RenderedRelease): RenderedRelease {
    try {
      const release = render({ runs: this.#runs, reads: new Reads() });
      this.#unread.push(unreadPaths(this.#chart, release, this.#chart.values));
      this.#cases.push({ name, failure: undefined });
      return release;
    } catch (error) {
      if (error instanceof RenderError) this.#cases.push({ name, failure: error });
      throw error;
    }
  }

  coverage(): Coverage {
    const chart = this.#chart;
    const runs = this.#runs;
    const cases = this.#cases;
    const unread = this.#unread;
    const files = measure(chart, runs, this.#options);
    return {
      chart: chart.metadata.name,
      cases,
      totals: totalsOf(files),
      files,
      defaults: unreadDefaults(chart, unread),
    };
  }
}

/**
 * Renders a chart for each case and returns which actions, branches and named templates were executed, how often, and which defaults were
 * never read. A case that fails is reported and does not stop the others. Throws RenderError: ARGUMENT_INVALID.
 * @example
 * const { totals, files } = coverChart(chart, { cases: [{ name: 'with ingress', set: ['ingress.enabled=true'] }] });
 * const never = files.flatMap(({ path, actions }) =>
 *   actions.filter(({ count }) => count === 0).map(({ line, text }) => `${path}:${line} ${text}`),
 * );
 */
export function coverChart(chart: Chart, options: CoverageOptions = {}): Coverage {
  checkArguments('coverChart', ['chart', chart, chartArgument], ['options', options, coverageOptions]);
  const counter = new CoverageCounter(chart, { subcharts: options.subcharts ?? false });
  for (const item of options.cases ?? [{ name: 'defaults' }]) {
    try {
      counter.count(item.name, (watch) => renderWith(chart, item, watch));
    } catch (error) {
      if (!(error instanceof RenderError)) throw error;
    }
  }
  return counter.coverage();
}

/** Options of `formatCoverage`. */
export interface CoverageFormatOptions {
  /** Default `text`, a table for people. */
  readonly format?: CoverageFormat | undefined;
  /** Prefix of every path, such as `charts/web/`. Default: empty. */
  readonly folder?: string | undefined;
  /** Returns the time in a Cobertura report. Default `realHost()`. */
  readonly host?: Host | undefined;
}

const formatOptions = optionsOf<CoverageFormatOptions>({
  format: oneOf(['text', 'lcov', 'cobertura', 'json', 'html'] satisfies readonly CoverageFormat[]),
  folder: text,
  host: hostArgument,
});
const coverageArgument = having<Coverage>('coverage, as returned by coverChart', {
  chart: text,
  cases: listOf(having('a case', { name: text })),
  files: listOf(having('a file', { path: text, source: text })),
});

/**
 * Formats coverage for people or for other tools. Throws RenderError: ARGUMENT_INVALID.
 * @example
 * writeFileSync('charts.lcov', formatCoverage(coverChart(chart), { format: 'lcov', folder: 'charts/web/' }));
 */
export function formatCoverage(coverage: Coverage, options: CoverageFormatOptions = {}): string {
  checkArguments('formatCoverage', ['coverage', coverage, coverageArgument], ['options', options, formatOptions]);
  const { format = 'text', folder = '', host = realHost() } = options;
  return formatCoverageReport([{ coverage, folder }], format, { time: new Date(host.now()) });
}
