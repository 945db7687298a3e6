// Analyzes a chart for an editor: parses it, renders all of its cases, and places what is found in the chart's files.

import { type ReleaseOptions, renderWith } from '../api/chart.ts';
import type { Chart, ChartFile } from '../chart/chart.ts';
import { loadChart } from '../chart/load.ts';
import { RenderError } from '../core/errors.ts';
import { seededHost } from '../core/host.ts';
import { listTemplateFiles, parsedFiles } from '../coverage/measure.ts';
import { withFewPrimes } from '../engine/randomness.ts';
import { helmOf } from '../helm/versions.ts';
import { isPartial } from '../manifest/sort.ts';
import type {
  AnalyzedCase,
  AnalyzedChart,
  CaseRun,
  ChartAnalysis,
  ChartSnapshot,
  EditorProblem,
  LoadedSnapshot,
} from './model.ts';
import {
  addObjectProblems,
  failureOfCase,
  fileProblem,
  loadProblems,
  ProblemList,
  parseProblem,
  unreadProblems,
} from './problems.ts';
import { ReadRuns, templateCalls, templateDefinitions } from './template-nodes.ts';
import { ChartTexts } from './texts.ts';
import { chartValues, listReferences, listValueKeys, reachedParts } from './uses.ts';

/** Parses a chart, renders it for its cases, and places the problems in its files. Never fails because of the chart. */
export async function analyzeChart(snapshot: ChartSnapshot): Promise<AnalyzedChart | Pick<AnalyzedChart, 'analysis'>> {
  const files = new ChartTexts(snapshot.files);
  const cases = snapshot.cases.map(({ name }) => name);
  const incomplete = (problems: readonly EditorProblem[]) => ({ analysis: { ...nothingKnown, cases, problems } });
  let chart: Chart;
  try {
    chart = loadSnapshot(snapshot);
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    return incomplete(loadProblems(error, files));
  }
  const templates = listTemplateFiles(chart, { subcharts: true });
  const broken = templates.flatMap((template) => parseProblem(template, files, helmOf(snapshot.helm)));
  if (broken.length > 0) return incomplete(broken);
  const runs = snapshot.cases.map((given) => renderCase(chart, given, snapshot));
  const problems = await problemsOf(runs, { chart, files, count: cases.length });
  // Without those of packed subcharts.
  const own = templates.filter(({ path }) => files.has(path));
  const trees = own.flatMap((template) => parsedFiles(template).map((tree) => ({ path: template.path, tree })));
  const analysis: ChartAnalysis = {
    isComplete: true,
    cases,
    problems: [...(snapshot.faults ?? []).map(fileProblem), ...problems, ...unreadProblems(chart, runs, files)],
    references: listReferences(trees, runs, files),
    keys: listValueKeys(snapshot, chart, files),
    definitions: own.flatMap(({ path }) => templateDefinitions(files.text(path)).map((name) => ({ ...name, path }))),
    calls: trees.flatMap(({ path, tree }) => templateCalls(tree).map((name) => ({ ...name, path }))),
    reached: trees.flatMap((tree) => reachedParts(tree, runs, files)),
    values: chartValues(chart),
  };
  return { snapshot, chart, runs, analysis };
}

/**
 * Renders one template of a chart with a new text, for all cases, and returns the problems in that text. Much faster than an analysis of
 * the chart, but changes that other templates make to shared values are missing. Returns undefined for a file that is not rendered by
 * itself, such as a partial. Never fails for what its author wrote.
 */
export async function analyzeTemplate(
  { snapshot, chart: last }: LoadedSnapshot,
  path: string,
  text: string,
): Promise<readonly EditorProblem[] | undefined> {
  const template = listTemplateFiles(last, { subcharts: true }).find((one) => one.path === path);
  if (template === undefined || isPartial(path)) return undefined;
  const { chartPath, file } = template;
  const edited = { ...file, data: new TextEncoder().encode(text) };
  const files = new ChartTexts(new Map(snapshot.files).set(path, text));
  const broken = parseProblem({ ...template, file: edited }, files, helmOf(snapshot.helm));
  if (broken.length > 0) return broken;
  const chart = withTemplate(last, file, edited);
  const cases = snapshot.cases.filter(({ fails }) => fails !== true);
  const runs = cases.map((given) => renderCase(chart, given, snapshot, `${chartPath}/${file.name}`));
  const found = await problemsOf(runs, { chart, files, count: snapshot.cases.length });
  return found.filter((problem) => problem.path === path);
}

// Returns a chart in which one template file has been replaced, its own or a subchart's.
function withTemplate(chart: Chart, file: ChartFile, edited: ChartFile): Chart {
  return {
    ...chart,
    templates: chart.templates.map((one) => (one === file ? edited : one)),
    children: chart.children.map((child) => withTemplate(child, file, edited)),
  };
}

/** Returns the findings of the renderings of `count` cases. */
async function problemsOf(
  runs: readonly CaseRun[],
  { chart, files, count }: { readonly chart: Chart; readonly files: ChartTexts; readonly count: number },
): Promise<readonly EditorProblem[]> {
  const problems = new ProblemList(count);
  for (const run of runs) {
    for (const problem of failureOfCase(run, chart, files)) problems.add(problem, run.given.name);
  }
  await addObjectProblems(problems, runs, { chart, files });
  return problems.list();
}

/** What is known of a chart before it is loaded. */
export const nothingKnown: ChartAnalysis = {
  isComplete: false,
  cases: [],
  problems: [],
  references: [],
  keys: [],
  definitions: [],
  calls: [],
  reached: [],
  values: { name: '', values: '', schema: undefined, charts: [] },
};

/** Loads the chart of a snapshot. Throws RenderError: CHART_INVALID. */
export function loadSnapshot({ files, helm }: ChartSnapshot): Chart {
  return loadChart(files, helm === undefined ? {} : { helm });
}

/** Renders a chart, or only one of its templates, for a case. */
function renderCase(
  chart: Chart,
  given: AnalyzedCase,
  { helm, skipSchemaValidation }: ChartSnapshot,
  only?: string,
): CaseRun {
  const { valuesFiles, set, kubeVersion, apiVersions, isUpgrade } = given;
  const options: ReleaseOptions = {
    helm,
    skipSchemaValidation,
    valuesFiles,
    set,
    kubeVersion,
    apiVersions,
    isUpgrade,
    host: withFewPrimes(seededHost()),
    limits: renderingLimits,
  };
  const runs = new ReadRuns();
  try {
    const release = renderWith(chart, options, { runs, reads: runs.paths.reads, only });
    const crds = only === undefined ? release.crds : [];
    return { given, options, only, runs, release: { ...release, crds }, error: undefined };
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    return { given, options, only, runs, release: undefined, error };
  }
}

// An editor waits for it.
const renderingLimits = { milliseconds: 10_000 };
