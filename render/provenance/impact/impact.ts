// Finds the objects and fields that a value affects, from the explanations of all lines.

import { counted } from '../../core/counted.ts';
import { RenderError } from '../../core/errors.ts';
import { type Steps, splitPath } from '../../core/paths.ts';
import { suggest } from '../../core/suggest.ts';
import { uniqueBy } from '../../core/unique-by.ts';
import { wayRank } from '../../template/origin.ts';
import { pathText, startsWith } from '../../values/paths.ts';
import type { ExplainedCondition, ExplainedPart, TemplatePlace } from '../trace/explain.ts';
import type { TracedObjects } from '../trace/explanation.ts';
import { setterLines } from '../trace/report.ts';
import type { Setter } from '../trace/setters.ts';
import type { ExplainedValue, ValueWay } from '../trace/values.ts';
import { type FieldLine, objectLines } from './places.ts';

/** A field of an object that a value affects. */
export interface ImpactedField {
  /** The path in the object, such as `spec.replicas`; empty for the whole object. */
  readonly path: string;
  /** The line of the object (from 1), and its text. */
  readonly line: number;
  readonly text: string;
  /** Whether the value is used, something is computed from it, or it decides what is used. */
  readonly how: ValueWay;
  /** What wrote the line; for a deciding value, the condition. */
  readonly place: TemplatePlace;
  /** The values at or below the requested path that have the effect. */
  readonly values: readonly string[];
}

/** An object that a value affects. */
export interface ImpactedObject {
  /** `KIND/NAMESPACE/NAME`. */
  readonly object: string;
  /** The template file of the object. */
  readonly source: string;
  /** In the order of the object. */
  readonly fields: readonly ImpactedField[];
}

/** A part of a template that a value left out: a false condition, or an empty list. */
export interface LeftOut {
  readonly place: TemplatePlace;
  readonly values: readonly string[];
}

/** The effects of a value in a rendering. */
export interface Impact {
  /** The requested path, such as `image.tag`. */
  readonly path: string;
  /** Every place that sets the value, the winning one first. */
  readonly setBy: readonly Setter[];
  readonly objects: readonly ImpactedObject[];
  /** What its current value left out. */
  readonly leftOut: readonly LeftOut[];
}

/** Reports whether a value decided what is used, alone or with others. */
function isChoice(how: ValueWay): boolean {
  return how === 'decides' || how === 'shares';
}

/** Returns the effects of the values at and below a path. Throws VALUES_INVALID if nothing sets or reads it. */
export function impactOf(releases: readonly TracedObjects[], path: string): Impact {
  const wanted = splitPath(path);
  const objects: ImpactedObject[] = [];
  const read = new Set<string>();
  for (const { title, source, lines } of objectLines(releases)) {
    const fields = fieldsOf(lines, wanted);
    if (fields.length > 0) objects.push({ object: title, source, fields });
    for (const { parts } of lines) for (const { values } of parts) for (const value of values) read.add(value.path);
  }
  const setBy = releases.flatMap(({ trace }) => [...trace.setBy(wanted)]);
  const files = releases.flatMap(({ trace }) => trace.files);
  const off = releases.flatMap(({ trace }) => trace.subcharts.filter(({ isEnabled }) => !isEnabled));
  const conditions = [...off.map(({ condition }) => condition), ...files.flatMap((file) => file.leftOut)];
  const leftOut = uniqueBy(leftOutBy(conditions, wanted), ({ place }) => `${place.file}:${place.line}:${place.column}`);
  const shown = pathText(wanted.map((step) => (/^(?:0|[1-9]\d{0,8})$/.test(step) ? Number(step) : step)));
  if (setBy.length + objects.length + leftOut.length === 0) throw unknownPath(shown, read);
  return { path: shown, setBy, objects, leftOut };
}

function unknownPath(path: string, read: ReadonlySet<string>): RenderError {
  const meant = suggest(
    path,
    [...read].filter((one) => !one.startsWith('.')),
  );
  return new RenderError('VALUES_INVALID', `nothing sets or reads the value ${path}`, {
    hint:
      meant === undefined
        ? 'Write a path from the values of the chart, such as image.tag or hosts[0].name.'
        : `Did you mean ${meant}?`,
  });
}

function isBelow({ steps, path }: ExplainedValue, wanted: Steps): boolean {
  return !path.startsWith('.') && startsWith(steps, wanted);
}

