// Explains why a rendering failed: the failing lines, the values involved, and what is missing and where it can be set.

import { type Chart, childPath } from '../../chart/chart.ts';
import type { RenderError } from '../../core/errors.ts';
import { suggest } from '../../core/suggest.ts';
import { uniqueBy } from '../../core/unique-by.ts';
import { decodeUtf8 } from '../../go/utf8.ts';
import type { GoMap, GoValue } from '../../go/value.ts';
import { execErrorsIn, type TemplateExecError } from '../../template/failures.ts';
import { printNode } from '../../template/nodes.ts';
import type { Read } from '../../template/origin.ts';
import type { FailedExecution, MissingPart, Trace } from '../../template/trace.ts';
import { describeValue } from '../../values/describe.ts';
import { pathText, type Steps, valueAtSteps } from '../../values/paths.ts';
import {
  conditionsOf,
  type ExplainedCondition,
  type ExplainedPart,
  explainLine,
  explainReads,
  placeIn,
  type TemplatePlace,
} from './explain.ts';
import { conditionLines, frameOf, placeText, setterLines, titleOf, valueLines } from './report.ts';
import type { Setter } from './setters.ts';
import { type ExplainedValue, type TraceSources, type ValueTable, valuesOfRelease } from './values.ts';

export interface FaultFrame {
  /** The name: a file, or a file as it was rendered. */
  readonly title: string;
  /** Line, from 1. */
  readonly line: number;
  /** Column, from 1, in UTF-16 units. */
  readonly column: number;
  /** Number of failing characters, at least 1. */
  readonly width: number;
  readonly lines: readonly { readonly line: number; readonly text: string }[];
}

/** A missing value that a template needs. */
export interface MissingValue {
  /** For example `image.registry.host`, from the values of the root chart. */
  readonly path: string;
  /** The first missing or null value on the way. */
  readonly absent: string;
  /** Where its parent is set, and it could be set too. Empty at the top level. */
  readonly besideBy: readonly Setter[];
  /** The place of the null that caused it. */
  readonly nullBy: readonly Setter[];
  /** Paths of values that may be meant. */
  readonly near: readonly string[];
}

/** A value that a schema refuses. */
export interface RefusedValue {
  readonly path: string;
  /** The violated rule. */
  readonly message: string;
  readonly setBy: readonly Setter[];
}

export interface FailureExplanation {
  readonly frames: readonly FaultFrame[];
  /** The template lines behind a rendered line, or on the way to the failing template. */
  readonly places: readonly TemplatePlace[];
  readonly values: readonly ExplainedValue[];
  readonly refused: readonly RefusedValue[];
  readonly conditions: readonly ExplainedCondition[];
  readonly missing: MissingValue | undefined;
  /** How to fix it, one sentence each. */
  readonly hints: readonly string[];
}

export interface FailedRendering {
  readonly error: RenderError;
  readonly chart: Chart;
  readonly trace: Trace;
  readonly sources: TraceSources;
}

/** Explains why a rendering failed. */
export function explainFailure({ error, chart, trace, sources }: FailedRendering): FailureExplanation {
  const values = valuesOfRelease({ values: trace.values ?? new Map(), trace }, sources);
  const { place } = error;
  const frames = place?.line === undefined ? [] : framesAt(error, { chart, trace });
  const none = { places: [], values: [], refused: [], conditions: [], missing: undefined };
  if (place?.isRendered === true) {
    return { ...none, frames, ...renderedLine(error, trace, values), missing: undefined };
  }
  if (error.code === 'VALUES_INVALID') {
    return { ...none, frames: [], refused: refusedValues(error, values), hints: hintsOf(error) };
  }
  const exec = execErrorsIn(error).at(-1);
  const [failed] = trace.failures;
  if (exec === undefined || failed === undefined) return { ...none, frames, hints: hintsOf(error) };
  return { ...none, frames, ...execution(exec, { failed, trace, values, error }) };
}

function refusedValues({ issues }: RenderError, values: ValueTable): RefusedValue[] {
  return issues.map(({ path, message }) => {
    const steps = path === '' ? [] : path.split('.');
    return { path, message, setBy: steps.length === 0 ? [] : values.settersOf(steps) };
  });
}

function hintsOf({ hint }: RenderError): string[] {
  return hint === undefined ? [] : [hint];
}

const around = 2;

// The lines of the file in the error: as rendered, as in the chart, or as executed by `tpl`.
function framesAt(
  error: RenderError,
  { chart, trace }: { readonly chart: Chart; readonly trace: Trace },
): FaultFrame[] {
  const exec = execErrorsIn(error).at(-1);
  const node = exec === undefined ? undefined : printNode(exec.node);
  const { file = '', line = 1, column = 1, isRendered } = exec?.place ?? error.place ?? {};
  const text = isRendered ? trace.files.get(file)?.text : (exec?.source.text ?? fileText(chart, file));
  if (text === undefined) return [];
  const all = text.split('\n');
  const at = Math.min(line, all.length);
  const first = Math.max(1, at - around);
  const lines = all.slice(first - 1, at + around).map((one, index) => ({ line: first + index, text: one }));
  const shown = all[at - 1] ?? '';
  const start = startOf(shown, { column, isRendered: isRendered === true, node });
  const rest = Math.max(shown.trimEnd().length - start + 1, 1);
  const width = Math.min(isRendered ? rest : (node?.length ?? 1), rest);
  return [{ title: isRendered ? `${file}, as rendered` : file, line: at, column: start, width, lines }];
}

