// A chart that is being edited: definitions, references, hover and rename from its last complete analysis.

import { renderWith, userValuesOf } from '../api/chart.ts';
import type { Chart } from '../chart/chart.ts';
import { plainValue } from '../codec/plain.ts';
import { listMembers } from '../codec/yaml/members.ts';
import { RenderError } from '../core/errors.ts';
import { groupBy } from '../core/group-by.ts';
import { backticksAround } from '../core/markdown.ts';
import type { Steps } from '../core/paths.ts';
import { uniqueBy } from '../core/unique-by.ts';
import type { GoValue } from '../go/value.ts';
import { formatTemplate } from '../output/template.ts';
import { createTrace } from '../provenance/origins/propagation.ts';
import { chartSources } from '../provenance/trace/objects.ts';
import type { Setter } from '../provenance/trace/setters.ts';
import { valuesOfRelease } from '../provenance/trace/values.ts';
import { describeValue } from '../values/describe.ts';
import { isSameSteps, pathText, startsWith, valueAtSteps } from '../values/paths.ts';
import { analyzeChart, loadSnapshot } from './analyze.ts';
import { listActions } from './broken-action.ts';
import type { AnalyzedChart, CaseRun, ChartAnalysis, ChartSnapshot } from './model.ts';
import type { TextSpan } from './template-nodes.ts';
import { ChartTexts, type FileSpan, listKeys, offsetOf } from './texts.ts';

export interface DocumentPlace {
  readonly path: string;
  readonly offset: number;
}

function isAt({ path, offset }: DocumentPlace): (span: FileSpan) => boolean {
  return (span) => span.path === path && span.start <= offset && offset <= span.end;
}

/** Returns the values that the name at a place refers to, and the span of the name, or undefined. */
export function valuesAtPlace(
  { keys, references }: ChartAnalysis,
  place: DocumentPlace,
): (TextSpan & { readonly values: readonly Steps[] }) | undefined {
  const key = keys.find(isAt(place));
  return key === undefined ? references.find(isAt(place)) : { ...key, values: [key.steps] };
}

/** Returns the definitions of the name at a place: the keys of a value, or of the nearest enclosing table, or a named template. */
export function definitionsAt(analysis: ChartAnalysis, place: DocumentPlace): readonly FileSpan[] {
  const call = analysis.calls.find(isAt(place));
  if (call !== undefined) return analysis.definitions.filter(({ name }) => name === call.name);
  const found = valuesAtPlace(analysis, place);
  return (found?.values ?? []).flatMap((steps) => {
    for (let length = steps.length; length > 0; length--) {
      const keys = analysis.keys.filter((key) => isSameSteps(key.steps, steps.slice(0, length)));
      if (keys.length > 0) return keys;
    }
    return [];
  });
}

/** Returns all references to the value or the named template at a place. */
export function referencesOf(analysis: ChartAnalysis, place: DocumentPlace): readonly FileSpan[] {
  const name = [...analysis.calls, ...analysis.definitions].find(isAt(place))?.name;
  if (name !== undefined) return [...analysis.definitions, ...analysis.calls].filter((one) => one.name === name);
  const paths = new Set((valuesAtPlace(analysis, place)?.values ?? []).map(pathText));
  if (paths.size === 0) return [];
  const keys = analysis.keys.filter(({ steps }) => paths.has(pathText(steps)));
  return [...keys, ...analysis.references.filter(({ values }) => values.some((steps) => paths.has(pathText(steps))))];
}

/** A change of a file of the chart. */
interface TextEdit extends FileSpan {
  readonly text: string;
}

/** The changes of a rename, or why it is impossible. */
export type Rename = { readonly edits: readonly TextEdit[] } | { readonly refusal: string };

/** The old and the new name. */
export interface RenameRequest extends DocumentPlace {
  readonly name: string;
}

/** Renames a value. The chart must then render to the same text in every case. */
function renameValue(analyzed: AnalyzedChart, request: RenameRequest): Rename {
  const { snapshot, analysis } = analyzed;
  const [steps] = valuesAtPlace(analysis, request)?.values ?? [];
  if (steps === undefined) return { refusal: 'There is no value here.' };
  const { name } = request;
  if (typeof steps.at(-1) !== 'string') return { refusal: 'An entry of a list has no name.' };
  const renamed = [...steps.slice(0, -1), name];
  const isNamedInTemplates = analysis.references.some(({ values }) => values.some((one) => isSameSteps(one, steps)));
  if (isNamedInTemplates && !/^[A-Za-z_]\w*$/.test(name)) {
    return { refusal: `"${name}" cannot stand in a template: use letters, digits and _, and start with a letter.` };
  }
  if (!/^[\w./-]+$/.test(name)) return { refusal: `"${name}" cannot be written as a key without quotes.` };
  if (analysis.keys.some((key) => startsWith(key.steps, renamed)))
    return { refusal: `${pathText(renamed)} exists already.` };
  const edits = uniqueEdits([
    ...analysis.keys.filter((key) => isSameSteps(key.steps, steps)),
    ...analysis.references.filter(({ values }) => values.some((one) => isSameSteps(one, steps))),
    ...otherPlaces(snapshot, steps),
  ]).map(({ path, start, end }) => ({ path, start, end, text: name }));
  const refusal = differenceOf(analyzed, withEdits(snapshot, edits));
  return refusal === undefined ? { edits } : { refusal };
}