// A table that was read as a whole contains the value; if its parts are known, they are used.
function isAround({ steps, path, how }: ExplainedValue, wanted: Steps): boolean {
  if (path.startsWith('.') || how !== 'computed' || steps.length >= wanted.length) return false;
  return steps.every((step, at) => String(wanted[at]) === String(step));
}

function fieldsOf(lines: readonly FieldLine[], wanted: Steps): ImpactedField[] {
  const fields = lines.flatMap((line) => fieldOf(line, wanted) ?? []);
  const decided = new Map(fields.map((field) => [keyOf(field.steps), field]));
  const isWhole = lines.every(({ text, steps }) => text.trim() === '' || decided.has(keyOf(steps)));
  const [first] = fields;
  const kept = fields.filter((field) => !isChoice(field.how) || !isWithin(field, decided));
  const named = kept.map(({ steps, ...field }) => ({ ...field, path: pathText(steps) }));
  if (!isWhole || first === undefined || !fields.some(({ how }) => isChoice(how))) return named;
  // The whole object exists, or does not.
  const { steps: _, ...whole } = {
    ...first,
    ...(isChoice(first.how) ? {} : fields.find(({ how }) => isChoice(how))),
  };
  return [{ ...whole, path: '' } as ImpactedField, ...named.filter(({ how }) => !isChoice(how))];
}

type Field = Omit<ImpactedField, 'path'> & { readonly steps: Steps };

function fieldOf({ line, text, steps, parts }: FieldLine, wanted: Steps): Field | undefined {
  const own = parts.flatMap((part) =>
    part.values.filter((value) => isBelow(value, wanted)).map((value) => ({ part, value })),
  );
  const around = parts.flatMap((part) => {
    const isTold = part.values.some(({ how }) => how === 'exact');
    return isTold ? [] : part.values.filter((value) => isAround(value, wanted)).map((value) => ({ part, value }));
  });
  const written = (own.length > 0 ? own : around).sort((a, b) => wayRank(a.value.how) - wayRank(b.value.how));
  const [best] = written;
  if (best !== undefined && !isChoice(best.value.how)) {
    return {
      line,
      text,
      steps,
      how: best.value.how,
      place: best.part.place,
      values: pathsOf(written.map(({ value }) => value)),
    };
  }
  const conditions = parts.flatMap((part) => conditionsBy(part, wanted));
  const place = conditions[0] ?? best?.part.place;
  if (place === undefined) return undefined;
  const values = [
    ...written.map(({ value }) => value),
    ...conditions.flatMap((one) => one.values.filter((value) => isBelow(value, wanted))),
  ];
  const isAlone = values.some(({ how }) => how === 'decides');
  return {
    line,
    text,
    steps,
    how: isAlone ? 'decides' : 'shares',
    place,
    values: pathsOf(values),
  };
}

function conditionsBy({ conditions }: ExplainedPart, wanted: Steps): readonly ExplainedCondition[] {
  return conditions.filter(({ values }) => values.some((value) => isBelow(value, wanted)));
}

function isWithin({ steps, values }: Field, decided: ReadonlyMap<string, Field>): boolean {
  return steps.some((_, at) => {
    const outer = at === 0 ? undefined : decided.get(keyOf(steps.slice(0, at)));
    return outer !== undefined && isChoice(outer.how) && values.every((value) => outer.values.includes(value));
  });
}

function keyOf(steps: Steps): string {
  return JSON.stringify(steps.map(String));
}

function pathsOf(values: readonly ExplainedValue[]): string[] {
  return [...new Set(values.map(({ path }) => path))];
}

function leftOutBy(conditions: readonly ExplainedCondition[], wanted: Steps): LeftOut[] {
  return conditions.flatMap(({ values, isElse: _, ...place }) => {
    const own = values.filter((value) => isBelow(value, wanted));
    return own.length === 0 ? [] : [{ place, values: pathsOf(own) }];
  });
}

const words: Readonly<Record<ImpactedField['how'], string>> = {
  exact: 'appears in',
  computed: 'makes',
  decides: 'decides',
  shares: 'decides with others',
};

/** Formats the effects of a value as a list: each object with its fields, then what was left out. */
export function impactText({ path, setBy, objects, leftOut }: Impact): string {
  return [
    `${path} reaches ${objects.length === 0 ? 'nothing' : counted(objects.length, 'object')}`,
    ...setterLines(setBy, '  '),
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
