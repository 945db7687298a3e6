// The rendering thread of the language server, so that other requests are answered immediately.

import { dirname } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { inspectWith } from '../api/order.ts';
import { type Issue, messageOf, RenderError } from '../core/errors.ts';
import { splitPath } from '../core/paths.ts';
import { UsageError } from '../core/usage-error.ts';
import { decodeUtf8 } from '../go/utf8.ts';
import { orderInput } from '../inputs/orders.node.ts';
import type { RenderSettings } from '../inputs/settings.ts';
import { analyzeTemplate, loadSnapshot, nothingKnown } from '../language/analyze.ts';
import { withHint } from '../language/help.ts';
import type { ChartAnalysis, ChartSnapshot, EditorProblem, LoadedSnapshot } from '../language/model.ts';
import { fileProblem } from '../language/problems.ts';
import { ChartSession, type DocumentPlace, type RenameRequest } from '../language/session.ts';
import { ChartTexts } from '../language/texts.ts';
import { chartValues } from '../language/uses.ts';
import type { ChartValues } from '../language/yaml/known-values.ts';
import { isPartial } from '../manifest/sort.ts';
import { orderIssues } from '../validation/objects/document-issues.ts';
import { type OpenTexts, readOpenChart } from './chart.node.ts';

export interface LanguageThreadData {
  readonly settings: RenderSettings;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export type LanguageJob =
  | { readonly kind: 'analyze'; readonly folder: string; readonly open: OpenTexts }
  | { readonly kind: 'load'; readonly folder: string; readonly open: OpenTexts }
  | { readonly kind: 'template'; readonly folder: string; readonly path: string; readonly text: string }
  | ({ readonly kind: 'hover'; readonly folder: string } & DocumentPlace)
  | ({ readonly kind: 'rename'; readonly folder: string } & RenameRequest)
  | { readonly kind: 'order'; readonly file: string; readonly text: string };

/** The analysis of a chart, and the texts that its spans refer to. */
export interface AnalyzedFolder {
  readonly analysis: ChartAnalysis;
  readonly texts: ReadonlyMap<string, string>;
}

/** A problem in an Order, with places from 1. */
interface OrderProblem extends Pick<EditorProblem, 'severity' | 'message' | 'code'> {
  readonly line: number;
  readonly column: number;
}

/** A checked Order. */
export interface CheckedOrder {
  readonly problems: readonly OrderProblem[];
  /** The values of the chart of each package; undefined if the chart was not found. */
  readonly charts: readonly (ChartValues | undefined)[];
}

const { settings, cwd, env } = workerData as LanguageThreadData;
const sessions = new Map<string, ChartSession>();
/** The charts whose templates are rendered one by one. */
const loaded = new Map<string, LoadedSnapshot>();

parentPort?.on('message', async ({ job }: { readonly job: LanguageJob }) => {
  try {
    parentPort?.postMessage({ type: 'started' });
    parentPort?.postMessage({ type: 'done', answer: await answer(job) });
  } catch (error) {
    parentPort?.postMessage({ type: 'failed', failure: error });
  }
});

function answer(job: LanguageJob): unknown {
  if (job.kind === 'order') return checkOrder(job.file, job.text);
  if (job.kind === 'load') return load(job.folder, job.open);
  if (job.kind === 'template') {
    const known = loaded.get(job.folder);
    return known && analyzeTemplate(known, job.path, job.text);
  }
  const session = sessions.get(job.folder) ?? new ChartSession();
  sessions.set(job.folder, session);
  if (job.kind === 'hover') return session.hover(job);
  if (job.kind === 'rename') return session.rename(job);
  return analyze(session, job.folder, job.open);
}

async function load(folder: string, open: OpenTexts): Promise<void> {
  const snapshot = readOpenChart(folder, open, settings, cwd);
  const chart = loadSnapshot(snapshot);
  const first = chart.templates.find(({ name }) => !isPartial(name));
  // Rendering one template parses all of them, so that the first keystroke does not wait for it.
  if (!loaded.has(folder) && first !== undefined)
    await analyzeTemplate({ snapshot, chart }, first.name, decodeUtf8(first.data));
  loaded.set(folder, { snapshot, chart });
}

async function analyze(session: ChartSession, folder: string, open: OpenTexts): Promise<AnalyzedFolder> {
  let snapshot: ChartSnapshot;
  try {
    snapshot = readOpenChart(folder, open, settings, cwd);
  } catch (error) {
    // A values file in the configuration does not exist, or a folder cannot be read.
    const problem = fileProblem({ path: 'Chart.yaml', message: messageOf(error) });
    return { analysis: { ...nothingKnown, problems: [problem] }, texts: new Map() };
  }
  const analysis = await session.analyze(snapshot);
  const files = new ChartTexts(snapshot.files);
  const named = [analysis.problems, analysis.keys, analysis.references, analysis.definitions].flatMap((spans) =>
    spans.map(({ path }) => path),
  );
  return { analysis, texts: new Map([...new Set(named)].map((path) => [path, files.text(path)])) };
}

async function checkOrder(file: string, text: string): Promise<CheckedOrder> {
  const io = { cwd, env, stdin: async () => text, stdout: () => {}, stderr: () => {} };
  let input: ReturnType<typeof orderInput> | undefined;
  try {
    input = orderInput(text, { name: file, folder: dirname(file) }, settings, io);
    const { options } = input;
    const charts: (ChartValues | undefined)[] = [];
    const issues = await inspectWith(input.text.value, options, (rendered) => {
      for (const { chart, selection } of rendered.packages) {
        const [, , index] = splitPath(selection.path);
        charts[Number(index)] = chartValues(chart);
      }
      return orderIssues(rendered, options, 'warn');
    });
    const problems = issues.map(({ path, message, hint, severity, code, place }): OrderProblem => {
      const { line = 1, column = 1 } = place?.file === file ? place : input!.text.placeOf(path);
      return {
        line,
        column,
        severity: shownSeverity(severity),
        message: withHint(message, hint),
        code: code ?? 'ORDER_INVALID',
      };
    });
    return { problems, charts };
  } catch (error) {
    if (!(error instanceof RenderError) && !(error instanceof UsageError)) throw error;
    return { problems: orderFailure(error, input), charts: [] };
  }
}

function shownSeverity(severity: Issue['severity']): OrderProblem['severity'] {
  return severity === 'note' ? 'hint' : severity;
}

function orderFailure(
  error: RenderError | UsageError,
  input: ReturnType<typeof orderInput> | undefined,
): OrderProblem[] {
  if (error instanceof UsageError)
    return [{ line: 1, column: 1, severity: 'error', message: error.message, code: 'ORDER_INVALID' }];
  const listed =
    error.issues.length > 0
      ? error.issues
      : [{ path: '', message: error.message, hint: error.hint, place: error.place, severity: 'error' as const }];
  return listed.map(({ path, message, hint, place, severity }) => {
    const { line = 1, column = 1 } = place ?? input?.text.placeOf(path) ?? {};
    return { line, column, severity: shownSeverity(severity), message: withHint(message, hint), code: error.code };
  });
}
