// A chart that is being edited: hover and rename from its last complete analysis.

import { userValuesOf } from '../api/chart.ts';
import { plainValue } from '../codec/plain.ts';
import { backticksAround } from '../core/markdown.ts';
import type { GoValue } from '../go/value.ts';
import { createTrace } from '../provenance/origins/propagation.ts';
import { chartSources } from '../provenance/trace/objects.ts';
import type { Setter } from '../provenance/trace/setters.ts';
import { valuesOfRelease } from '../provenance/trace/values.ts';
import { describeValue } from '../values/describe.ts';
import { pathText, type Steps, valueAtSteps } from '../values/paths.ts';
import { analyzeChart } from './analyze.ts';
import { listActions } from './broken-action.ts';
import type { AnalyzedChart, ChartAnalysis, ChartSnapshot } from './model.ts';
import { type DocumentPlace, valuesAtPlace } from './navigate.ts';
import { type Rename, type RenameRequest, renameValue } from './rename.ts';
import type { TextSpan } from './template-nodes.ts';
import { ChartTexts } from './texts.ts';

/** The description of a place. */
export interface Hover extends TextSpan {
  /** Markdown. */
  readonly text: string;
}

/** A chart being edited. */
export class ChartSession {
  #last: AnalyzedChart | undefined;

  /** Analyzes the current chart. */
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
  const found = new Map<string, string[]>();
  for (const { name, text } of rows) found.set(text, [...(found.get(text) ?? []), name]);
  return [...found].map(([text, names]) => ({
    text,
    names: names.length === count && count > 1 ? 'all cases' : names.join(', '),
  }));
}
