// Problems of a chart, placed in its files: errors of its parser and of its renderings, objects that Kubernetes would refuse, and values
// that nothing reads.

import { renderWith, userValuesOf } from '../api/chart.ts';
import type { Chart, ChartFile } from '../chart/chart.ts';
import { RenderError } from '../core/errors.ts';
import { getOrCreate } from '../core/lazy.ts';
import { LimitReached } from '../core/limits.ts';
import { unreadInAll } from '../coverage/defaults.ts';
import type { TemplateFile } from '../coverage/measure.ts';
import { parseFile } from '../engine/trees.ts';
import { markedFailure } from '../engine/wording.ts';
import { decodeUtf8 } from '../go/utf8.ts';
import type { Helm } from '../helm/helm.ts';
import { helmOf } from '../helm/versions.ts';
import { readObjects } from '../manifest/objects.ts';
import type { SourcedDocument } from '../manifest/source.ts';
import { createTrace } from '../provenance/origins/propagation.ts';
import type { TracedObjects } from '../provenance/trace/explanation.ts';
import { explainFailure } from '../provenance/trace/failure.ts';
import { chartSources, releaseObjects } from '../provenance/trace/objects.ts';
import { execErrorsIn, type TemplateExecError, TemplateParseError } from '../template/failures.ts';
import { printNode } from '../template/nodes.ts';
import { unreadPaths } from '../validation/checks/unread.ts';
import { type DocumentIssue, documentIssues, type ObjectIssue } from '../validation/objects/document-issues.ts';
import { createCapabilities } from '../values/capabilities.ts';
import { pathText } from '../values/paths.ts';
import { mergeUserValues } from '../values/user.ts';
import { brokenAction } from './broken-action.ts';
import { withHint } from './help.ts';
import type { CaseRun, EditorProblem, FileFault } from './model.ts';
import { type ChartTexts, type FileSpan, listKeys, offsetOf, spanOfLine } from './texts.ts';

/**
 * Problems of cases. One that several cases or objects share is listed once, with the cases (unless it is all of them) and one of the
 * objects.
 */
export class ProblemList {
  readonly #count: number;
  readonly #found = new Map<
    string,
    { readonly problem: EditorProblem; readonly cases: Set<string>; readonly objects: Set<string> }
  >();

  /** `count` is the number of all cases. */
  constructor(count: number) {
    this.#count = count;
  }

  /** Adds a problem of a case, and of an object that it renders. */
  add(problem: EditorProblem, name: string, object?: string): void {
    const { path, start, message } = problem;
    const key = JSON.stringify([path, start, message]);
    const known = this.#found.get(key) ?? { problem, cases: new Set(), objects: new Set() };
    known.cases.add(name);
    if (object !== undefined) known.objects.add(object);
    this.#found.set(key, known);
  }

  list(): EditorProblem[] {
    return [...this.#found.values()].map(({ problem, cases, objects }) => {
      const [first, ...hints] = problem.message.split('\n');
      const [object, ...others] = objects;
      const more = others.length === 0 ? '' : ` and ${others.length} more`;
      const subject = object === undefined ? '' : `${object}${more}: `;
      const names =
        cases.size === this.#count ? '' : ` (${cases.size === 1 ? 'case' : 'cases'} ${[...cases].join(', ')})`;
      return { ...problem, message: [`${subject}${first}${names}`, ...hints].join('\n') };
    });
  }
}

/** Returns the problem of a template file that does not parse, if any. */
export function parseProblem({ path, chartPath, file }: TemplateFile, files: ChartTexts, helm: Helm): EditorProblem[] {
  // The files of a packed subchart cannot be edited.
  const place = files.has(path) ? { path } : chartYaml;
  return templateProblem(`${chartPath}/${file.name}`, file, helm).map((problem) => ({ ...problem, ...place }));
}

