// Formats explanations for people.

import type { JsonValue } from '../../order/order.ts';
import type { ExplainedCondition, ExplainedPart, TemplatePlace } from './explain.ts';
import type { ExplainedLine } from './release-trace.ts';
import type { Setter } from './setters.ts';
import type { ExplainedValue } from './values.ts';

/** Formats one line in full: what wrote it, what it read, where that was set, and its conditions. */
export function explanationText({ text, parts }: ExplainedLine): string {
  const conditions = new Map(parts.flatMap((part) => part.conditions.map((one) => [titleOf(one), one] as const)));
  const blocks = [...sourcedParts(parts).map(partLines), [...conditions.values()].flatMap(conditionLines)];
  return `${[[text], ...blocks.filter((lines) => lines.length > 0)].map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

// Literal text around a value is visible in the value's frame.
function sourcedParts(parts: readonly ExplainedPart[]): readonly ExplainedPart[] {
  const lineOf = ({ place: { file, line } }: ExplainedPart): string => `${file}:${line}`;
  const sourced = new Set(parts.filter(({ values }) => values.length > 0).map(lineOf));
  return parts.filter((part) => part.values.length > 0 || !sourced.has(lineOf(part)));
}

function partLines({ text, place, through, values }: ExplainedPart): string[] {
  return [
    text.trim(),
    ...[...through, place].flatMap((step, at) => frameOf(at === 0 ? 'written by' : 'through', step)),
    ...values.flatMap((value) => valueLines(value)),
  ];
}

/** Formats a condition and the values that it read. */
export function conditionLines(condition: ExplainedCondition): string[] {
  return [
    `there for ${condition.isElse ? 'the else of ' : ''}${condition.text}`,
    ...frameOf('at', { ...condition, text: condition.text.replace(/^(?:if|with|range) /, '') }),
    ...condition.values.flatMap((value) => valueLines(value)),
  ];
}

export function titleOf({ file, line, column }: TemplatePlace): string {
  return `${file}:${line}:${column}`;
}

/** Formats a template line with a marker under the action. */
export function frameOf(word: string, place: TemplatePlace): string[] {
  const { line, column, source, text } = place;
  const left = `    ${line} | `;
  const blank = source.slice(0, column - 1).replace(/[^\t]/g, ' ');
  const width = Math.max(1, Math.min(text.length, source.length - column + 1));
  return [`  ${word} ${titleOf(place)}`, `${left}${source}`, `${' '.repeat(left.length)}${blank}${'^'.repeat(width)}`];
}

const ways: Readonly<Record<ExplainedValue['how'], string>> = {
  exact: 'used here',
  computed: 'computed from it',
  decides: 'decides',
  shares: 'decides with others',
};

/** Formats a value and the places that set it. */
export function valueLines({ path, value, how, setBy }: ExplainedValue, part: string = ways[how]): string[] {
  const places = setterLines(setBy, '    ', (setter, at) => detail(setter, { path, value, at }));
  const none = path.startsWith('.') ? [] : ['    not set in any values'];
  return [`  ${path} = ${valueText(value)}: ${part}`, ...(places.length === 0 ? none : places)];
}

/** Formats the places that set a value, each with a detail. */
export function setterLines(
  setBy: readonly Setter[],
  indent: string,
  detailOf: (setter: Setter, at: number) => string = () => '',
): string[] {
  return setBy.map(
    (setter, at) => `${indent}${at === 0 ? 'set by' : 'over'} ${placeText(setter)}${detailOf(setter, at)}`,
  );
}

// What differs from the line above: another value, another path, another way.
function detail(
  setter: Setter,
  { path, value, at }: { readonly path: string; readonly value: JsonValue; readonly at: number },
): string {
  const words = [
    ...(kindWords[setter.kind] === undefined ? [] : [kindWords[setter.kind]]),
    ...(setter.path === path ? [] : [`as ${setter.path}`]),
    ...(at === 0 && JSON.stringify(setter.value) === JSON.stringify(value) ? [] : [valueText(setter.value)]),
  ];
  return words.length === 0 ? '' : ` (${words.join(', ')})`;
}

const kindWords: Readonly<Partial<Record<Setter['kind'], string>>> = {
  patch: 'patch',
  'parent-chart': 'parent chart',
  'import-values': 'import-values',
};

/** Formats a place that sets values: its file, line and column, or the command line. */
export function placeText({ where, line, column }: Setter): string {
  return line === undefined ? where : `${where}:${line}:${column}`;
}

const maxText = 60;

function valueText(value: JsonValue): string {
  if (Array.isArray(value)) return value.length === 0 ? '[]' : `a list of ${value.length}`;
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0 ? '{}' : 'a table';
  const text = JSON.stringify(value);
  return text.length > maxText ? `${text.slice(0, maxText)}…` : text;
}

/** Formats lines with a margin: the innermost template place that wrote each. */
export function marginText(lines: readonly ExplainedLine[]): string {
  const rows = lines.map(({ text, parts }) => {
    const written = parts.findLast(({ values }) => values.length > 0) ?? parts.at(-1);
    return { text, place: written === undefined ? '' : `${written.place.file}:${written.place.line}`, parts };
  });
  const width = Math.max(...rows.map(({ place }) => place.length));
  return rows.map(({ text, place }) => `${`${place.padEnd(width)} | ${text}`.trimEnd()}\n`).join('');
}
