// Explanations of lines, for people and for programs.

import { emitJson } from '../codec/json.ts';
import { formatValue } from '../go/format.ts';
import type { GoValue } from '../go/value.ts';
import { pathText } from '../values/paths.ts';
import type { ExplainedCondition, ExplainedPart, ExplainedValue, TemplatePlace } from './explain.ts';
import type { Setter, Steps } from './setters.ts';

/** A line of an object, and why it is what it is. */
export interface ExplainedLine {
  /** The line in the object's text, from 1. */
  readonly line: number;
  readonly text: string;
  readonly parts: readonly ExplainedPart[];
}

/** Gives the places that set a value, the one that wins first. */
export type SettersOf = (steps: Steps) => readonly Setter[];

/** Gives one line in full: what wrote it, what it read, where that was set, and for what conditions it is there. */
export function explanationText({ text, parts }: ExplainedLine, settersOf: SettersOf): string {
  const conditions = new Map(parts.flatMap((part) => part.conditions.map((one) => [titleOf(one), one] as const)));
  const blocks = [
    ...parts.map((part) => partLines(part, settersOf)),
    [...conditions.values()].flatMap((condition) => conditionLines(condition, settersOf)),
  ];
  return `${[[text], ...blocks.filter((lines) => lines.length > 0)].map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

function partLines({ text, place, through, values }: ExplainedPart, settersOf: SettersOf): string[] {
  return [
    text.trim(),
    ...[...through, place].flatMap((step, at) => frameOf(at === 0 ? 'written by' : 'through', step)),
    ...values.flatMap((value) => valueLines(value, settersOf)),
  ];
}

function conditionLines(condition: ExplainedCondition, settersOf: SettersOf): string[] {
  return [
    `there for ${condition.isElse ? 'the else of ' : ''}${condition.text}`,
    ...frameOf('at', condition),
    ...condition.values.flatMap((value) => valueLines(value, settersOf)),
  ];
}

function titleOf({ file, line, column }: TemplatePlace): string {
  return `${file}:${line}:${column}`;
}

// The line of the template with a mark under the action.
function frameOf(word: string, place: TemplatePlace): string[] {
  const { line, column, source, text } = place;
  const left = `    ${line} | `;
  const blank = source.slice(0, column - 1).replace(/[^\t]/g, ' ');
  const width = Math.max(1, Math.min(text.length, source.length - column + 1));
  return [`  ${word} ${titleOf(place)}`, `${left}${source}`, `${' '.repeat(left.length)}${blank}${'^'.repeat(width)}`];
}

const ways: Readonly<Record<ExplainedValue['how'], string>> = {
  exact: 'stands here',
  computed: 'something was made of it',
  decides: 'decides',
};

function valueLines({ steps, value, how }: ExplainedValue, settersOf: SettersOf): string[] {
  const setters = settersOf(steps);
  const places = setters.map(({ where, line, column }, at) => {
    const place = line === undefined ? where : `${where}:${line}:${column}`;
    return `    ${at === 0 ? 'set by' : 'over'} ${place}`;
  });
  const none = ['    not set in any values'];
  return [`  ${pathText(steps)} = ${valueText(value)}: ${ways[how]}`, ...(places.length === 0 ? none : places)];
}

const maxText = 60;

function valueText(value: GoValue): string {
  if (value instanceof Map) return value.size === 0 ? '{}' : 'a table';
  if (Array.isArray(value)) return value.length === 0 ? '[]' : `a list of ${value.length}`;
  if (value === null) return 'null';
  const text = typeof value === 'string' ? JSON.stringify(value) : formatValue(value);
  return text.length > maxText ? `${text.slice(0, maxText)}…` : text;
}

/** Gives lines with a margin: the innermost place in the templates that wrote each. */
export function marginText(lines: readonly ExplainedLine[]): string {
  const rows = lines.map(({ text, parts }) => {
    const written = parts.findLast(({ values }) => values.length > 0) ?? parts.at(-1);
    return { text, place: written === undefined ? '' : `${written.place.file}:${written.place.line}`, parts };
  });
  const width = Math.max(...rows.map(({ place }) => place.length));
  return rows.map(({ text, place }) => `${`${place.padEnd(width)} | ${text}`.trimEnd()}\n`).join('');
}

/** Gives explained lines as one JSON text. */
export function explanationJson(lines: readonly ExplainedLine[], settersOf: SettersOf): string {
  const shownValues = (values: readonly ExplainedValue[]): unknown =>
    values.map(({ steps, value, how }) => ({
      path: pathText(steps),
      value: JSON.parse(emitJson(value)) as unknown,
      how,
      setBy: settersOf(steps),
    }));
  const shown = lines.map(({ line, text, parts }) => ({
    line,
    text,
    parts: parts.map((part) => ({
      text: part.text,
      place: part.place,
      through: part.through,
      values: shownValues(part.values),
      conditions: part.conditions.map((condition) => ({ ...condition, values: shownValues(condition.values) })),
    })),
  }));
  return `${JSON.stringify({ lines: shown }, null, 2)}\n`;
}
