// Formats the explanation of a failed rendering, which follows Helm's own message.

import type { FailureExplanation, FaultFrame, MissingValue, RefusedValue } from './failure.ts';
import { conditionLines, frameOf, placeText, valueLines } from './report.ts';
import type { Setter } from './setters.ts';

/** Formats the explanation of a failure; empty if nothing is known beyond Helm's message. */
export function failureText({
  frames,
  places,
  values,
  refused,
  conditions,
  missing,
  hints,
}: FailureExplanation): string {
  const blocks = [
    ...frames.map(frameLines),
    places.flatMap((place, at) => frameOf(at === 0 ? 'written by' : 'through', place)),
    missing === undefined ? [] : missingLines(missing),
    ...refused.map(refusedLines),
    values.flatMap((value) => valueLines(value, value.how === 'computed' ? 'was read' : undefined)),
    conditions.flatMap(conditionLines),
    hints,
  ];
  const shown = blocks.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return shown.length === 0 ? '' : `\n${shown.join('\n\n')}\n`;
}

function frameLines({ title, line, column, width, lines }: FaultFrame): string[] {
  const digits = String(lines.at(-1)?.line ?? line).length;
  const rows = lines.flatMap((one) => {
    const row = `${one.line === line ? '>' : ' '} ${String(one.line).padStart(digits)} | ${one.text}`.trimEnd();
    if (one.line !== line) return [row];
    const blank = one.text.slice(0, column - 1).replace(/[^\t]/g, ' ');
    return [row, `  ${' '.repeat(digits)} | ${blank}${'^'.repeat(width)}`];
  });
  return [`${title}:${line}:${column}`, ...rows];
}

function refusedLines({ path, message, setBy }: RefusedValue): string[] {
  const places = setBy.map((setter, at) => {
    return `    ${at === 0 ? 'set by' : 'over'} ${placeText(setter)} (${JSON.stringify(setter.value)})`;
  });
  return [`  ${path === '' ? 'the values' : path}: ${message}`, ...places];
}

function missingLines({ path, absent, besideBy, nullBy }: MissingValue): string[] {
  const [reset] = nullBy;
  const [beside] = besideBy;
  const absence = reset === undefined ? 'is not set' : `is set to null by ${placeText(reset)}`;
  const where =
    beside === undefined ? 'at the top of a values file' : `where the values around it are: ${wherePlaces(besideBy)}`;
  return [`  ${absent} ${absence}${absent === path ? '' : `, so there is no ${path}`}`, `    could be set ${where}`];
}

function wherePlaces(setters: readonly Setter[]): string {
  return setters.map(placeText).join(', ');
}
