// The Language Server Protocol for the language service. Renderings run in a thread.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import {
  type CodeLens,
  CodeLensRefreshRequest,
  type CompletionItem,
  createConnection,
  type Diagnostic,
  DidChangeWatchedFilesNotification,
  type Location,
  type Position,
  ProposedFeatures,
  type Range,
  type ResponseError,
  TextDocuments,
  type WorkspaceEdit,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { commonEnds } from '../core/common-ends.ts';
import { messageOf } from '../core/errors.ts';
import { getOrCreate, lazy } from '../core/lazy.ts';
import { ownVersion } from '../core/own-files.node.ts';
import { shownPath } from '../core/paths.node.ts';
import type { Helm } from '../helm/helm.ts';
import { helmOf } from '../helm/versions.ts';
import { helmVersionOf, type RenderSettings, type RunIo } from '../inputs/settings.ts';
import type { EditorHelp } from '../language/help.ts';
import type { ChartAnalysis, EditorProblem } from '../language/model.ts';
import { templateProblem } from '../language/problems.ts';
import {
  type DocumentPlace,
  definitionsAt,
  type Hover,
  type Rename,
  referencesOf,
  valuesAtPlace,
} from '../language/session.ts';
import { completeTemplate, namesOfChart, type TemplateNames } from '../language/template-help.ts';
import type { TextSpan } from '../language/template-nodes.ts';
import type { FileSpan } from '../language/texts.ts';
import { WorkerPool } from '../workers/pool.ts';
import { startThread } from '../workers/start.node.ts';
import { chartFolderOf } from './chart.node.ts';
import {
  cardText,
  completionOf,
  diagnosticOf,
  helpOfOrder,
  isOrder,
  isTemplate,
  markdown,
  rangeOf,
  reachText,
  refusal,
  serverCapabilities,
  valuesHelp,
} from './protocol.ts';
import type { AnalyzedFolder, CheckedOrder, LanguageJob, LanguageThreadData } from './thread.node.ts';

/**
 * Serves an editor on standard input and output until it ends the session. Resolves with 0, or with 1 if it exited without a shutdown
 * request.
 */
export function startLanguageServer(settings: RenderSettings, io: Pick<RunIo, 'cwd' | 'env'>): Promise<number> {
  return new Promise((resolve) => new LanguageServer(settings, io, resolve));
}

/** Delay between the last change and a rendering of the chart, in milliseconds. */
const restMilliseconds = 150;
/** The same, if the changed template is rendered by itself first. */
const longRestMilliseconds = 600;
/** Delay between the last change of a template and its own rendering, in milliseconds. */
const shortRestMilliseconds = 30;
const jobMilliseconds = 60_000;

interface KnownChart extends AnalyzedFolder {
  readonly names: () => (path: string) => TemplateNames;
}

/** A chart with an open file. */
interface OpenChart {
  readonly folder: string;
  known?: KnownChart | undefined;
  /** The last analysis, if it was incomplete. */
  broken?: AnalyzedFolder | undefined;
  /** The problems of the template that was last rendered by itself since then, and the text that their spans refer to. */
  edited?: { readonly path: string; readonly text: string; readonly problems: readonly EditorProblem[] } | undefined;
  timer?: ReturnType<typeof setTimeout> | undefined;
  templateTimer?: ReturnType<typeof setTimeout> | undefined;
  running?: Promise<void> | undefined;
  /** Whether files changed during it. */
  isStale: boolean;
  published: ReadonlySet<string>;
}

/** An open file and its chart. */
interface PlacedDocument {
  readonly document: TextDocument;
  readonly chart: OpenChart;
  /** Relative to the chart's folder. */
  readonly path: string;
}

class LanguageServer {
  readonly #connection = createConnection(ProposedFeatures.all, process.stdin, process.stdout);
  readonly #documents = new TextDocuments(TextDocument);
  readonly #charts = new Map<string, OpenChart>();
  readonly #orders = new Map<string, { readonly help: EditorHelp; timer?: ReturnType<typeof setTimeout> }>();
  /** The thread that analyzes charts and Orders. */
  readonly #pool: WorkerPool;
  /** The thread that renders single templates, so that a keystroke does not wait for an analysis. */
  readonly #templates: WorkerPool;
  readonly #helm: Helm;
  #refreshesLenses = false;

