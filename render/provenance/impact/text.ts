// Formats the effects of a value for people and for programs.

import { placeText } from '../trace/report.ts';
import { type Impact, type ImpactedField, isChoice, type LeftOut } from './impact.ts';

const words: Readonly<Record<ImpactedField['how'], string>> = {
  exact: 'appears in',
  computed: 'makes',
  decides: 'decides',
  shares: 'decides with others',
};

/** Formats the effects of a value as a list: each object with its fields, then what was left out. */
export function impactText({ path, setBy, objects, leftOut }: Impact): string {
  const count = objects.length === 1 ? '1 object' : `${objects.length} objects`;
  return [
    `${path} reaches ${objects.length === 0 ? 'nothing' : count}`,
    ...setBy.map((setter, at) => `  ${at === 0 ? 'set by' : 'over'} ${placeText(setter)}`),
    ...objects.flatMap(({ object, source, fields }) => ['', `${object} (${source})`, ...fieldRows(path, fields)]),
    ...(leftOut.length === 0 ? [] : ['', 'left out as it is:', ...leftOut.map((one) => leftOutRow(path, one))]),
    '',
  ].join('\n');
}

function fieldRows(wanted: string, fields: readonly ImpactedField[]): string[] {
  const rows = fields.map(({ path, how, line, text, values }) => {
    const of = values.some((value) => value !== wanted) ? ` (${values.join(', ')})` : '';
    const shown = path === '' ? 'that it is there' : path;
    return [`  ${words[how]} ${shown}`, `${isChoice(how) ? '' : `line ${line}: ${text.trim()}`}${of}`] as const;
  });
  const width = Math.min(Math.max(...rows.map(([left]) => left.length)), 60);
  return rows.map(([left, right]) => `${left.padEnd(width)}  ${right}`.trimEnd());
}

function leftOutRow(wanted: string, { place: { file, line, column, text }, values }: LeftOut): string {
  const of = values.some((value) => value !== wanted) ? ` (${values.join(', ')})` : '';
  return `  ${file}:${line}:${column}: ${text}${of}`;
}

/** Formats the effects of values as JSON. */
export function impactJson(impacts: readonly Impact[]): string {
  return `${JSON.stringify({ impacts }, null, 2)}\n`;
}
