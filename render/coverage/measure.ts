// Measures coverage of a chart's templates over all counted renderings: files with their parts, and totals.

import { type Chart, type ChartFile, childPath } from '../chart/chart.ts';
import { checkArguments, kind, membersOf } from '../core/arguments.ts';
import type { RenderError } from '../core/errors.ts';
import { LimitReached } from '../core/limits.ts';
import { parseFile, treesOf } from '../engine/trees.ts';
import { decodeUtf8 } from '../go/utf8.ts';
import { TemplateParseError } from '../template/failures.ts';
import { FileRuns, type Runs } from '../template/runs.ts';
import { type Sites, sitesOf } from './sites.ts';

/** How much of something was executed. */
export interface Share {
  readonly covered: number;
  readonly total: number;
}

/** Totals over files. */
export interface CoverageTotals {
  readonly actions: Share;
  /** Outcomes of branches. */
  readonly branches: Share;
  /** Named templates. */
  readonly templates: Share;
  /** Files with anything executed. */
  readonly files: Share;
}

/** A template file with its execution counts. */
export interface FileCoverage extends Sites {
  /** The path relative to the root chart's folder: `templates/web.yaml`, `charts/cache/templates/_names.tpl`. */
  readonly path: string;
  /** How often the file itself was rendered; 0 for partials, whose templates are called by others. */
  readonly count: number;
  /** What is in the file. */
  readonly source: string;
}

/** A default of a chart that no case reads. An entirely unread table is listed once. */
export interface UnreadDefault {
  /** For example `image.tag`. */
  readonly path: string;
  /** Line in the chart's values.yaml, from 1. */
  readonly line: number;
  /** Its description in the chart's comments or schema. */
  readonly description?: string;
}

/** The defaults in a chart's values.yaml. Failed cases do not count, because what they would have read is unknown. */
export interface DefaultsCoverage {
  /** Number of values that are neither tables nor non-empty lists. */
  readonly total: number;
  /** In the order of the file. Empty if no case succeeded. */
  readonly unread: readonly UnreadDefault[];
}

/** A rendered case. */
export interface CoveredCase {
  readonly name: string;
  /** Why it failed; what was executed before that counts. Undefined if it succeeded. */
  readonly failure: RenderError | undefined;
}

/** The coverage of a chart's templates. */
export interface Coverage {
  /** The name of the chart. */
  readonly chart: string;
  readonly cases: readonly CoveredCase[];
  readonly totals: CoverageTotals;
  /** All template files, including partials and notes, sorted by path. */
  readonly files: readonly FileCoverage[];
  readonly defaults: DefaultsCoverage;
}

export interface MeasureOptions {
  readonly subcharts: boolean;
}

export interface TemplateFile {
  /** The path relative to the root chart's folder. */
  readonly path: string;
  readonly file: ChartFile;
  /** The path of its chart, as in the names of templates. */
  readonly chartPath: string;
}

export function listTemplateFiles(chart: Chart, { subcharts }: MeasureOptions): TemplateFile[] {
  const files: TemplateFile[] = [];
  const visit = (current: Chart, folder: string, chartPath: string): void => {
    for (const file of current.templates) files.push({ path: `${folder}${file.name}`, file, chartPath });
    if (!subcharts) return;
    for (const child of current.children) {
      visit(child, `${folder}charts/${child.metadata.name}/`, childPath(chartPath, child));
    }
  };
  visit(chart, '', chart.metadata.name);
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

export function measure(chart: Chart, runs: Runs, options: MeasureOptions): FileCoverage[] {
  return listTemplateFiles(chart, options).map((file) => measureFile(file, runs));
}

/** Merges two runs over the same chart. A default is unread if neither read it. */
export function joinCoverage(a: Coverage, b: Coverage): Coverage {
  const files = a.files.map((file) => {
    const other = b.files.find(({ path }) => path === file.path);
    return other === undefined ? file : { ...file, ...added(file, other) };
  });
  const isRead = (paths: Coverage): boolean => paths.cases.some(({ failure }) => failure === undefined);
  const both = a.defaults.unread.filter(({ path }) => b.defaults.unread.some((one) => one.path === path));
  // If all cases failed, what they read is unknown.
  const unread = !isRead(a) ? b.defaults.unread : !isRead(b) ? a.defaults.unread : both;
  return {
    chart: a.chart,
    cases: [...a.cases, ...b.cases],
    totals: totalsOf(files),
    files,
    defaults: { total: a.defaults.total, unread },
  };
}

export function totalsOf(files: readonly FileCoverage[]): CoverageTotals {
  const outcomes = files.flatMap(({ branches }) => branches.flatMap((branch) => branch.outcomes));
  return {
    actions: shareOf(files.flatMap(({ actions }) => actions)),
    branches: shareOf(outcomes),
    templates: shareOf(files.flatMap(({ templates }) => templates)),
    files: { covered: files.filter(hasRun).length, total: files.length },
  };
}

const amount = kind('a number', (value) => typeof value === 'number' && Number.isFinite(value));
const shareArgument = membersOf<Share>({ covered: amount, total: amount }, ['covered', 'total']);

/**
 * Returns the covered share in percent, from 0 to 100; 100 if there is nothing to cover. Throws ARGUMENT_INVALID.
 * @example
 * const percent = percentOf(coverChart(chart).totals.branches);
 */
export function percentOf(share: Share): number {
  checkArguments('percentOf', ['share', share, shareArgument]);
  const { covered, total } = share;
  return total === 0 ? 100 : (covered / total) * 100;
}

function shareOf(parts: readonly { readonly count: number }[]): Share {
  return { covered: parts.filter(({ count }) => count > 0).length, total: parts.length };
}

function hasRun({ count, actions, templates }: FileCoverage): boolean {
  return count > 0 || [...actions, ...templates].some((part) => part.count > 0);
}

// A subchart under two names has each file parsed twice: one file with the sum of both counts.
function measureFile(template: TemplateFile, runs: Runs): FileCoverage {
  const { path, file } = template;
  const measured = parsedFiles(template).map((tree) => {
    const { source, body } = tree.templates.get(tree.name) ?? {};
    const counts = source === undefined ? noRuns : runs.of(source);
    return { ...sitesOf(tree, counts), count: body === undefined ? 0 : counts.started(body) };
  });
  const [first = { ...noSites, count: 0 }, ...more] = measured;
  return { path, ...more.reduce(added, first), source: decodeUtf8(file.data) };
}

const noRuns = new FileRuns();
const noSites: Sites = { actions: [], branches: [], templates: [] };

/** Returns the parsed trees of a file: one for each path that it is used under, or one if no rendering has used it. */
export function parsedFiles({ file, chartPath }: TemplateFile): ReturnType<typeof treesOf> {
  const trees = treesOf(file);
  if (trees.length > 0) return trees;
  try {
    return [parseFile(`${chartPath}/${file.name}`, file)];
  } catch (error) {
    if (error instanceof TemplateParseError || error instanceof LimitReached) return [];
    throw error;
  }
}

type Counted = Sites & { readonly count: number };

function added(a: Counted, b: Counted): Counted {
  const sum = <T extends { readonly count: number }>(one: T, other: T | undefined): T => ({
    ...one,
    count: one.count + (other?.count ?? 0),
  });
  return {
    count: a.count + b.count,
    actions: a.actions.map((action, i) => sum(action, b.actions[i])),
    templates: a.templates.map((template, i) => sum(template, b.templates[i])),
    branches: a.branches.map((branch, i) => ({
      ...branch,
      outcomes: branch.outcomes.map((outcome, j) => sum(outcome, b.branches[i]?.outcomes[j])),
    })),
  };
}