  constructor(settings: RenderSettings, io: Pick<RunIo, 'cwd' | 'env'>, end: (code: number) => void) {
    this.#helm = helmOf(helmVersionOf(settings));
    const data: LanguageThreadData = { settings, cwd: io.cwd, env: io.env };
    const start = () =>
      startThread({ source: new URL('./thread.node.ts', import.meta.url), name: 'language-thread', data });
    this.#pool = new WorkerPool({ size: 1, start });
    this.#templates = new WorkerPool({ size: 1, start });
    let code = 1;
    const connection = this.#connection;
    connection.onInitialize(({ capabilities }) => {
      this.#refreshesLenses = capabilities.workspace?.codeLens?.refreshSupport === true;
      return serverCapabilities(ownVersion());
    });
    connection.onInitialized(() => {
      const watchers = ['**/*.{yaml,yml,json,tpl,txt}', '**/.helmignore'].map((globPattern) => ({ globPattern }));
      connection.client.register(DidChangeWatchedFilesNotification.type, { watchers }).catch(() => undefined);
    });
    connection.onShutdown(() => {
      code = 0;
      this.#pool.close();
      this.#templates.close();
    });
    connection.onExit(() => end(code));
    connection.onDidChangeWatchedFiles(({ changes }) => {
      for (const { uri } of changes) if (this.#documents.get(uri) === undefined) this.#changed(uri);
    });
    this.#documents.onDidChangeContent(({ document }) => this.#edited(document));
    this.#documents.onDidClose(({ document }) => {
      this.#forgetOrder(document.uri);
      this.#changed(document.uri);
    });
    connection.onCompletion(({ textDocument, position }) => this.#complete(textDocument.uri, position));
    connection.onHover(({ textDocument, position }) => this.#hover(textDocument.uri, position));
    connection.onDefinition(({ textDocument, position }) => this.#placesAt(definitionsAt, textDocument.uri, position));
    connection.onReferences(({ textDocument, position }) => this.#placesAt(referencesOf, textDocument.uri, position));
    connection.onCodeLens(({ textDocument }) => this.#lenses(textDocument.uri));
    connection.onPrepareRename(({ textDocument, position }) => this.#renamed(textDocument.uri, position));
    connection.onRenameRequest(({ textDocument, position, newName }) =>
      this.#rename(textDocument.uri, position, newName),
    );
    this.#documents.listen(connection);
    connection.listen();
  }

  #ask<T>(job: LanguageJob, pool = this.#pool): Promise<T> {
    return pool.run({ message: job, milliseconds: jobMilliseconds }) as Promise<T>;
  }

  // Documents and their charts

  #placed(uri: string): PlacedDocument | undefined {
    const document = this.#documents.get(uri);
    const file = fileOf(uri);
    if (document === undefined || file === undefined) return undefined;
    const folder = chartFolderOf(file);
    return folder === undefined
      ? undefined
      : { document, chart: this.#chartIn(folder), path: shownPath(file, { cwd: folder }) };
  }

  // An editor may escape more of a path than Node does: `file:///c%3A/charts`.
  #uriOf({ folder }: OpenChart, path: string): string {
    const file = join(folder, path);
    return this.#documents.keys().find((uri) => fileOf(uri) === file) ?? pathToFileURL(file).href;
  }

  #chartIn(folder: string): OpenChart {
    return getOrCreate(this.#charts, folder, () => ({ folder, isStale: false, published: new Set<string>() }));
  }

  // Closed files have the analyzed text.
  #documentAt(uri: string, text: string): TextDocument {
    return this.#documents.get(uri) ?? TextDocument.create(uri, '', 0, text);
  }

  #edited(document: TextDocument): void {
    const placed = this.#placed(document.uri);
    if (placed === undefined) {
      if (isOrder(document)) this.#checkOrderSoon(document.uri);
      else this.#forgetOrder(document.uri);
      return;
    }
    const [problem] = isTemplate(placed.path) ? this.#syntaxOf(placed) : [];
    const { chart, path } = placed;
    clearTimeout(chart.templateTimer);
    if (problem !== undefined) this.#send(document.uri, [diagnosticOf(problem, document)]);
    const isAlone = problem === undefined && isTemplate(path) && chart.known !== undefined;
    if (isAlone) chart.templateTimer = setTimeout(() => void this.#analyzeTemplate(placed), shortRestMilliseconds);
    this.#analyzeSoon(chart, isAlone ? longRestMilliseconds : restMilliseconds);
  }

  #syntaxOf({ document, path }: PlacedDocument): EditorProblem[] {
    const data = new TextEncoder().encode(document.getText());
    return templateProblem(path, { name: path, data }, this.#helm);
  }

  // A file that is not open.
  #changed(uri: string): void {
    const file = fileOf(uri);
    const folder = file === undefined ? undefined : chartFolderOf(file);
    const chart = folder === undefined ? undefined : this.#charts.get(folder);
    if (chart !== undefined) this.#analyzeSoon(chart);
  }

  // Rendering

  #analyzeSoon(chart: OpenChart, rest = restMilliseconds): void {
    chart.isStale = true;
    clearTimeout(chart.timer);
    chart.timer = setTimeout(() => {
      chart.timer = undefined;
      void this.#analyze(chart);
    }, rest);
  }