// Go's place of a field path is within it; YAML's is sometimes only the line.
function startOf(
  shown: string,
  {
    column,
    isRendered,
    node,
  }: { readonly column: number; readonly isRendered: boolean; readonly node: string | undefined },
): number {
  if (isRendered) return column === 1 ? Math.max(shown.search(/\S/), 0) + 1 : column;
  const whole = node === undefined ? -1 : shown.lastIndexOf(node, column - 1);
  return node !== undefined && whole >= 0 && whole + node.length >= column ? whole + 1 : column;
}

function fileText(chart: Chart, file: string, folder: string = chart.metadata.name): string | undefined {
  const own = [...chart.templates, ...chart.files].find(({ name }) => `${folder}/${name}` === file);
  if (own !== undefined) return decodeUtf8(own.data);
  if (file === `${folder}/values.yaml` && chart.valuesData !== undefined) return decodeUtf8(chart.valuesData);
  for (const child of chart.children) {
    const found = fileText(child, file, childPath(folder, child));
    if (found !== undefined) return found;
  }
  return undefined;
}

// YAML reports the line where it noticed the error; if there is only literal text, an action above is the cause.
function renderedLine(
  error: RenderError,
  trace: Trace,
  values: ValueTable,
): Pick<FailureExplanation, 'places' | 'values' | 'conditions' | 'hints'> {
  const { file = '', line = 1 } = error.place ?? {};
  const text = trace.files.get(file);
  if (text === undefined) return { places: [], values: [], conditions: [], hints: hintsOf(error) };
  let parts = explainLine(text, line, values);
  for (let above = line - 1; above >= Math.max(1, line - around); above--) {
    if (parts.some((part) => part.values.length > 0)) break;
    parts = [...explainLine(text, above, values), ...parts];
  }
  const read = parts.flatMap((part) => part.values);
  const sourced = parts.filter((part) => part.values.length > 0);
  const shown = sourced.length > 0 ? sourced : parts;
  return {
    places: uniqueBy(
      shown.flatMap(({ through, place }) => [...through, place]),
      titleOf,
    ),
    values: uniqueBy(read, ({ path }) => path),
    conditions: uniqueBy(
      shown.flatMap(({ conditions }) => conditions),
      titleOf,
    ),
    hints: yamlHints(text.text.split('\n')[line - 1] ?? '', parts),
  };
}

function yamlHints(line: string, parts: readonly ExplainedPart[]): string[] {
  if (/^\s*\t/.test(line)) return ['YAML takes no tab as indentation: write blanks.'];
  for (const { values, through, place } of parts) {
    const isIndented = [...through, place].some(({ text }) => /\bn?indent\b/.test(text));
    for (const { path, value, how } of values) {
      if (how !== 'exact' || typeof value !== 'string') continue;
      if (value.includes('\n')) {
        return isIndented
          ? [`${path} is not valid YAML as it comes out there: correct it where it is set.`]
          : [
              `${path} has several lines: put it through \`| nindent N\` in the template, N being the depth of its line.`,
            ];
      }
      if (/^[&*!%@`|>[\]{},?'"]|^- |: |:$| #/.test(value) && !line.includes(JSON.stringify(value))) {
        return [`${path} holds what YAML reads as its own: write \`| quote\` behind it in the template.`];
      }
    }
  }
  return [];
}

interface Failing {
  readonly failed: FailedExecution;
  readonly trace: Trace;
  readonly values: ValueTable;
  readonly error: RenderError;
}

function execution(
  exec: TemplateExecError,
  { failed, trace, values, error }: Failing,
): Omit<FailureExplanation, 'frames' | 'refused'> {
  const reads = [...failed.reads.keys()];
  const outer = trace.failures.slice(1).flatMap(({ calls, template }) => {
    return calls === undefined ? [] : [placeIn(calls.template, calls.offset, `template ${template.name}`)];
  });
  const missing = isNil(exec) ? missingOf(exec, trace, { reads, values }) : undefined;
  const expected = conditionsOf(failed.condition, values);
  return {
    places: uniqueBy(outer, titleOf),
    values: missing === undefined ? explainReads(failed.reads, values, 'computed') : [],
    conditions: missing === undefined ? expected : [],
    missing,
    hints: missing === undefined ? refusalHints(exec, { failed, values, error }) : missingHints(exec, missing),
  };
}

// `required` needs a value: the message names it, with its description in the chart.
function refusalHints(exec: TemplateExecError, { failed, values, error }: Omit<Failing, 'trace'>): string[] {
  const read = explainReads(failed.reads, values, 'computed').filter(({ path }) => !path.startsWith('.'));
  const [only, ...others] = read;
  if (only === undefined || others.length > 0 || !/^required\b|\| required\b/.test(printNode(exec.node)))
    return hintsOf(error);
  const description = describeValue(values.chart, only.steps);
  return [`Set ${only.path}${description === undefined ? '.' : `. The chart describes it as: ${description}`}`];
}

