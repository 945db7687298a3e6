// Which parts of a chart's templates run, over any number of renderings: the front door of coverage.

import type { Chart } from '../chart/chart.ts';
import { chartArgument } from '../chart/check.ts';
import { checkArguments, flag, having, listOf, membersOf, oneOf, optionsOf, text } from '../core/arguments.ts';
import { RenderError } from '../core/errors.ts';
import { type Host, hostArgument, realHost } from '../core/host.ts';
import { type SubchartUnread, subchartDefaults, unreadDefaults } from '../coverage/defaults.ts';
import { coverageCobertura, coverageJson, coverageLcov } from '../coverage/formats.ts';
import { coverageHtml } from '../coverage/html.ts';
import { type Coverage, type CoveredCase, type MeasureOptions, measure, totalsOf } from '../coverage/measure.ts';
import { coverageText } from '../coverage/text.ts';
import type { RenderedRelease } from '../engine/release.ts';
import { WatchedRuns } from '../template/watched.ts';
import { unreadPaths } from '../validation/checks/unread.ts';
import { unreadInSubcharts } from '../validation/checks/unread-subcharts.ts';
import { Reads } from '../values/reads.ts';
import { type ReleaseOptions, releaseChecks, renderWith } from './chart.ts';

/** One rendering whose run counts. */
export interface CoverageCase extends ReleaseOptions {
  /** What reports call it, such as the name of its values file. */
  readonly name: string;
}

/** The options of `coverChart`. */
export interface CoverageOptions {
  /** The renderings. Default: one, with the chart's defaults. */
  readonly cases?: readonly CoverageCase[] | undefined;
  /** Whether the templates and defaults of sub-charts count too. Default false. */
  readonly subcharts?: boolean | undefined;
}

const coverageOptions = optionsOf<CoverageOptions>({
  cases: listOf(isCase()),
  subcharts: flag,
});

function isCase(): ReturnType<typeof membersOf<CoverageCase>> {
  return membersOf<CoverageCase>({ ...releaseChecks, name: text }, ['name']);
}

/** What a rendering takes along to be counted. */
export interface CoverageWatches {
  readonly runs?: WatchedRuns;
  readonly reads?: Reads;
}

/** Counts over the renderings of a chart, which its caller makes. */
export class CoverageCounter {
  readonly #chart: Chart;
  readonly #options: MeasureOptions;
  readonly #runs = new WatchedRuns();
  readonly #cases: CoveredCase[] = [];
  readonly #unread: ReturnType<typeof unreadPaths>[] = [];
  readonly #subcharts: SubchartUnread[] = [];

  constructor(chart: Chart, options: MeasureOptions) {
    this.#chart = chart;
    this.#options = options;
  }

  /** Counts one rendering, which takes what it is handed along. Returns what it gives, and throws what it throws. */
  count(name: string, render: (watches: CoverageWatches) => RenderedRelease): RenderedRelease {
    try {
      const release = render({ runs: this.#runs, reads: new Reads() });
      this.#unread.push(unreadPaths(this.#chart, release, this.#chart.values));
      if (this.#options.subcharts) this.#subcharts.push(...unreadInSubcharts(this.#chart, release));
      this.#cases.push({ name, failure: undefined });
      return release;
    } catch (error) {
      if (error instanceof RenderError) this.#cases.push({ name, failure: error });
      throw error;
    }
  }

  /** Returns what ran so far. */
  coverage(): Coverage {
    const chart = this.#chart;
    const runs = this.#runs;
    const cases = this.#cases;
    const unread = this.#unread;
    const subcharts = this.#subcharts;
    const files = measure(chart, runs, this.#options);
    return {
      chart: chart.metadata.name,
      cases,
      totals: totalsOf(files),
      files,
      defaults: unreadDefaults(chart, unread),
      subchartDefaults: subchartDefaults(subcharts),
    };
  }
}

/**
 * Renders a chart for each case and gives which actions, branches and named templates ran, and how often, and which defaults
 * nothing read. A case that fails is reported, and the others go on. Throws RenderError: ARGUMENT_INVALID.
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

/** Names the forms of coverage. */
export type CoverageFormat = 'text' | 'lcov' | 'cobertura' | 'json' | 'html';

/** The options of `formatCoverage`. */
export interface CoverageFormatOptions {
  /** Default `text`, a table for people. */
  readonly format?: CoverageFormat | undefined;
  /** What precedes the path of every file, such as `charts/web/`. Default: nothing. */
  readonly folder?: string | undefined;
  /** Returns the time that a Cobertura report holds. Default `realHost()`. */
  readonly host?: Host | undefined;
}

const formatOptions = optionsOf<CoverageFormatOptions>({
  format: oneOf(['text', 'lcov', 'cobertura', 'json', 'html'] satisfies readonly CoverageFormat[]),
  folder: text,
  host: hostArgument,
});
const coverageArgument = having<Coverage>('coverage, as coverChart gives it', {
  chart: text,
  cases: listOf(having('a case', { name: text })),
  files: listOf(having('a file', { path: text, source: text })),
});

/**
 * Returns coverage as a text: for people, or for what shows coverage. Throws RenderError: ARGUMENT_INVALID.
 * @example
 * writeFileSync('charts.lcov', formatCoverage(coverChart(chart), { format: 'lcov', folder: 'charts/web/' }));
 */
export function formatCoverage(coverage: Coverage, options: CoverageFormatOptions = {}): string {
  checkArguments('formatCoverage', ['coverage', coverage, coverageArgument], ['options', options, formatOptions]);
  const { format = 'text', folder = '', host = realHost() } = options;
  const placed = [{ coverage, folder }];
  if (format === 'html') return coverageHtml(placed);
  if (format === 'lcov') return coverageLcov(placed);
  if (format === 'json') return coverageJson(placed);
  return format === 'text' ? coverageText(coverage, folder) : coverageCobertura(placed, new Date(host.now()));
}