/** Returns the problem of a template that does not parse, if any; its `path` is the name of the template. */
export function templateProblem(name: string, file: ChartFile, helm: Helm): EditorProblem[] {
  try {
    parseFile(name, file, helm);
    return [];
  } catch (error) {
    if (error instanceof LimitReached)
      return [{ path: name, start: 0, end: 1, ...wordsOf('LIMIT_REACHED', error.message) }];
    if (!(error instanceof TemplateParseError)) throw error;
    const text = decodeUtf8(file.data);
    const { line = 1, column = 1 } = error.place;
    const { start, end, isClosed } = brokenAction(text, offsetOf(text, line, column), error.reason);
    // The parser continues on the next line and reports what it finds there.
    const reason = isClosed || error.reason.startsWith('unterminated') ? error.reason : 'unclosed action';
    return [{ path: name, start, end, ...wordsOf('TEMPLATE_PARSE', reason) }];
  }
}

const chartYaml: FileSpan = { path: 'Chart.yaml', start: 0, end: 1 };

function wordsOf(
  code: string,
  message: string,
  severity: EditorProblem['severity'] = 'error',
): Pick<EditorProblem, 'code' | 'message' | 'severity'> {
  return { code, message: message.trimEnd(), severity };
}

/** Returns the problems of a chart that cannot be loaded. */
export function loadProblems(error: RenderError, files: ChartTexts): EditorProblem[] {
  const span = error.place && files.spanAt(error.place);
  return [{ ...(span ?? chartYaml), ...wordsOf(error.code, withHint(error.message, error.hint)) }];
}

/** Returns why a case fails that should not, or that it should have failed. */
export function failureOfCase(run: CaseRun, chart: Chart, files: ChartTexts): EditorProblem[] {
  const { given, error } = run;
  if (given.fails !== true) return error === undefined ? [] : failureProblems(run, error, { chart, files });
  const path = given.valuesFiles.at(-1)?.name ?? 'values.yaml';
  const message = 'This case renders, but "# drydock: fails" expects the chart to reject it.';
  return error === undefined ? [{ ...startOfFile(path), ...wordsOf('CASE_RENDERS', message) }] : [];
}

export function fileProblem({ path, message }: FileFault): EditorProblem {
  return { ...startOfFile(path), ...wordsOf('CASE_INVALID', message) };
}

function startOfFile(path: string): FileSpan {
  return { path, start: 0, end: 1 };
}

function failureProblems(
  run: CaseRun,
  error: RenderError,
  { chart, files }: { readonly chart: Chart; readonly files: ChartTexts },
): EditorProblem[] {
  const placed = error.issues.flatMap(({ place, path, message, hint }): EditorProblem[] => {
    const span = place && files.spanAt(place);
    const text = path === '' ? message : `${path}: ${message}`;
    return span === undefined ? [] : [{ ...keyAt(span, files), ...wordsOf(error.code, withHint(text, hint)) }];
  });
  if (placed.length > 0) return placed;
  // A text executed by `tpl` is not in a file.
  const exec = execErrorsIn(error).findLast(({ source }) => source.name !== 'gotpl');
  const span = exec === undefined ? placeOfFailure(run, error, { chart, files }) : spanOfNode(exec, files);
  const message = exec === undefined ? error.message : (markedFailure(exec.reason) ?? exec.reason);
  return [{ ...(span ?? fallbackPlace(run, error, files)), ...wordsOf(error.code, withHint(message, error.hint)) }];
}

// Failures without a place are due to the values of the case, or to the dependencies of the chart.
function fallbackPlace({ given }: CaseRun, { code }: RenderError, files: ChartTexts): FileSpan {
  const file = given.valuesFiles.at(-1);
  if (code === 'VALUES_INVALID' && file !== undefined) return startOfFile(file.name);
  const { path } = chartYaml;
  const key = listKeys(files.text(path)).find(({ steps }) => steps.length === 1 && steps[0] === 'dependencies');
  return key === undefined ? chartYaml : { path, start: key.start, end: key.end };
}

// Narrows a span to the key at its start.
function keyAt(span: FileSpan, files: ChartTexts): FileSpan {
  const key = listKeys(files.text(span.path)).find(({ start }) => start >= span.start && start - span.start < 2);
  return key === undefined ? span : { path: span.path, start: key.start, end: key.end };
}