  /** Renders the open text of a template by itself, and shows its problems until the whole chart is analyzed. */
  async #analyzeTemplate({ document, chart, path }: PlacedDocument): Promise<void> {
    const text = document.getText();
    try {
      const job = { kind: 'template', folder: chart.folder, path, text } as const;
      const problems = await this.#ask<readonly EditorProblem[] | undefined>(job, this.#templates);
      if (problems === undefined || !chart.isStale) return;
      chart.edited = { path, text, problems };
      this.#publish(chart);
    } catch (error) {
      this.#report(chart.folder, error);
    }
  }

  /** Analyzes a chart, or waits for the current analysis. Changes during it lead to another one. */
  #analyze(chart: OpenChart): Promise<void> {
    chart.running ??= this.#analyzeNow(chart).finally(() => {
      chart.running = undefined;
      if (chart.isStale && chart.timer === undefined) this.#analyzeSoon(chart);
    });
    return chart.running;
  }

  async #analyzeNow(chart: OpenChart): Promise<void> {
    chart.isStale = false;
    clearTimeout(chart.timer);
    chart.timer = undefined;
    const open = new Map<string, string>();
    for (const document of this.#documents.all()) {
      const file = fileOf(document.uri);
      if (file !== undefined) open.set(file, document.getText());
    }
    try {
      const found = await this.#ask<AnalyzedFolder>({ kind: 'analyze', folder: chart.folder, open });
      const { isComplete } = found.analysis;
      if (isComplete) chart.known = { ...found, names: lazy(() => namesOfChart(found.analysis, this.#helm)) };
      chart.broken = isComplete ? undefined : found;
      chart.edited = undefined;
      if (!chart.isStale) this.#publish(chart);
      if (isComplete && this.#refreshesLenses) void this.#connection.sendRequest(CodeLensRefreshRequest.type);
      if (isComplete) await this.#ask({ kind: 'load', folder: chart.folder, open }, this.#templates);
    } catch (error) {
      this.#report(chart.folder, error);
    }
  }

  // In the log of the editor.
  #report(subject: string, error: unknown): undefined {
    this.#connection.console.error(`${subject}: ${messageOf(error)}`);
  }

  #publish(chart: OpenChart): void {
    const { known, broken, edited } = chart;
    const brokenProblems = (broken?.analysis.problems ?? []).filter(({ path }) => path !== edited?.path);
    const replaced = new Set([edited?.path, ...brokenProblems.map(({ path }) => path)]);
    const found = [
      ...(edited?.problems ?? []).map((problem) => ({ problem, texts: new Map([[edited!.path, edited!.text]]) })),
      ...brokenProblems.map((problem) => ({ problem, texts: broken!.texts })),
      ...(known?.analysis.problems ?? [])
        .filter(({ path }) => !replaced.has(path))
        .map((problem) => ({ problem, texts: known!.texts })),
    ];
    const open = this.#documents.keys().filter((uri) => this.#placed(uri)?.chart === chart);
    const byUri = new Map<string, Diagnostic[]>([...chart.published, ...open].map((uri) => [uri, []]));
    for (const { problem, texts } of found) {
      const uri = this.#uriOf(chart, problem.path);
      const text = texts.get(problem.path) ?? '';
      const document = this.#documentAt(uri, text);
      const span = shiftBetween(text, document.getText()).toNew(problem);
      const list = byUri.get(uri) ?? [];
      if (span !== undefined) list.push(diagnosticOf({ ...problem, ...span }, document));
      byUri.set(uri, list);
    }
    chart.published = new Set([...byUri].filter(([, list]) => list.length > 0).map(([uri]) => uri));
    for (const [uri, list] of byUri) this.#send(uri, list);
  }

  #send(uri: string, diagnostics: Diagnostic[]): void {
    void this.#connection.sendDiagnostics({ uri, diagnostics });
  }

  // Requests

  /**
   * Returns the place of a position in the texts of the last complete analysis; undefined if there is none, or the text has changed there.
   */
  #analyzedPlace(
    uri: string,
    position: Position,
  ): (PlacedDocument & { readonly known: AnalyzedFolder; readonly offset: number; readonly shift: Shift }) | undefined {
    const placed = this.#placed(uri);
    const known = placed?.chart.known;
    if (placed === undefined || known === undefined) return undefined;
    const { document, path } = placed;
    const shift = shiftBetween(known.texts.get(path) ?? document.getText(), document.getText());
    const offset = shift.toOld(document.offsetAt(position));
    return offset === undefined ? undefined : { ...placed, known, offset, shift };
  }

  #complete(uri: string, position: Position): CompletionItem[] {
    const document = this.#documents.get(uri);
    if (document === undefined) return [];
    const text = document.getText();
    const at = document.offsetAt(position);
    const found = this.#suggestions(uri, text, at);
    if (found === undefined) return [];
    const range = { start: document.positionAt(found.from), end: position };
    return found.options.map((option, index) => completionOf(option, range, index));
  }

  #suggestions(uri: string, text: string, at: number): ReturnType<EditorHelp['complete']> {
    const placed = this.#placed(uri);
    if (placed === undefined) return this.#orders.get(uri)?.help.complete(text, at);
    const { chart, path } = placed;
    const names = chart.known?.names()(path);
    if (names === undefined) return undefined;
    if (isTemplate(path)) return completeTemplate(text, at, names);
    return isValuesFile(chart, path) ? valuesHelp(names).complete(text, at) : undefined;
  }

  async #hover(uri: string, position: Position) {
    const document = this.#documents.get(uri);
    const help = this.#orders.get(uri)?.help;
    if (document !== undefined && help !== undefined) {
      const found = help.describe(document.getText(), document.offsetAt(position));
      return (
        found && {
          contents: markdown(cardText(found.card)),
          range: rangeOf({ start: found.from, end: found.to }, document),
        }
      );
    }
    const place = this.#analyzedPlace(uri, position);
    if (place === undefined) return null;
    const { chart, path, offset, shift } = place;
    const found = await this.#ask<Hover | undefined>({ kind: 'hover', folder: chart.folder, path, offset });
    const span = found && shift.toNew(found);
    return found && span ? { contents: markdown(found.text), range: rangeOf(span, place.document) } : null;
  }

  #placesAt(
    find: (analysis: ChartAnalysis, place: DocumentPlace) => readonly FileSpan[],
    uri: string,
    position: Position,
  ): Location[] {
    const place = this.#analyzedPlace(uri, position);
    if (place === undefined) return [];
    return find(place.known.analysis, place).flatMap((span) => this.#locationOf(place.chart, place.known, span));
  }

  #locationOf(chart: OpenChart, known: AnalyzedFolder, span: FileSpan): Location[] {
    const uri = this.#uriOf(chart, span.path);
    const text = known.texts.get(span.path) ?? '';
    const document = this.#documentAt(uri, text);
    const now = shiftBetween(text, document.getText()).toNew(span);
    return now === undefined ? [] : [{ uri, range: rangeOf(now, document) }];
  }

  #lenses(uri: string): CodeLens[] {
    const placed = this.#placed(uri);
    const known = placed?.chart.known;
    if (placed === undefined || known === undefined) return [];
    const { document, path } = placed;
    const shift = shiftBetween(known.texts.get(path) ?? '', document.getText());
    const count = known.analysis.cases.length;
    return known.analysis.reached
      .filter((part) => part.path === path)
      .flatMap((part) => {
        const span = shift.toNew({ start: part.start, end: part.start });
        return span === undefined
          ? []
          : [{ range: rangeOf(span, document), command: { title: reachText(part, count), command: '' } }];
      });
  }

  #renamed(uri: string, position: Position): Range | null {
    const place = this.#analyzedPlace(uri, position);
    const found = place && valuesAtPlace(place.known.analysis, place);
    const span = found && place.shift.toNew(found);
    return place && span ? rangeOf(span, place.document) : null;
  }

  async #rename(uri: string, position: Position, name: string): Promise<WorkspaceEdit | ResponseError> {
    const placed = this.#placed(uri);
    while (placed?.chart.isStale === true) await this.#analyze(placed.chart);
    const place = this.#analyzedPlace(uri, position);
    if (place === undefined || place.chart.broken !== undefined) {
      return refusal('The chart has errors: fix them first, for a value is renamed only if all cases render the same.');
    }
    const { chart, path, offset, known } = place;
    const found = await this.#ask<Rename>({ kind: 'rename', folder: chart.folder, path, offset, name });
    if ('refusal' in found) return refusal(found.refusal);
    const changes: Record<string, { range: Range; newText: string }[]> = {};
    for (const edit of found.edits) {
      const at = this.#uriOf(chart, edit.path);
      const text = known.texts.get(edit.path) ?? readFileSync(join(chart.folder, edit.path), 'utf8');
      const document = this.#documentAt(at, text);
      changes[at] = [...(changes[at] ?? []), { range: rangeOf(edit, document), newText: edit.text }];
    }
    return { changes };
  }

  // Orders

  #checkOrderSoon(uri: string): void {
    const known = this.#orders.get(uri);
    clearTimeout(known?.timer);
    const timer = setTimeout(() => void this.#checkOrder(uri), restMilliseconds);
    this.#orders.set(uri, { help: known?.help ?? helpOfOrder([]), timer });
  }

  #forgetOrder(uri: string): void {
    clearTimeout(this.#orders.get(uri)?.timer);
    if (this.#orders.delete(uri)) this.#send(uri, []);
  }

  async #checkOrder(uri: string): Promise<void> {
    const document = this.#documents.get(uri);
    const file = fileOf(uri);
    if (document === undefined || file === undefined) return;
    const { version } = document;
    const job = { kind: 'order', file, text: document.getText() } as const;
    const checked = await this.#ask<CheckedOrder>(job).catch((error: unknown) => this.#report(job.file, error));
    const isOpen = this.#documents.get(uri) === document;
    if (checked === undefined || !isOpen || document.version !== version) return;
    const { problems, charts } = checked;
    const known = this.#orders.get(uri);
    if (charts.length > 0) this.#orders.set(uri, { ...known, help: helpOfOrder(charts) });
    this.#send(
      uri,
      problems.map((problem) => {
        const start = { line: problem.line - 1, character: problem.column - 1 };
        const offset = document.offsetAt(start);
        const [word = ''] = /^[^\n]*/.exec(document.getText().slice(offset)) ?? [];
        return diagnosticOf({ ...problem, path: '', start: offset, end: offset + word.trimEnd().length }, document);
      }),
    );
  }
}

