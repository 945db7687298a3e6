// Checks that coverage is correct: inserts a `fail` at places that are reported as run or as not run.

import { template } from '../../../render/api/chart.ts';
import { type CoverageCase, coverChart } from '../../../render/api/coverage.ts';
import type { Chart } from '../../../render/chart/chart.ts';
import { RenderError } from '../../../render/core/errors.ts';
import { decodeUtf8, encodeUtf8 } from '../../../render/go/utf8.ts';
import type { ChartResult } from '../chart-result.ts';
import { evenly, orRenderError, repeatableHost } from '../chart-values.ts';

const word = 'drydock-ran-this';
const failing = `fail "${word}"`;

interface Place {
  readonly title: string;
  readonly file: string;
  readonly at: number;
  readonly insert: string;
  readonly hasRun: boolean;
  /** Whether an insertion that does not run must change no byte. */
  readonly isSilent: boolean;
}

/** Checks places in a chart: all, or `count` of them, evenly spread. */
export function checkCoverage(chart: Chart, cases: readonly CoverageCase[], count: number): ChartResult {
  const coverage = coverChart(chart, { cases });
  const good = cases.filter((_, at) => coverage.cases[at]?.failure === undefined);
  if (good.length < cases.length || good.length === 0) return { counts: {}, failures: [] };
  const texts = good.map((item) => renderCase(chart, item));
  const places = coverage.files.flatMap((file) => placesOf(chart, file));
  const chosen = evenly(places, count);
  const failures = chosen.flatMap((place) => {
    const claim = falseClaim(place, good, texts, chart);
    return claim === undefined ? [] : [`${place.title}: ${claim}`];
  });
  const run = chosen.filter(({ hasRun }) => hasRun).length;
  return { counts: { tried: chosen.length, run, falseClaims: failures.length }, failures };
}

// With the same random values in each rendering.
function renderCase(chart: Chart, { name: _name, ...options }: CoverageCase): string {
  return template(chart, { ...options, host: repeatableHost() });
}

function falseClaim(
  place: Place,
  cases: readonly CoverageCase[],
  texts: readonly string[],
  chart: Chart,
): string | undefined {
  const changed = withInsertion(chart, place);
  const outcomes = cases.map((item, at): 'failed' | 'same' | 'different' | string => {
    const text = orRenderError(() => renderCase(changed, item));
    if (text instanceof RenderError) return text.message.includes(word) ? 'failed' : text.message;
    return text === texts[at] ? 'same' : 'different';
  });
  const failed = outcomes.includes('failed');
  if (place.hasRun) return failed ? undefined : `reported as run, but rendering: ${outcomes.join(', ')}`;
  const isUnchanged = place.isSilent ? outcomes.every((outcome) => outcome === 'same') : !failed;
  return isUnchanged ? undefined : `reported as not run, but rendering: ${outcomes.join(', ')}`;
}

function withInsertion(chart: Chart, { file, at, insert }: Place): Chart {
  const templates = chart.templates.map((one) => {
    const text = decodeUtf8(one.data);
    return one.name === file ? { ...one, data: encodeUtf8(text.slice(0, at) + insert + text.slice(at)) } : one;
  });
  return { ...chart, templates };
}

type File = ReturnType<typeof coverChart>['files'][number];
type Insertion = Pick<Place, 'at' | 'insert'>;

function placesOf(chart: Chart, { path, actions, branches }: File): Place[] {
  const data = chart.templates.find(({ name }) => name === path)?.data;
  if (data === undefined) return [];
  const text = decodeUtf8(data);
  const lines = text.split('\n');
  const offsetOf = ({ line, column }: { readonly line: number; readonly column: number }): number =>
    lines.slice(0, line - 1).reduce((sum, { length }) => sum + length + 1, column - 1);
  const places: Place[] = [];
  const add = (title: string, insertion: Insertion | undefined, count: number, isSilent = true): void => {
    if (insertion === undefined) return;
    places.push({ title: `${path}:${title}`, file: path, ...insertion, hasRun: count > 0, isSilent });
  };
  for (const action of actions) {
    add(`${action.line} ${action.text}`, insertionBefore(text, offsetOf(action), failing), action.count);
  }
  for (const branch of branches) {
    const [taken, other] = branch.outcomes;
    if (!['if', 'with', 'range'].includes(branch.kind) || taken === undefined || other === undefined) continue;
    const offset = offsetOf(branch);
    const title = `${branch.line} ${branch.text}`;
    const end = closingOf(text, offset);
    const after = end === undefined ? undefined : { at: end, insert: `{{ ${failing} }}` };
    add(`${title}: ${taken.name}`, after, taken.count);
    const condition = branch.text.slice(branch.kind.length + 1).replace(/^\$\w*(?:, \$\w*)? :?= /, '');
    if (/\b(?:include|set|unset|rand\w*|tpl)\b/.test(condition)) continue;
    const unless = `if not (${condition}) }}{{ ${failing} }}{{ end`;
    add(`${title}: ${other.name}`, insertionBefore(text, offset, unless), other.count, false);
  }
  return places;
}

// An action before an `else if` would belong to the previous branch.
function insertionBefore(text: string, offset: number, action: string): Insertion | undefined {
  const at = text.lastIndexOf('{{', offset);
  if (at < 0 || /\belse\b/.test(text.slice(at, offset))) return undefined;
  // Keeps trimming on the left.
  return { at, insert: `${text[at + 2] === '-' ? '{{-' : '{{'} ${action} }}` };
}

// Returns the end of an action; strings may contain braces.
function closingOf(text: string, offset: number): number | undefined {
  const token = /"(?:[^"\\]|\\.)*"|`[^`]*`|'(?:[^'\\]|\\.)*'|\}\}/g;
  token.lastIndex = offset;
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    if (match[0] === '}}') return token.lastIndex;
  }
  return undefined;
}
