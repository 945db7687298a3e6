// Analyzes a chart for an editor: parses it, renders all of its cases, and places what is found in the chart's files.

import { type ReleaseOptions, renderWith } from '../api/chart.ts';
import type { Chart } from '../chart/chart.ts';
import { loadChart } from '../chart/load.ts';
import { RenderError } from '../core/errors.ts';
import { seededHost } from '../core/host.ts';
import { listTemplateFiles, parsedFiles } from '../coverage/measure.ts';
import { helmOf } from '../helm/versions.ts';
import type { AnalyzedCase, AnalyzedChart, CaseRun, ChartAnalysis, ChartSnapshot, Problem } from './model.ts';
import { ReadRuns } from './observe.ts';
import {
  addObjectProblems,
  failureOfCase,
  fileProblem,
  loadProblems,
  ProblemList,
  parseProblem,
  unreadProblems,
} from './problems.ts';
import { templateCalls, templateDefinitions } from './template-nodes.ts';
import { ChartTexts } from './texts.ts';
import { chartValues, listReferences, listValueKeys, reachedParts } from './uses.ts';

/** Parses a chart, renders it for its cases, and places what is found. Never fails for what its author wrote. */
export async function analyzeChart(snapshot: ChartSnapshot): Promise<AnalyzedChart | Pick<AnalyzedChart, 'analysis'>> {
  const files = new ChartTexts(snapshot.files);
  const cases = snapshot.cases.map(({ name }) => name);
  const incomplete = (problems: readonly Problem[]) => ({ analysis: { ...nothingKnown, cases, problems } });
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
  const problems = new ProblemList(cases.length);
  for (const run of runs) {
    for (const problem of failureOfCase(run, chart, files)) problems.add(problem, run.given.name);
  }
  await addObjectProblems(problems, runs, { chart, files });
  // Not those of packed sub-charts.
  const own = templates.filter(({ path }) => files.has(path));
  const trees = own.flatMap((template) => parsedFiles(template).map((tree) => ({ path: template.path, tree })));
  const analysis: ChartAnalysis = {
    isComplete: true,
    cases,
    problems: [...(snapshot.faults ?? []).map(fileProblem), ...problems.list(), ...unreadProblems(chart, runs, files)],
    references: listReferences(trees, runs, files),
    keys: listValueKeys(snapshot, chart, files),
    definitions: own.flatMap(({ path }) => templateDefinitions(files.text(path)).map((name) => ({ ...name, path }))),
    calls: trees.flatMap(({ path, tree }) => templateCalls(tree).map((name) => ({ ...name, path }))),
    reached: trees.flatMap((tree) => reachedParts(tree, runs, files)),
    values: chartValues(chart),
  };
  return { snapshot, chart, runs, analysis };
}

/** What is known of a chart before it was read. */
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

/** Renders a chart for a case. */
function renderCase(chart: Chart, given: AnalyzedCase, { helm, skipSchemaValidation }: ChartSnapshot): CaseRun {
  const { valuesFiles, set, kubeVersion, apiVersions, isUpgrade } = given;
  const options: ReleaseOptions = {
    helm,
    skipSchemaValidation,
    valuesFiles,
    set,
    kubeVersion,
    apiVersions,
    isUpgrade,
    host: seededHost(),
    limits: renderingLimits,
  };
  const runs = new ReadRuns();
  try {
    const release = renderWith(chart, options, { runs, reads: runs.paths.reads });
    return { given, options, runs, release, error: undefined };
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    return { given, options, runs, release: undefined, error };
  }
}

// An editor waits for it.
const renderingLimits = { milliseconds: 10_000 };