function spanOfNode({ place, node }: TemplateExecError, files: ChartTexts): FileSpan | undefined {
  const path = files.pathOf(place.file);
  if (path === undefined) return undefined;
  const text = files.text(path);
  const at = offsetOf(text, place.line ?? 1, place.column ?? 1);
  const printed = printNode(node);
  // Go's place of a chain of names is within it.
  const start = text.lastIndexOf(printed, at);
  if (start >= 0 && start + printed.length > at) return { path, start, end: start + printed.length };
  return { path, start: at, end: Math.min(at + 1, text.length) };
}

// The place of a problem in the rendered text is the action that wrote that line.
function placeOfFailure(
  run: CaseRun,
  error: RenderError,
  { chart, files }: { readonly chart: Chart; readonly files: ChartTexts },
): FileSpan | undefined {
  if (error.place?.isRendered !== true) return error.place && files.spanAt(error.place);
  const trace = createTrace();
  try {
    renderWith(chart, run.options, { trace, only: run.only });
  } catch {
    const sources = chartSources({ chart, given: userValuesOf(run.options) });
    const { places } = explainFailure({ error, chart, trace, sources });
    // An action that includes another template comes before what that wrote.
    const written = places.filter(({ text }) => !/\b(?:include|template)\b/.test(text));
    for (const { file, line, column } of [...written, ...places]) {
      const span = files.spanAt({ file, line, column });
      if (span !== undefined) return actionSpan(span, files);
    }
  }
  const path = files.pathOf(error.place.file);
  return path === undefined ? undefined : startOfFile(path);
}

// Narrows a span to the action at its start.
function actionSpan(span: FileSpan, files: ChartTexts): FileSpan {
  const text = files.text(span.path);
  const open = text.lastIndexOf('{{', span.start);
  const close = text.indexOf('}}', span.start);
  const isWithin = open >= 0 && close >= 0 && !text.slice(open, span.start).includes('}}') && close + 2 <= span.end + 2;
  return isWithin ? { path: span.path, start: open, end: close + 2 } : span;
}

/** Documents, each with the cases that render it. */
type SharedDocuments = Map<SourcedDocument, CaseRun[]>;

/** Adds what Kubernetes would refuse among the objects of all cases. A document of several cases is validated once. */
export async function addObjectProblems(
  problems: ProblemList,
  runs: readonly CaseRun[],
  context: { readonly chart: Chart; readonly files: ChartTexts },
): Promise<void> {
  const { files } = context;
  for (const [kubeVersion, documents] of documentsByVersion(runs)) {
    const { issues, unreadable } = await issuesOf(documents, { kubeVersion, ...context });
    for (const [document, problem] of unreadable) {
      for (const { given } of documents.get(document) ?? []) problems.add(problem, given.name);
    }
    for (const { document, issue } of issues) {
      const span = spanOfIssue(issue, files);
      // A template that checks which APIs exist selects another one on a cluster.
      const isChosen = codeOf(issue) === 'API_DEPRECATED' && span && files.text(span.path).includes('.APIVersions');
      if (span === undefined || isChosen) continue;
      const problem = { ...span, ...wordsOf(codeOf(issue), textOf(issue), issue.severity) };
      for (const { given } of documents.get(document) ?? []) problems.add(problem, given.name, issue.object);
    }
  }
}

function documentsByVersion(runs: readonly CaseRun[]): ReadonlyMap<string, SharedDocuments> {
  const versions = new Map<string, SharedDocuments>();
  const firsts = new Map<string, SourcedDocument>();
  for (const run of runs) {
    if (run.release === undefined) continue;
    const { crds, manifests, hooks, helm } = run.release;
    const { version } = createCapabilities({ kubeVersion: run.options.kubeVersion, helm }).kubeVersion;
    const documents = getOrCreate(versions, version, (): SharedDocuments => new Map());
    for (const document of [...crds, ...manifests, ...hooks]) {
      const first = getOrCreate(firsts, `${version}\0${document.path}\0${document.content}`, () => document);
      getOrCreate(documents, first, () => []).push(run);
    }
  }
  return versions;
}

interface DocumentProblems {
  readonly issues: readonly DocumentIssue[];
  /** The documents that are not YAML. */
  readonly unreadable: ReadonlyMap<SourcedDocument, EditorProblem>;
}