function uniqueEdits(spans: readonly FileSpan[]): FileSpan[] {
  return uniqueBy(spans, ({ path, start }) => `${path}:${start}`).sort((a, b) =>
    a.path === b.path ? a.start - b.start : a.path < b.path ? -1 : 1,
  );
}

// Texts that mention a value: the schema, suites of helm-unittest.
function otherPlaces({ files }: ChartSnapshot, steps: Steps): FileSpan[] {
  const texts = new ChartTexts(files);
  return [...files.keys()].flatMap((path) => {
    if (path === 'values.schema.json') return schemaPlaces(path, texts.text(path), steps);
    return /^(?:tests|unittests)\/.*_test\.ya?ml$/.test(path) ? suitePlaces(path, texts.text(path), steps) : [];
  });
}

function schemaPlaces(path: string, text: string, steps: Steps): FileSpan[] {
  const around = steps.slice(0, -1).flatMap((step) => ['properties', step]);
  const property = [...around, 'properties', steps.at(-1)!];
  const keys = listKeys(text).filter((key) => isSameSteps(key.steps, property));
  const required = listMembers(text).flatMap(({ steps: at, content }): FileSpan[] => {
    if (content === undefined || content === 'pair' || !isSameSteps(at.slice(0, -1), [...around, 'required']))
      return [];
    const start = offsetOf(text, content.line, content.column) + 1;
    const name = String(steps.at(-1));
    return text.startsWith(`${name}"`, start) ? [{ path, start, end: start + name.length }] : [];
  });
  return [...keys.map(({ start, end }) => ({ path, start, end })), ...required];
}

// A suite sets values by path: `set: { image.tag: "1.2" }`.
function suitePlaces(path: string, text: string, steps: Steps): FileSpan[] {
  return listKeys(text).flatMap((key): FileSpan[] => {
    const set = key.steps.indexOf('set');
    if (set < 0) return [];
    const before = key.steps.slice(set + 1, -1).flatMap((step) => String(step).split('.'));
    const own = text.slice(key.start, key.end).split('.');
    const at = steps.length - 1 - before.length;
    if (at < 0 || at >= own.length || !startsWith([...before, ...own], steps.map(String))) return [];
    const start = key.start + own.slice(0, at).reduce((length, part) => length + part.length + 1, 0);
    return [{ path, start, end: start + own[at]!.length }];
  });
}

function withEdits(snapshot: ChartSnapshot, edits: readonly TextEdit[]): ChartSnapshot {
  const texts = new ChartTexts(snapshot.files);
  const changed = new Map<string, string>();
  for (const { path, start, end, text } of edits.toReversed()) {
    const before = changed.get(path) ?? texts.text(path);
    changed.set(path, before.slice(0, start) + text + before.slice(end));
  }
  const cases = snapshot.cases.map((one) => ({
    ...one,
    valuesFiles: one.valuesFiles.map(({ name, text }) => ({ name, text: changed.get(name) ?? text })),
  }));
  return { ...snapshot, files: new Map([...snapshot.files, ...changed]), cases };
}

// Returns the first difference between the renderings before and after, or undefined.
function differenceOf({ chart, runs }: AnalyzedChart, after: ChartSnapshot): string | undefined {
  try {
    const renamed = loadSnapshot(after);
    for (const [at, { given, options }] of runs.entries()) {
      const before = textOf(chart, options);
      const text = textOf(renamed, { ...options, valuesFiles: after.cases[at]!.valuesFiles });
      if (before !== text) return `Case ${given.name} would render ${firstDifference(before, text)}`;
    }
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    return `The chart would not load: ${error.message}`;
  }
  return undefined;
}

function textOf(chart: Chart, options: CaseRun['options']): string {
  try {
    return formatTemplate(renderWith(chart, options), {});
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    // Messages quote the templates, in which the name has changed.
    return `Error: ${error.code}`;
  }
}

