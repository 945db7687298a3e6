// Renames a value in values files, templates, suites and the schema.

import { renderWith } from '../api/chart.ts';
import type { Chart } from '../chart/chart.ts';
import { listMembers } from '../codec/yaml/members.ts';
import { RenderError } from '../core/errors.ts';
import { escapePattern } from '../core/escape-pattern.ts';
import { uniqueBy } from '../core/unique-by.ts';
import { formatTemplate } from '../output/template.ts';
import { isSameSteps, pathText, type Steps, startsWith } from '../values/paths.ts';
import { loadSnapshot } from './analyze.ts';
import { listKeys, offsetOf } from './keys.ts';
import type { AnalyzedChart, CaseRun, ChartSnapshot } from './model.ts';
import { type DocumentPlace, valuesAtPlace } from './navigate.ts';
import { ChartTexts, type FileSpan } from './texts.ts';

/** A change of a file of the chart. */
export interface TextEdit extends FileSpan {
  readonly text: string;
}

/** The changes of a rename, or why it is impossible. */
export type Rename = { readonly edits: readonly TextEdit[] } | { readonly refusal: string };

/** The old and the new name. */
export interface RenameRequest extends DocumentPlace {
  readonly name: string;
}

/** Renames a value. The chart must then render to the same text in every case. */
export function renameValue(analyzed: AnalyzedChart, request: RenameRequest): Rename {
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

// Texts that mention a value: documentation, the schema, suites of helm-unittest.
function otherPlaces({ files }: ChartSnapshot, steps: Steps): FileSpan[] {
  const texts = new ChartTexts(files);
  return [...files.keys()].flatMap((path) => {
    if (path === 'values.schema.json') return schemaPlaces(path, texts.text(path), steps);
    if (path === 'values.yaml') return commentPlaces(path, texts.text(path), steps);
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

// Bitnami's comments refer to values by path: `## @param image.tag Tag`.
function commentPlaces(path: string, text: string, steps: Steps): FileSpan[] {
  const quoted = escapePattern(pathText(steps));
  const length = String(steps.at(-1)).length;
  return [...text.matchAll(new RegExp(`^[ \\t]*#+[ \\t]*@param[ \\t]+${quoted}(?=[\\s.[])`, 'gm'))].map((match) => {
    const end = match.index + match[0].length;
    return { path, start: end - length, end };
  });
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
