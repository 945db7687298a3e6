// Converts results of the language service to types of the protocol.

import {
  type CompletionItem,
  CompletionItemKind,
  type Diagnostic,
  DiagnosticSeverity,
  DiagnosticTag,
  type InitializeResult,
  InsertTextMode,
  LSPErrorCodes,
  MarkupKind,
  type Range,
  ResponseError,
  TextDocumentSyncKind,
} from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { EditorHelp, HoverCard, Suggestion } from '../language/help.ts';
import type { EditorProblem, ReachedPart } from '../language/model.ts';
import type { TemplateNames } from '../language/template-help.ts';
import type { TextSpan } from '../language/template-nodes.ts';
import { orderHelp, yamlHelp } from '../language/yaml/help.ts';
import { type ChartValues, knownValuesOfChart, knownValuesOfCharts } from '../language/yaml/known-values.ts';
import { orderSchema } from '../order/validate.ts';

export function serverCapabilities(version: string): InitializeResult {
  return {
    serverInfo: { name: 'drydock', version },
    capabilities: {
      textDocumentSync: TextDocumentSyncKind.Incremental,
      completionProvider: { triggerCharacters: ['.', '"', '$', ' '] },
      hoverProvider: true,
      definitionProvider: true,
      referencesProvider: true,
      renameProvider: { prepareProvider: true },
      codeLensProvider: {},
    },
  };
}

/** Reports whether a file, by its path below the chart, is a template. */
export function isTemplate(path: string): boolean {
  return /(?:^|\/)templates\//.test(path);
}

/** Reports whether a document is an Order. */
export function isOrder(document: TextDocument): boolean {
  if (!document.uri.startsWith('file:') || !/\.(?:ya?ml|json)$/.test(document.uri)) return false;
  const members = document
    .getText()
    .split('\n')
    .map((line) => line.trim().replace(/["',\s]/g, ''));
  return (
    members.some((line) => line.startsWith('spec:')) &&
    members.some((line) => line.startsWith('kind:Order') || line.startsWith('packages:'))
  );
}

/** Returns the help for an Order whose packages have these charts. */
export function helpOfOrder(charts: readonly (ChartValues | undefined)[]): EditorHelp {
  const order = knownValuesOfChart('', orderSchema());
  const values = charts.map((chart) => chart && knownValuesOfCharts(chart));
  return orderHelp({ order: () => order, valuesOf: (index) => values[index] });
}

/** Returns the help for a file of values. */
export function valuesHelp({ values }: TemplateNames): EditorHelp {
  return yamlHelp((path) => ({ words: values, path }));
}

export function rangeOf({ start, end }: TextSpan, document: TextDocument): Range {
  return { start: document.positionAt(start), end: document.positionAt(end) };
}

const severities = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  hint: DiagnosticSeverity.Hint,
} as const;

export function diagnosticOf(problem: EditorProblem, document: TextDocument): Diagnostic {
  const { severity, message, code } = problem;
  return {
    range: rangeOf(problem, document),
    severity: severities[severity],
    message,
    code,
    source: 'drydock',
    ...(code === 'UNREAD_VALUE' && { tags: [DiagnosticTag.Unnecessary] }),
  };
}

/** Converts a suggestion to a completion item. `index` is its position in the list. */
export function completionOf(
  { label, apply, kind, detail, card, isFirst }: Suggestion,
  range: Range,
  index: number,
): CompletionItem {
  const rank = `${isFirst === true ? 0 : 1}${String(index).padStart(5, '0')}`;
  return {
    label,
    kind: kind === 'name' ? CompletionItemKind.Property : CompletionItemKind.Value,
    detail,
    sortText: rank,
    insertTextMode: InsertTextMode.asIs,
    textEdit: { range, newText: apply },
    ...(card && { documentation: markdown(cardText(card)) }),
  };
}

export function markdown(value: string): { kind: typeof MarkupKind.Markdown; value: string } {
  return { kind: MarkupKind.Markdown, value };
}

export function cardText({ title, rows }: HoverCard): string {
  return [`**${title}**`, ...rows].join('\n\n');
}

/** Formats how many of `count` cases reach a part. */
export function reachText({ cases, elseCases }: ReachedPart, count: number): string {
  const reached = `reached by ${cases.length} of ${count} ${count === 1 ? 'case' : 'cases'}`;
  return elseCases === undefined ? reached : `${reached}, else by ${elseCases.length}`;
}

export function refusal(message: string): ResponseError {
  return new ResponseError(LSPErrorCodes.RequestFailed, message);
}
