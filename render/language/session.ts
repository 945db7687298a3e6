// A chart while it is edited: what the last complete analysis knows of a place in its files.

import { userValuesOf } from '../api/chart.ts';
import type { Chart } from '../chart/chart.ts';
import { plainValue } from '../codec/plain.ts';
import { createTrace } from '../provenance/origins/create.ts';
import { chartSources } from '../provenance/trace/objects.ts';
import { valuesOfRelease } from '../provenance/trace/release-trace.ts';
import type { SettersOf } from '../provenance/trace/setters.ts';
import { describeValue } from '../values/describe.ts';
import { pathText, type Steps, valueAtSteps } from '../values/paths.ts';
import { analyzeChart } from './analyze.ts';
import { listActions } from './broken-action.ts';
import type { AnalyzedChart, CaseRun, ChartAnalysis, ChartSnapshot } from './model.ts';
import { valuesAt } from './navigate.ts';
import { type Rename, renameValue } from './rename.ts';
import type { Span } from './template-nodes.ts';
import { ChartTexts } from './texts.ts';

/** What is said of a place. */
export interface Hover extends Span {
  /** Markdown. */
  readonly text: string;
}

/** A chart that is being edited. */
export class ChartSession {
  #last: (AnalyzedChart & { readonly chart: Chart }) | undefined;

  /** Analyzes the chart as it is now. */
  async analyze(snapshot: ChartSnapshot): Promise<ChartAnalysis> {
    const analyzed = await analyzeChart(snapshot);
    const { chart, analysis } = analyzed;
    if (chart !== undefined) this.#last = { ...analyzed, chart };
    return analysis;
  }

  /** Returns what is known of a place, as of the last complete analysis; undefined where that is nothing. */
  hover(path: string, offset: number): Hover | undefined {
    const last = this.#last;
    if (last === undefined) return undefined;
    const { analysis, chart, runs } = last;
    const found = valuesAt(analysis, { path, offset });
    if (found !== undefined) {
      return { start: found.start, end: found.end, text: valuesText(found.values, chart, runs) };
    }
    return this.#writtenAt(path, offset, last);
  }

  #writtenAt(
    path: string,
    offset: number,
    { snapshot, chart, runs }: AnalyzedChart & { readonly chart: Chart },
  ): Hover | undefined {
    const texts = new ChartTexts(snapshot.files);
    const action = listActions(texts.text(path)).find(({ start, end }) => start <= offset && offset <= end);
    if (action === undefined) return undefined;
    const file = `${chart.metadata.name}/${path}`;
    const written = runs.flatMap(({ given, runs: own }) => {
      const found = [...(own.written.get(file) ?? [])].find(([at]) => action.start <= at && at < action.end);
      return found === undefined ? [] : [{ name: given.name, text: found[1] }];
    });
    if (written.length === 0) return undefined;
    const text = byText(written, runs.length)
      .map(({ names, text: shown }) => `${names}\n\n${fenced(shown)}`)
      .join('\n\n');
    return { start: action.start, end: action.end, text };
  }

  /**
   * Returns the changes that give the value at a place another name, or why there are none: everything must render to the same text
   * as before.
   */
  rename(path: string, offset: number, name: string): Rename {
    if (this.#last === undefined) return { refusal: 'The chart has not been rendered yet: fix its errors first.' };
    return renameValue(this.#last, { path, offset, name });
  }
}

function valuesText(paths: readonly Steps[], chart: Chart, runs: readonly CaseRun[]): string {
  const shown = paths.slice(0, 3);
  const more = paths.length - shown.length;
  const parts = shown.map((steps) => valueText(steps, chart, runs));
  return [...parts, ...(more > 0 ? [`and ${more} more values`] : [])].join('\n\n---\n\n');
}

function valueText(steps: Steps, chart: Chart, runs: readonly CaseRun[]): string {
  const about = describeValue(chart, steps);
  const rows = runs.flatMap((run) => {
    if (run.release === undefined) return [];
    const value = valueAtSteps(run.release.values, steps);
    const [setter] = settersOf(run, chart)(steps);
    const where = setter === undefined ? '' : ` – ${placeText(setter)}`;
    return [{ name: run.given.name, text: `${value === undefined ? '*not set*' : codeOf(shortJson(value))}${where}` }];
  });
  const values = byText(rows, runs.length).map(({ names, text }) => `- ${names}: ${text}`);
  return [`**${pathText(steps)}**`, about, values.join('\n')].filter(Boolean).join('\n\n');
}

function placeText({ where, line }: ReturnType<SettersOf>[number]): string {
  const file = where.replace(/^\.\//, '');
  return line === undefined ? file : `${file}:${line}`;
}

function settersOf({ release, options }: CaseRun, chart: Chart): SettersOf {
  const sources = chartSources({ chart, folder: '.', given: userValuesOf(options) });
  return valuesOfRelease({ values: release!.values, trace: createTrace() }, sources).settersOf;
}

const longestValue = 160;

function shortJson(value: NonNullable<ReturnType<typeof valueAtSteps>> | null): string {
  const text = JSON.stringify(plainValue(value)) ?? 'null';
  return text.length > longestValue ? `${text.slice(0, longestValue)}…` : text;
}

// Code in Markdown ends with as many backticks as it began with.
function codeOf(text: string): string {
  const ticks = '`'.repeat(Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length)) + 1);
  return ticks.length === 1 ? `\`${text}\`` : `${ticks} ${text} ${ticks}`;
}

function fenced(text: string): string {
  const fence = '`'.repeat(Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length)) + 1);
  return `${fence}yaml\n${text.replace(/^\n/, '')}\n${fence}`;
}

// Cases with the same text share a row.
function byText(
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