function firstDifference(before: string, after: string): string {
  const lines = after.split('\n');
  const at = before.split('\n').findIndex((line, index) => line !== lines[index]);
  const old = before.split('\n')[at];
  return `differently: ${JSON.stringify(lines[at] ?? '')} instead of ${JSON.stringify(old ?? '')}. Rename it by hand.`;
}

export interface Hover extends TextSpan {
  /** Markdown. */
  readonly text: string;
}

export class ChartSession {
  #last: AnalyzedChart | undefined;

  async analyze(snapshot: ChartSnapshot): Promise<ChartAnalysis> {
    const analyzed = await analyzeChart(snapshot);
    if ('chart' in analyzed) this.#last = analyzed;
    return analyzed.analysis;
  }

  /** Returns what is known of a place from the last complete analysis, or undefined. */
  hover(place: DocumentPlace): Hover | undefined {
    if (this.#last === undefined) return undefined;
    const found = valuesAtPlace(this.#last.analysis, place);
    if (found === undefined) return outputAt(place, this.#last);
    return { start: found.start, end: found.end, text: valuesText(found.values, this.#last) };
  }

  /** Returns the edits that rename the value at a place, or why it cannot be renamed: all cases must render to the same text as before. */
  rename(request: RenameRequest): Rename {
    if (this.#last === undefined) return { refusal: 'The chart has not been rendered yet: fix its errors first.' };
    return renameValue(this.#last, request);
  }
}

// The output of the action at a place.
function outputAt({ path, offset }: DocumentPlace, { snapshot, chart, runs }: AnalyzedChart): Hover | undefined {
  const texts = new ChartTexts(snapshot.files);
  const action = listActions(texts.text(path)).find(({ start, end }) => start <= offset && offset <= end);
  if (action === undefined) return undefined;
  const file = `${chart.metadata.name}/${path}`;
  const written = runs.flatMap(({ given, runs: own }) => {
    const found = [...(own.written.get(file) ?? [])].find(([at]) => action.start <= at && at < action.end);
    return found === undefined ? [] : [{ name: given.name, text: found[1] }];
  });
  if (written.length === 0) return undefined;
  const parts = groupCases(written, runs.length).map(({ names, text }) => `${names}\n\n${fenced(text)}`);
  return { start: action.start, end: action.end, text: parts.join('\n\n') };
}

const mostValues = 3;

function valuesText(paths: readonly Steps[], analyzed: AnalyzedChart): string {
  const parts = paths.slice(0, mostValues).map((steps) => valueText(steps, analyzed));
  const more = paths.length - parts.length;
  return [...parts, ...(more > 0 ? [`and ${more} more values`] : [])].join('\n\n---\n\n');
}

function valueText(steps: Steps, { chart, runs }: AnalyzedChart): string {
  const about = describeValue(chart, steps);
  const rows = runs.flatMap(({ given, options, release }) => {
    if (release === undefined) return [];
    const value = valueAtSteps(release.values, steps);
    const sources = chartSources({ chart, folder: '.', given: userValuesOf(options) });
    const [setter] = valuesOfRelease({ values: release.values, trace: createTrace() }, sources).settersOf(steps);
    const where = setter === undefined ? '' : ` – ${placeText(setter)}`;
    return [{ name: given.name, text: `${value === undefined ? '*not set*' : codeOf(shortJson(value))}${where}` }];
  });
  const values = groupCases(rows, runs.length).map(({ names, text }) => `- ${names}: ${text}`);
  return [`**${pathText(steps)}**`, about, values.join('\n')].filter(Boolean).join('\n\n');
}

function placeText({ where, line }: Setter): string {
  const file = where.replace(/^\.\//, '');
  return line === undefined ? file : `${file}:${line}`;
}

const longestValue = 160;

function shortJson(value: GoValue): string {
  const text = JSON.stringify(plainValue(value)) ?? 'null';
  return text.length > longestValue ? `${text.slice(0, longestValue)}…` : text;
}

function codeOf(text: string): string {
  const ticks = backticksAround(text, 1);
  return ticks.length === 1 ? `\`${text}\`` : `${ticks} ${text} ${ticks}`;
}

function fenced(text: string): string {
  const fence = backticksAround(text, 3);
  return `${fence}yaml\n${text.replace(/^\n/, '')}\n${fence}`;
}

// Cases with the same text share a row.
function groupCases(
  rows: readonly { readonly name: string; readonly text: string }[],
  count: number,
): readonly { readonly names: string; readonly text: string }[] {
  return [...groupBy(rows, ({ text }) => text)].map(([text, group]) => ({
    text,
    names: group.length === count && count > 1 ? 'all cases' : group.map(({ name }) => name).join(', '),
  }));
}