// Go has no common type for these errors, and neither do we: a dozen functions of its libraries have their own messages.
function isNil({ message }: Error): boolean {
  return /nil pointer|untyped nil|nil data|<nil>/.test(message);
}

// The missing value: the result of the field path, or the origin of a variable or an argument.
function missingOf(
  exec: TemplateExecError,
  trace: Trace,
  { reads, values }: { readonly reads: readonly Read[]; readonly values: ValueTable },
): MissingValue | undefined {
  const name = /\.([^.\s]+)$/.exec(exec.reason)?.[1];
  const absent = reads.find(
    (read) => read.root === 'Values' && (valueAtSteps(values.root, read.steps) ?? null) === null,
  );
  const part: MissingPart | undefined =
    trace.missing ??
    (absent === undefined ? undefined : { read: absent, names: namesBeside(values.root, absent.steps) });
  if (part === undefined || part.read.root !== 'Values') return undefined;
  const { steps } = part.read;
  const rest = restOf(exec, name, steps);
  const full = [...steps, ...rest];
  const ahead = values.settersOf(steps);
  return {
    path: pathText(full),
    absent: pathText(steps),
    besideBy: steps.length < 2 ? [] : values.settersOf(steps.slice(0, -1)),
    nullBy: ahead.filter(({ value }) => value === null).slice(0, 1),
    near: nearPaths(part, full, values.root),
  };
}

// What the template reads below the missing value.
function restOf({ node }: TemplateExecError, name: string | undefined, steps: Steps): readonly string[] {
  if (name === undefined) return [];
  if (node.kind !== 'field' && node.kind !== 'variable') return [name];
  const last = node.names.lastIndexOf(String(steps.at(-1)));
  return last < 0 ? [name] : node.names.slice(last + 1);
}

function namesBeside(root: GoMap, steps: Steps): readonly string[] {
  const holder = valueAtSteps(root, steps.slice(0, -1));
  return holder instanceof Map ? [...holder.keys()] : [];
}

const mostNear = 3;

// A similar name beside it, and other places with the same names.
function nearPaths({ read, names }: MissingPart, full: Steps, root: GoMap): readonly string[] {
  const { steps } = read;
  const meant = suggest(
    String(steps.at(-1)),
    names.filter((name) => name !== steps.at(-1)),
  );
  const beside = meant === undefined ? [] : [pathText([...steps.slice(0, -1), meant, ...full.slice(steps.length)])];
  const tail = full.slice(steps.length - 1).map(String);
  const elsewhere: string[] = [];
  const ahead: (readonly [value: GoValue, steps: Steps])[] = [[root, []]];
  for (let at = 0; at < ahead.length && elsewhere.length < mostNear; at++) {
    const [value, path] = ahead[at]!;
    if (!(value instanceof Map)) continue;
    if ((valueAtSteps(value, tail) ?? null) !== null) elsewhere.push(pathText([...path, ...tail]));
    if (path.length < 6) for (const [key, inner] of value) ahead.push([inner, [...path, key]]);
  }
  return [...new Set([...beside, ...elsewhere])].filter((path) => path !== pathText(full)).slice(0, mostNear);
}

function missingHints({ node }: TemplateExecError, { near, path }: MissingValue): string[] {
  const [first, ...others] = near;
  const meant =
    first === undefined ? [] : [`Did you mean ${[first, ...others].map((one) => `\`${one}\``).join(' or ')}?`];
  const guarded = guardedText(printNode(node));
  const guard = guarded === undefined ? '' : `, or let the template do without: \`${guarded}\``;
  return [...meant, `Set ${path}${guard}.`];
}

// Parentheses around each step but the last: Helm's syntax for optional values.
function guardedText(expression: string): string | undefined {
  const [root, first, ...names] = expression.replace(/^\./, '').split('.');
  if (root !== 'Values' && root !== '$') return undefined;
  const [start, rest] = root === '$' ? [`$.${first}`, names] : ['.Values', [first!, ...names]];
  if (rest.length < 2 || rest.some((name) => name === undefined)) return undefined;
  return `${rest.slice(0, -1).reduce((text, name) => `(${text}.${name})`, start)}.${rest.at(-1)}`;
}

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
  const places = setterLines(setBy, '    ', ({ value }) => ` (${JSON.stringify(value)})`);
  return [`  ${path === '' ? 'the values' : path}: ${message}`, ...places];
}

function missingLines({ path, absent, besideBy, nullBy }: MissingValue): string[] {
  const [reset] = nullBy;
  const [beside] = besideBy;
  const absence = reset === undefined ? 'is not set' : `is set to null by ${placeText(reset)}`;
  const where =
    beside === undefined
      ? 'at the top of a values file'
      : `where the values around it are: ${besideBy.map(placeText).join(', ')}`;
  return [`  ${absent} ${absence}${absent === path ? '' : `, so there is no ${path}`}`, `    could be set ${where}`];
}
