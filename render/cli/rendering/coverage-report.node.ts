// Coverage output of `drydock coverage` and `drydock snapshot --coverage`: reports, limits, exit codes.

import { writeFileSync } from 'node:fs';
import { dirname, extname, resolve } from 'node:path';
import { makeFolder } from '../../core/make-folder.node.ts';
import type { PlacedCoverage } from '../../coverage/formats.ts';
import {
  type CoverageFormat,
  type CoverageLimits,
  coverageSummary,
  formatCoverageReport,
  shortfalls,
} from '../../coverage/report.ts';
import { type ParsedFlags, UsageError } from '../flags.ts';
import type { CommandContext } from '../io.ts';

/** Parses --min and --min-branches. Throws UsageError. */
export function limitsOf(flags: ParsedFlags): CoverageLimits {
  const read = (name: string): number => {
    const percent = Number(flags.text(name) ?? 0);
    if (percent >= 0 && percent <= 100) return percent;
    throw new UsageError(`--${name} takes a number from 0 to 100`);
  };
  return { actions: read('min'), branches: read('min-branches') };
}

/** Prints the limits that charts miss. Returns whether there are any. */
export function printShortfalls(
  covered: readonly PlacedCoverage[],
  limits: CoverageLimits,
  { stderr }: Pick<CommandContext, 'stderr'>,
): boolean {
  const short = covered.flatMap((item) => shortfalls(item, limits));
  for (const message of short) stderr(`Error: ${message}\n`);
  return short.length > 0;
}

const endings: Readonly<Record<string, CoverageFormat>> = {
  '.html': 'html',
  '.info': 'lcov',
  '.json': 'json',
  '.lcov': 'lcov',
  '.txt': 'text',
  '.xml': 'cobertura',
};

// Throws UsageError for another extension.
function formatOfFile(file: string): CoverageFormat {
  const format = endings[extname(file).toLowerCase()];
  if (format !== undefined) return format;
  throw new UsageError(`--coverage-report takes a file that ends in ${Object.keys(endings).join(', ')}, not "${file}"`);
}

/** The coverage that a run of `snapshot` or `merge-reports` reports. */
export interface RequestedCoverage {
  /** Whether any flag requests it. */
  readonly isOn: boolean;
  /** Writes the reports, and prints the totals and what is missing. Returns whether coverage is below its limits. */
  readonly report: (
    covered: readonly PlacedCoverage[] | undefined,
    print: (text: string) => void,
    isPart?: boolean,
  ) => boolean;
}

/** Reads the flags for coverage. Throws UsageError for an invalid limit or report. */
export function requestedCoverage(flags: ParsedFlags, io: CommandContext): RequestedCoverage {
  const limits = limitsOf(flags);
  const reports = flags.list('coverage-report').map((file) => [file, formatOfFile(file)] as const);
  return {
    isOn: flags.on('coverage') || ['coverage-report', 'min', 'min-branches'].some((name) => flags.has(name)),
    report: (covered, print, isPart = false) => {
      if (covered === undefined) return false;
      for (const [file, format] of reports) {
        const target = resolve(io.cwd, file);
        makeFolder(dirname(target));
        writeFileSync(target, formatCoverageReport(covered, format));
      }
      if (!io.quiet) print(coverageSummary(covered));
      return !isPart && printShortfalls(covered, limits, io);
    },
  };
}
