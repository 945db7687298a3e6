// The coverage of the charts in a run of `drydock snapshot`, counted while their cases are rendered.

import { writeFileSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';
import { CoverageCounter } from '../../api/coverage.ts';
import type { Chart } from '../../chart/chart.ts';
import { makeFolder } from '../../core/make-folder.node.ts';
import type { PlacedCoverage } from '../../coverage/formats.ts';
import { coverageTable } from '../../coverage/text.ts';
import type { ParsedFlags } from '../flags.ts';
import type { CommandContext } from '../io.ts';
import {
  formatCoverageReport,
  formatOfFile,
  limitsOf,
  shortfalls,
  summaryLine,
} from '../rendering/coverage-report.node.ts';

type Count = CoverageCounter['count'];

/** Counts for all charts of a run, if requested by any flag. */
export class SnapshotCoverage {
  readonly #io: CommandContext;
  readonly #isOn: boolean;
  readonly #limits: ReturnType<typeof limitsOf>;
  readonly #reports: readonly (readonly [file: string, format: ReturnType<typeof formatOfFile>])[];
  readonly #counters = new Map<string, CoverageCounter>();

  /** Counts nothing if it is off. Throws UsageError for an invalid limit or report. */
  constructor(flags: ParsedFlags, io: CommandContext, isOn = true) {
    this.#io = io;
    this.#isOn =
      isOn && (flags.on('coverage') || ['coverage-report', 'min', 'min-branches'].some((name) => flags.has(name)));
    this.#limits = limitsOf(flags);
    this.#reports = flags.list('coverage-report').map((file) => [file, formatOfFile(file)]);
  }

  /** Returns a counter for the renderings of the chart at a path; without a request it only renders. */
  counterFor(path: string, chart: Chart): Count {
    if (!this.#isOn) return (_name, render) => render({});
    const counter = this.#counters.get(path) ?? new CoverageCounter(chart, { subcharts: false });
    this.#counters.set(path, counter);
    return (name, render) => counter.count(name, render);
  }

  /** Returns the counts as plain data; undefined if not requested. */
  data(): readonly PlacedCoverage[] | undefined {
    if (!this.#isOn) return undefined;
    return [...this.#counters].map(([path, counter]) => {
      const folder = relative(this.#io.cwd, path).split(sep).join('/');
      return { coverage: counter.coverage(), folder: folder === '' ? '' : `${folder}/` };
    });
  }

  /** Writes the reports, and prints the totals and what is missing. Returns whether coverage is below its limits. */
  report(print: (text: string) => void, isPart = false): boolean {
    return this.reportOn(this.data(), print, isPart);
  }

  /** Does the same for counts of other runs. */
  reportOn(covered: readonly PlacedCoverage[] | undefined, print: (text: string) => void, isPart = false): boolean {
    if (covered === undefined) return false;
    for (const [file, format] of this.#reports) {
      const target = resolve(this.#io.cwd, file);
      makeFolder(dirname(target));
      writeFileSync(target, formatCoverageReport(covered, format));
    }
    if (!this.#io.quiet) print(covered.length > 1 ? coverageTable(covered) : covered.map(summaryLine).join(''));
    if (isPart) return false;
    const short = covered.flatMap((item) => shortfalls(item, this.#limits));
    for (const message of short) this.#io.stderr(`Error: ${message}\n`);
    return short.length > 0;
  }
}