/** Returns the path of a document; undefined if it is not a file of this system, such as one of another host. */
function fileOf(uri: string): string | undefined {
  try {
    return fileURLToPath(uri);
  } catch {
    return undefined;
  }
}

function isValuesFile({ known }: OpenChart, path: string): boolean {
  if (path === 'values.yaml' || /^ci\/.*values\.ya?ml$/.test(path)) return true;
  return known?.analysis.keys.some((key) => key.path === path) === true;
}

/** Maps places in a text to those in another version of it. */
interface Shift {
  /** Returns the old offset of an offset in the new text; undefined within the change. */
  toOld(offset: number): number | undefined;
  /** Returns the new span of a span in the old text; undefined if it has changed. */
  toNew(span: TextSpan): TextSpan | undefined;
}

/** Returns the mapping between two versions of a text with one changed part. */
function shiftBetween(before: string, after: string): Shift {
  if (before === after) return { toOld: (offset) => offset, toNew: (span) => span };
  const { start, end: rest } = commonEnds(before, after);
  const longer = after.length - before.length;
  return {
    toOld: (offset) => {
      if (offset <= start) return offset;
      return offset >= after.length - rest ? offset - longer : undefined;
    },
    toNew: (span) => {
      if (span.end <= start) return span;
      if (span.start < before.length - rest) return undefined;
      return { start: span.start + longer, end: span.end + longer };
    },
  };
}