async function issuesOf(
  documents: SharedDocuments,
  { kubeVersion, chart, files }: { readonly kubeVersion: string; readonly chart: Chart; readonly files: ChartTexts },
): Promise<DocumentProblems> {
  const traced = new Map<CaseRun, TracedObjects>();
  const traces = (document: SourcedDocument): TracedObjects[] => {
    const [run] = documents.get(document) ?? [];
    return run === undefined ? [] : [getOrCreate(traced, run, () => tracedObjects(run, chart))];
  };
  const validation = { kubeVersion, validate: 'warn', traces } as const;
  const all = [...documents.keys()];
  try {
    return { issues: await documentIssues(all, validation), unreadable: new Map() };
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    // Helm renders charts whose files in crds/ are not YAML.
    const unreadable = new Map<SourcedDocument, EditorProblem>();
    for (const document of all) {
      const problem = unreadableProblem(document, files);
      if (problem !== undefined) unreadable.set(document, problem);
    }
    const others = all.filter((document) => !unreadable.has(document));
    return { issues: await documentIssues(others, validation), unreadable };
  }
}

function unreadableProblem(document: SourcedDocument, files: ChartTexts): EditorProblem | undefined {
  try {
    readObjects(document);
    return undefined;
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    const path = files.pathOf(document.path);
    const span = (error.place && files.spanAt(error.place)) ?? (path === undefined ? chartYaml : startOfFile(path));
    return { ...span, ...wordsOf(error.code, error.message) };
  }
}

function tracedObjects({ options, only }: CaseRun, chart: Chart): TracedObjects {
  const trace = createTrace();
  const release = renderWith(chart, options, { trace, only });
  return releaseObjects({ ...release, trace }, { chart, given: userValuesOf(options) });
}

function codeOf({ kind }: ObjectIssue): string {
  return kind === 'deprecated' || kind === 'gone' || kind === 'unserved' ? 'API_DEPRECATED' : 'SCHEMA_INVALID';
}

function textOf({ message, hint, kubeVersion }: ObjectIssue): string {
  return `${message} (Kubernetes ${kubeVersion})\n${hint}`;
}

function spanOfIssue({ source, line, writtenAt }: ObjectIssue, files: ChartTexts): FileSpan | undefined {
  const places = [...(writtenAt === undefined ? [] : [writtenAt]), { file: source, line: line ?? 1 }];
  for (const place of places) {
    const path = files.pathOf(place.file);
    if (path !== undefined) return { path, ...spanOfLine(files.text(path), place.line) };
  }
  return undefined;
}

/** Returns a hint for each unread value: defaults that no case reads, and values of a case that it does not read itself. */
export function unreadProblems(chart: Chart, runs: readonly CaseRun[], files: ChartTexts): EditorProblem[] {
  const rendered = runs.filter(({ release }) => release !== undefined);
  if (rendered.length === 0) return [];
  const unread = rendered.map(({ release }) => unreadPaths(chart, release!, chart.values));
  const defaults = unreadInAll(unread).map(pathText);
  // It is unknown what failed cases would have read.
  const found = rendered.length === runs.length ? hintsIn('values.yaml', defaults, files) : [];
  const own = rendered.flatMap(({ release, given, options }) =>
    given.valuesFiles.flatMap(({ name, text }) => {
      const values = mergeUserValues({ valuesFiles: [{ name, text }] }, helmOf(options.helm));
      return hintsIn(name, unreadPaths(chart, release!, values).map(pathText), files);
    }),
  );
  return [...found, ...own];
}

function hintsIn(path: string, unread: readonly string[], files: ChartTexts): EditorProblem[] {
  if (unread.length === 0 || !files.has(path)) return [];
  const spans = new Map(listKeys(files.text(path)).map((key) => [pathText(key.steps), key]));
  return unread.flatMap((steps) => {
    const key = spans.get(steps);
    const message = `No template reads ${steps}.`;
    return key === undefined
      ? []
      : [{ path, start: key.start, end: key.end, ...wordsOf('UNREAD_VALUE', message, 'hint') }];
  });
}
